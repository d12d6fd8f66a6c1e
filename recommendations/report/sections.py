"""The lists of the site report: their names, what each says and what to do about it, their columns and kinds.

Page, CSV, JSON and command are all made from these definitions. Light, since the web process reads them; leaves finding
the rows to the modules beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

CONTENT, MENU = "content", "menu"
#: Lists that are read from the links at each call.
INLINKS, OUTLINKS = "inlinks", "outlinks"
PLACES = {CONTENT: "in content", MENU: "in menus"}
DEFAULT_SLOW_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Column:
    """`form` is how its cells are shown: page, url, text, count, number, seconds, share, flag, list or sentence.

    opens: the list behind a count, as "key" or "key?kind=value"; it is asked for the row's own group.
    """

    key: str
    label: str
    form: str = "text"
    hint: str = ""
    opens: str = ""

    @property
    def is_number(self) -> bool:
        return self.form in ("count", "number", "seconds", "share")


@dataclass(frozen=True, slots=True)
class Section:
    """One list. `stored`: the rows that it shows, where another list shows the same in another order.

    `sort` is the column that orders it where that is not the order in which its rows are stored. What has no `chapter`
    is opened from other lists alone.
    """

    key: str
    title: str
    says: str
    columns: tuple[Column, ...]
    chapter: str = ""
    unit: str = "page"
    kinds: Mapping[str, str] = field(default_factory=dict)
    stored: str = ""
    sort: str = ""
    has_places: bool = False
    is_fault: bool = True
    is_waiting: bool = False

    @property
    def is_of_links(self) -> bool:
        return self.key in (INLINKS, OUTLINKS)

    @property
    def rows_of(self) -> str:
        return self.stored or self.key

    def column(self, key: str) -> Column | None:
        return next((column for column in self.columns if column.key == key), None)


PAGE = Column("page", "Page", "page")
HOLDER = Column("page", "On page", "page")
ANCHOR = Column("anchor", "Anchor text")
PLACE = Column("place", "Place", "place")
ADDRESS = Column("address", "Address", "url")

_LINK_FIGURES = (
    Column("page_rank", "PageRank", "number", "1.00 is the average page"),
    Column("depth", "Click depth", "count", "fewest clicks from the start page, by any link"),
    Column("content_inlinks", "Inlinks", "count", "pages that link here from their content", "inlinks?place=content"),
    Column(
        "menu_inlinks",
        "Menu inlinks",
        "count",
        "further pages that link here from menus, cards or footers alone",
        "inlinks?place=menu",
    ),
    Column("content_outlinks", "Outlinks", "count", "pages that its content links to", "outlinks?place=content"),
    Column(
        "menu_outlinks",
        "Menu outlinks",
        "count",
        "further pages that its menus, cards or footers link to",
        "outlinks?place=menu",
    ),
)

_ALL = (
    Section(
        "orphans", "Orphan pages",
        "No other page links here from its content. Link to them from pages on the same subject, or remove them.",
        (PAGE, Column("kind", "How it is found", "kind"), Column("in_sitemap", "In a sitemap", "flag"),
         Column("menu_inlinks", "Menu inlinks", "count", "", "inlinks?place=menu"), Column("words", "Words", "count")),
        "Pages nobody finds",
        kinds={
            "menus": "only in menus", "redirect": "only by redirect", "sitemap": "only in a sitemap",
            "nowhere": "no link, no sitemap",
        },
    ),
    Section(
        "orphans-unlisted", "Orphan pages in no sitemap",
        "Orphan pages that the sitemap does not name either: search engines may never see them. Link to them first.",
        (PAGE, Column("kind", "How it is found", "kind"),
         Column("menu_inlinks", "Menu inlinks", "count", "", "inlinks?place=menu"), Column("words", "Words", "count")),
        "Pages nobody finds",
        kinds={"menus": "only in menus", "redirect": "only by redirect", "nowhere": "no link"},
    ),
    Section(
        "click-depth", "Click depth",
        "How few clicks lead from the start page to each page. What lies four clicks deep or more is seldom found.",
        (PAGE, *_LINK_FIGURES), "Pages nobody finds", stored="pages", sort="-depth", is_fault=False,
    ),
    Section(
        "dead-ends", "Pages without outlinks",
        "Their content links to no other page of the site, so readers can only go back. Link on to what comes next.",
        (PAGE, Column("kind", "What is there", "kind"), Column("words", "Words", "count"),
         Column("content_inlinks", "Inlinks", "count", "", "inlinks?place=content")),
        "Pages nobody finds", kinds={"menus": "menus alone", "none": "no link at all"},
    ),
    Section(
        "page-rank", "Internal PageRank",
        "The share of readers on each page if all followed links at random; see whether your best pages are high up.",
        (PAGE, *_LINK_FIGURES), "Links", stored="pages", is_fault=False,
    ),
    Section(
        "page-links", "Inlinks and outlinks",
        "How many pages link to each page, and how many it links to, content and menus apart.",
        (PAGE, *_LINK_FIGURES), "Links", stored="pages", sort="content_inlinks", is_fault=False,
    ),
    Section(
        "broken-links", "Broken internal links",
        "Links to addresses of this site that give no page. Correct the address, or take the link away.",
        (HOLDER, ADDRESS, ANCHOR, PLACE, Column("kind", "Fault", "kind"), Column("http_status", "HTTP", "count"),
         Column("reason", "Reason", "sentence")),
        "Links", "link", has_places=True,
        kinds={
            "gone": "gone (404, 410)", "client": "refused (other 4xx)", "server": "server error (5xx)",
            "unreachable": "could not be reached", "redirected": "redirects to a broken address",
        },
    ),
    Section(
        "redirected-links", "Redirected links",
        "Links to addresses that send readers elsewhere. Link to where they end, and keep chains short.",
        (HOLDER, ADDRESS, Column("end", "Ends at", "url"), Column("hops", "Redirects", "count"), ANCHOR, PLACE,
         Column("kind", "Kind", "kind")),
        "Links", "link", has_places=True,
        kinds={
            "one": "one redirect", "chain": "chain of redirects", "offsite": "to another site",
            "duplicate": "second address of the same text", "unread": "end was not read",
        },
    ),
    Section(
        "unindexed-links", "Links to noindex or non-canonical pages",
        "Links to pages that search engines are told to leave out. Link to the canonical page, or let it be indexed.",
        (HOLDER, Column("target", "Leads to", "page"), Column("kind", "Why", "kind"),
         Column("canonical", "Canonical page", "url"), ANCHOR, PLACE),
        "Links", "link", has_places=True,
        kinds={"noindex": "noindex", "canonical": "names another page as canonical"},
    ),
    Section(
        INLINKS, "Pages that link here", "Each page that links there, and with which words.",
        (PAGE, Column("anchor", "Anchor texts"), PLACE), has_places=True, is_fault=False,
    ),
    Section(
        OUTLINKS, "Pages linked from here", "Each page of the site that is linked, and with which words.",
        (PAGE, Column("anchor", "Anchor texts"), PLACE), has_places=True, is_fault=False,
    ),
    Section(
        "anchors", "Anchor texts by target",
        "With which words content links to each page, and how varied they are. One text everywhere, or words that say "
        "nothing, tell readers and search engines little.",
        (PAGE, Column("links", "Links", "count", opens="anchor-texts"),
         Column("texts", "Different texts", "count", "folded: case and spaces do not count", "anchor-texts"),
         Column("diversity", "Diversity", "share", "different texts for each link; 1 is all different"),
         Column("generic", "Generic", "count", "links whose words say nothing of the target",
                "anchor-texts?kind=generic"),
         Column("empty", "Without text", "count", "", "anchor-texts?kind=empty"), Column("most_used", "Most used text"),
         Column("most_used_share", "Its share", "share")),
        "Anchor texts", is_fault=False,
    ),
    Section(
        "anchor-texts", "Anchor texts",
        "Every text with which content links to a page, with how often it does.",
        (Column("target", "Leads to", "page"), ANCHOR, Column("links", "Links", "count"),
         Column("kind", "Kind", "kind")),
        "Anchor texts", "text", is_fault=False,
        kinds={"telling": "telling", "generic": "generic", "empty": "without text"},
    ),
    Section(
        "ambiguous-anchors", "One text, several targets",
        "The same words lead to different pages, so readers cannot know what to expect. Keep each text for one page.",
        (ANCHOR, Column("language", "Language"), Column("targets", "Pages", "count", opens="ambiguous-targets"),
         Column("links", "Links", "count")),
        "Anchor texts", "text",
    ),
    Section(
        "ambiguous-targets", "Where these words lead", "Each page that a text with several targets leads to.",
        (ANCHOR, Column("target", "Leads to", "page"), Column("links", "Links", "count")), unit="target",
    ),
    Section(
        "duplicate-titles", "Duplicate titles",
        "Pages of one language with the same title: searchers cannot tell them apart. Give each its own.",
        (PAGE, Column("title", "Title"), Column("language", "Language"),
         Column("same", "Pages with it", "count", opens="duplicate-titles")),
        "Pages",
    ),
    Section(
        "hreflang", "hreflang without return link",
        "A page names another as its translation, and that one does not name it back, so search engines ignore both.",
        (PAGE, Column("tag", "hreflang"), Column("target", "Names", "page")),
        "Pages", "pair",
    ),
    Section(
        "slow-pages", "Slow pages",
        "Their answer took longer than a second when they were read last. Look at what the server does for them.",
        (PAGE, Column("seconds", "Seconds", "seconds"), Column("times_median", "Times the median", "number")),
        "Pages",
    ),
    Section(
        "clusters", "Topical clusters",
        "Pages grouped by meaning. A good cluster is densely linked and has a hub; pages alone in it need links.",
        (Column("name", "Cluster"), Column("language", "Language"),
         Column("pages", "Pages", "count", opens="cluster-pages"), Column("hub", "Hub page", "page"),
         Column("links", "Links within", "count"),
         Column("density", "Density", "share", "links within, of all that the pages could have: n × (n − 1)"),
         Column("lone", "Alone", "count", "no content link to or from another page of the cluster",
                "cluster-pages?kind=lone"),
         Column("suggestions", "Waiting suggestions", "count", "within the cluster", "cluster-suggestions"),
         Column("connected", "Lone pages these would connect", "count", "", "cluster-suggestions?kind=lone")),
        "Clusters", "cluster", is_fault=False,
    ),
    Section(
        "cluster-pages", "Pages by cluster",
        "Every page with its cluster, and how many pages of that cluster link to it and are linked from it.",
        (PAGE, Column("name", "Cluster"), Column("kind", "Part", "kind"),
         Column("inlinks", "Inlinks within", "count"), Column("outlinks", "Outlinks within", "count"),
         Column("page_rank", "PageRank", "number")),
        "Clusters", is_fault=False,
        kinds={"hub": "hub", "member": "linked", "lone": "alone in its cluster", "none": "in no cluster"},
    ),
    Section(
        "cluster-suggestions", "Waiting suggestions within clusters",
        "Suggestions that link pages of the same cluster. Accept those that connect pages which stand alone first.",
        (HOLDER, ANCHOR, Column("target", "Leads to", "page"), Column("name", "Cluster"),
         Column("kind", "Connects", "kind"), Column("score", "Score", "number")),
        "Clusters", "suggestion", is_fault=False, is_waiting=True,
        kinds={"lone": "a page that stands alone", "linked": "linked pages"},
    ),
)  # fmt: skip
SECTIONS: Mapping[str, Section] = {section.key: section for section in _ALL}


def chapters() -> dict[str, list[Section]]:
    """The lists that stand on the overview, by chapter."""
    result: dict[str, list[Section]] = {}
    for section in _ALL:
        if section.chapter:
            result.setdefault(section.chapter, []).append(section)
    return result
