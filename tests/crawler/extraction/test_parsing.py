"""Parsing: hostile and broken markup becomes a tree that still holds the text."""

import time

import pytest

from crawler.extraction.parsing import parse_html


def text_of(html: str) -> str:
    root = parse_html(html)
    return "" if root is None else " ".join("".join(root.itertext()).split())


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<html><body><p>one</p></body></html><p>two</p>", "onetwo"),
        ("<p>one</p></html><body class=x><p>two", "onetwo"),
        ("a<script>if (a<b) {'</p>'}</script>b<style>p{}</style>c", "abc"),
        ("a<!-- <script> -->b<!-->c<!--->d", "abcd"),
        ("a<script>never closed <p>b", "a"),
        ("a<template><p>t</p></template><noscript>n</noscript><svg><text>s</text></svg>b", "ab"),
        ("a\0b\x01c<\0p>d", "a b c< p>d"),
        ("&eacute;&amp;&nbsp;&#8217;&unknown;", "é& ’&unknown;"),
        ("", ""),
    ],
)
def test_text_survives(html: str, expected: str) -> None:
    assert text_of(html) == expected


def test_a_tag_overloaded_with_attributes_loses_them_quickly() -> None:
    for separator, value in ((" ", "=1"), ("/", '="2"'), ("", "='>'"), (" ", ""), (" ", " = <")):
        attributes = separator.join(f"a{number}{value}" for number in range(60_000))
        start = time.process_time()
        assert text_of(f"<p>before<p {attributes}>after<p title='x'>end").endswith("end")
        assert time.process_time() - start < 3


@pytest.mark.parametrize("tag", ["div", "b", "span", "li", "section", "h1", "font"])
def test_deep_nesting_keeps_the_text(tag: str) -> None:
    assert text_of(f"<{tag}>" * 100_000 + "deep text").endswith("deep text")
