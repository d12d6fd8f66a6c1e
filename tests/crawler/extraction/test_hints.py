"""Names of elements: which are hints, and which only look like hints."""

import pytest

from crawler.extraction.hints import Hint, judge_class, judge_id, judge_role

WORDS = str.split


@pytest.mark.parametrize(
    "names",
    WORDS(
        "nav mainNav site-nav menu breadcrumb breadcrumbs Breadcrumb__list sidebar left_sidebar footer "
        "site-footer comments comment-list related-posts sharedaddy social-links cookie-notice "
        "newsletter-signup pagination toc post-meta byline author-box about-author tag-cloud widget "
        "widget-area adsbygoogle skip-link lang-switcher readMore entry-meta"
    ),
)
def test_boilerplate_names(names: str) -> None:
    assert judge_class(names) is Hint.BOILERPLATE


@pytest.mark.parametrize(
    "names",
    WORDS(
        "content-with-sidebar has-sidebar no-nav without-footer elementor-widget-text-editor "
        "elementor-widget page-content navigator commentary tocsin shareholder adsorption article-body "
        "main-content single-post-with-comments admonition-comments-and-menus layout-sidebar section "
        "container row heading text-block padded footnoteless serializing-references-to-content-types-menu"
    ),
)
def test_names_that_only_look_like_boilerplate(names: str) -> None:
    assert judge_class(names) is Hint.NONE


def test_other_hints() -> None:
    assert judge_class("twitter-tweet") is Hint.EMBED
    assert judge_class("footnotes") is Hint.REFERENCES
    assert judge_class("sr-only") is Hint.HIDDEN
    assert judge_role(" Navigation ") is Hint.LANDMARK
    assert judge_id("sidebar") is Hint.BOILERPLATE
    assert judge_id("masthead") is Hint.BOILERPLATE


def test_an_id_made_from_a_heading_is_no_hint() -> None:
    for element_id in ("s-comments", "the-navigation-menu", "using-cookies", "related-models"):
        assert judge_id(element_id) is Hint.NONE
