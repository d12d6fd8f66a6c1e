"""What class, id and role tell about an element: the words that site builders give to menus, cards and cookie bars.

Judges names alone; regions.py decides with the element's share of the page's text.
"""

import re
from enum import IntEnum
from functools import lru_cache


def words(text: str) -> list[str]:
    """A readable list of names."""
    return text.split()


class Hint(IntEnum):
    """Ordered by how much is done about it: the highest of an element's names wins."""

    NONE = 0
    HEADER = 1  # a site's header or an article's: only its content tells
    CARD = 2  # a teaser of another page, if it is small and holds a link
    ASIDE = 3  # beside the text: notes in the margin, pull quotes
    REFERENCES = 4  # no running text, though it is read: footnotes, sources, captions, messages, quizzes, output
    EMBED = 5  # someone else's words: tweets and the like
    BOILERPLATE = 6
    LANDMARK = 7  # declared by role, not guessed from a name
    HIDDEN = 8


_BOILERPLATE_ROLES = frozenset(
    words("comment navigation banner contentinfo search menu menubar toolbar dialog alertdialog doc-toc doc-pagelist")
)
_REFERENCES_ROLES = frozenset(
    words(
        "doc-endnotes doc-endnote doc-footnote doc-bibliography doc-biblioentry doc-pullquote alert status log tooltip"
    )
)
_MESSAGE_ROLES = frozenset(words("alert status"))
_WORDS = words(
    "nav navbar navbars navigation navlink navlinks topnav subnav sidenav menu menus submenu menubar "
    "breadcrumb breadcrumbs crumb crumbs sidebar sidebars sphinxsidebar side rail "
    "footer foot colophon masthead topbar "
    "cookie cookies cookiebar gdpr consent newsletter subscribe subscription mailchimp signup "
    "share shares sharing sharebar sharebox sharedaddy sharethis addthis addtoany social socials "
    "related relatedposts recommended recommendations jp-relatedposts outbrain taboola "
    "comment comments commentlist commentform disqus respond comments-area "
    "pagination paginator pager paging prevnext "
    "toc tableofcontents localtoc minitoc onthispage "
    "ad ads advert adverts advertisement adsbygoogle advertising sponsor sponsored promo promos banner "
    "modal popup lightbox offcanvas "
    "tagcloud taglist "
    "byline postmeta dateline "
    "langs languages toplang bottomlang langswitch "
    "skiplink skiplinks searchform searchbox loginform widgets"
)
_PHRASES = words(
    "table-of-contents on-this-page page-toc author-(?:box|bio|info|card|block|profile|details|description) "
    "about-(?:the-)?author post-author post-(?:meta|tags|categories|navigation|nav|footer|share) "
    "entry-(?:meta|tags|utility|footer) article-(?:meta|tags|footer) page-meta posted-(?:on|in|by) "
    "tags?-(?:links|list|cloud) cat-links tags-container "
    "skip-(?:link|links|to|nav) search-(?:form|box|bar) log-?in-form sign-up "
    "read-(?:more|next) "
    "more-(?:posts|articles|stories|from) (?:latest|recent|popular|similar)-(?:posts?|articles|news) "
    "you-may-(?:also-)?like up-next also-like call-to-action back-to-top scroll-top "
    "lang(?:uage)?-(?:switcher|selector|switch|list|menu|picker|toggle) edit-(?:link|page|section) mw-editsection "
    "widget-area widget-title view-count print-only site-(?:info|branding|links|map|tools) "
    "prev-next next-prev page-(?:numbers|links|nav)"
)
_REFERENCES = words(
    "footnotes? endnotes? reflist references bibliography citations? footnote-(?:list|item|text) footnotes-(?:list|sep)"
)
_NO_RUNNING_TEXT = words(
    "(?:wp|image|img|photo|figure|media)-caption(?:-text)? (?:photo|image)-credits? "
    "quiz quizzes multiple-choice invalid-feedback (?:poll|survey|answer|question)-(?:options?|choices?|answers?) "
    "error-?(?:messages?|list|text|summary) (?:form|field|validation)-errors? flash-messages? "
    "(?:code|cell|console|terminal|command|program|shell)-output output-(?:area|block|text|cell|wrapper)"
)
_NO_RUNNING_TEXT_NAMES = frozenset(words("caption tags output error errors toast choices"))
_ALERTS = words("alert alerts")
#: Boxes of documentation: running text of its own, though the same names are given to messages.
_ADMONITIONS = words(
    "admonition note notes tip tips hint info information warning caution important attention seealso callout notice "
    "starlight-aside success primary secondary light dark"
)
_CARDS = words("card cards teaser teasers")
_EMBEDS = words(
    "tweet tweets twitter-tweet twitter-video "
    "instagram-media tiktok-embed fb-post bluesky-embed mastodon-embed reddit-embed"
)
_HIDDEN = words(
    "sr-only sr-only-focusable visually-hidden visually-hidden-focusable visuallyhidden screen-reader-text "
    "screen-reader-only a11y-hidden hide-visually"
)


