"""A document type is seen before a parser sees it, however it is hidden."""

import pytest

from crawler.xml_prolog import MOST_PROLOG, has_document_type


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"<rss/>", False),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <!DOCTYPE x> -->\n<urlset/>', False),
        (b"<rss><![CDATA[<!DOCTYPE html>]]></rss>", False),
        (b"<!DOCTYPE rss><rss/>", True),
        (b"<!-- <rss --><!doctype rss>", True),
        (b"<?a <rss ?> <!-- b --> <!ENTITY x>", True),
        (b"words", True),
        (b"<!-- not yet", None),
        (b"<?xml", None),
        (b"<!", None),
        (b"", None),
        (b"<!-- " + b"x" * MOST_PROLOG, True),
    ],
)
def test_what_stands_before_the_first_element(data: bytes, answer: bool | None) -> None:
    assert has_document_type(data) is answer
