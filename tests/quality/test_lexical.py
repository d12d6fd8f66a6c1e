"""The plain lexical methods do what they say, so that beating them means something."""

from benchmarks.lexical import longest_run, recommend_by_bm25, recommend_by_mentions
from benchmarks.site_rows import SitePage, SiteRows, SiteSentence


def page(number: int, title: str, *texts: str) -> SitePage:
    sentences = tuple(SiteSentence(text, text) for text in texts)
    return SitePage(number, f"http://a.test/{number}", title, True, sentences)


SITE = SiteRows(
    1,
    (
        page(1, "Welcome", "We fix things.", "First true the back wheel by hand.", "The rim brake comes last."),
        page(2, "Back wheel", "A back wheel carries most of the rider."),
        page(3, "Rim brake", "The rim brake squeals."),
        page(4, "Saddle", "Sit down on it."),
    ),
    {1: {3}},
)


def test_mentions_find_titles_in_running_text_and_skip_existing_links() -> None:
    rows = [row for row in recommend_by_mentions(SITE) if row["source"].endswith("1")]
    assert [(row["target"][-1], row["anchor_text"], row["sentence"]) for row in rows] == [
        ("2", "back wheel", "First true the back wheel by hand.")
    ]


def test_bm25_ranks_the_page_that_shares_rare_words_first() -> None:
    rows = [row for row in recommend_by_bm25(SITE) if row["source"].endswith("1")]
    assert rows[0]["target"].endswith("2")
    assert rows[0]["anchor_text"] == "back wheel"
    assert all(not row["target"].endswith("3") for row in rows)
    assert [row["rank"] for row in rows] == [1, 2]


def test_longest_run_of_title_words() -> None:
    assert longest_run("True the back wheel, then the wheel.", "The back wheel") == "the back wheel"
    assert longest_run("Nothing shared here.", "Saddle") == "Nothing"