#: Hidden by a style sheet, unless another class shows it on wider screens ("hidden md:block", "d-none d-lg-block").
_HIDDEN_AT_FIRST = frozenset(words("hidden d-none is-hidden display-none uk-hidden hide"))
_SHOWN_ON_SOME = re.compile(r"^(?:\w+:|d-(?:sm|md|lg|xl|xxl|print)-)")


def _any_of(words: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|-)(?:{'|'.join(words)})(?:-|$)")


_BOILERPLATE_NAME = _any_of(_WORDS + _PHRASES)
_REFERENCES_NAME = _any_of(_REFERENCES + _NO_RUNNING_TEXT)
_ALERT_NAME = _any_of(_ALERTS)
_ADMONITION_NAME = _any_of(_ADMONITIONS)
_CARD_NAME = _any_of(_CARDS)
_EMBED_NAME = _any_of(_EMBEDS)
_HEADER_NAME = _any_of(["header", "hd", "top", "head"])
#: "content-with-sidebar", "has-nav", "no-footer": the name tells of something else on the page.
_SAYS_OF_OTHERS = re.compile(
    r"(?:^|-)(?:with|without|has|have|no|not|hide|hides|layout|template|single|is|page-template|col|grid)-"
    r"|-(?:layout|template|wrapper-with|enabled|disabled|active|open|closed|visible)$"
)
#: "main-content", "article-body": never a mere frame, whatever else the name says.
_CONTENT_NAME = _any_of(
    words(
        "content-main main-content maincontent page-content pagecontent entry-content post-content article-content "
        "article-body articlebody post-body postbody story-body"
    )
)
_MOST_WORDS = 4
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[^a-z0-9]+")
#: An id that names a heading's topic ("#related-models") must not count: only ids that stand for frames alone.
_FRAME_IDS = frozenset(
    words(
        "nav navbar navigation menu mainmenu topmenu main-menu "
        "main-nav site-navigation sidebar side-bar left-sidebar "
        "right-sidebar secondary footer site-footer page-footer colophon masthead "
        "breadcrumb breadcrumbs crumbs comments "
        "respond comment-form disqus-thread toc table-of-contents cookie-notice "
        "cookie-banner cookie-bar related-posts "
        "pagination pager search searchbox search-box newsletter share sharing social banner ft foot"
    )
)
_HEADER_IDS = frozenset(words("header hd head top masthead page-header site-header topbar"))


@lru_cache(maxsize=16_384)
def judge_class(class_names: str) -> Hint:
    """The strongest hint in a class attribute."""
    names = [_normalize_name(name) for name in class_names.split()[:50]]
    hint = max((_judge_class_name(name) for name in names), default=Hint.NONE)
    is_hidden = not _HIDDEN_AT_FIRST.isdisjoint(names)
    if is_hidden and not any(_SHOWN_ON_SOME.match(name) for name in class_names.split()[:50]):
        return max(hint, Hint.REFERENCES)
    if any(_ALERT_NAME.search(name) for name in names) and not is_admonition(class_names):
        return max(hint, Hint.REFERENCES)
    return hint


@lru_cache(maxsize=4_096)
def is_admonition(class_names: str) -> bool:
    """Whether a class names a box of documentation: a note, tip or warning to readers."""
    return any(_ADMONITION_NAME.search(_normalize_name(name)) for name in class_names.split()[:50])


@lru_cache(maxsize=4_096)
def judge_id(element_id: str) -> Hint:
    """Less is read into an id than into a class: most are made from a heading's words."""
    name = _normalize_name(element_id)
    if name in _FRAME_IDS:
        return Hint.BOILERPLATE
    return Hint.HEADER if name in _HEADER_IDS else Hint.NONE


@lru_cache(maxsize=256)
def judge_role(role: str, class_names: str = "") -> Hint:
    """Declared landmarks and notes; documentation gives its boxes the role of an alert too."""
    name = role.strip().lower()
    if name in _REFERENCES_ROLES and not (name in _MESSAGE_ROLES and is_admonition(class_names)):
        return Hint.REFERENCES
    return Hint.LANDMARK if name in _BOILERPLATE_ROLES else Hint.NONE


def _normalize_name(name: str) -> str:
    return _SEPARATORS.sub("-", _CAMEL.sub("-", name[:100]).lower()).strip("-")


def _judge_class_name(name: str) -> Hint:
    if name.count("-") > _MOST_WORDS - 1 or name.startswith("admonition"):
        return Hint.NONE  # made from a heading's words
    if name in _HIDDEN:
        return Hint.HIDDEN
    if _EMBED_NAME.search(name):
        return Hint.EMBED
    if _REFERENCES_NAME.search(name) or name in _NO_RUNNING_TEXT_NAMES:
        return Hint.REFERENCES
    if _SAYS_OF_OTHERS.search(name) or _CONTENT_NAME.search(name):
        return Hint.NONE
    if _BOILERPLATE_NAME.search(name) or name == "widget" or name.startswith("widget-"):
        return Hint.BOILERPLATE
    if _CARD_NAME.search(name):
        return Hint.CARD
    return Hint.HEADER if _HEADER_NAME.search(name) else Hint.NONE
