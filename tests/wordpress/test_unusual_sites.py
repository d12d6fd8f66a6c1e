"""Real WordPresses as they are found: shut, with plain addresses, with users of few rights, with posts that break."""

import pytest

from crawler.errors import CrawlError
from crawler.models import Page, SourceKind
from crawler.page_reasons import LAST_VISIT_FAILED
from tests.wordpress.conftest import POSTS, VERSIONS, WordPress
from tests.wordpress.test_ways_in import make_site, read, state_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.timeout(300),
    pytest.mark.parametrize("wordpress", VERSIONS[-1:], indirect=True, scope="session"),
]

CLOSED = """add_filter('rest_authentication_errors', function ($result) {
    return is_user_logged_in() ? $result : new WP_Error('closed', 'Closed.', ['status' => 401]);
}, 200);"""
PLAIN = "add_filter('pre_option_permalink_structure', '__return_empty_string');"
BREAKS = """add_filter('the_content', function ($content) {
    if (str_contains($content, 'article')) { throw new Error('a plugin of this site is broken'); }
    return $content;
});"""
BOOKS = """add_action('init', function () {
    register_post_type('book', ['public' => true, 'show_in_rest' => true, 'label' => 'Books']);
    register_post_type('ledger', ['public' => false, 'show_in_rest' => true, 'label' => 'Ledgers']);
    foreach (['book', 'ledger'] as $type) {
        if (!get_page_by_path("a-$type", OBJECT, $type)) {
            wp_insert_post(['post_type' => $type, 'post_name' => "a-$type", 'post_title' => "A $type",
                'post_status' => 'publish', 'post_content' => "What the $type says, in a sentence."]);
        }
    }
});"""


def test_a_closed_interface_is_said_with_the_other_ways_and_opens_to_a_password(wordpress: WordPress) -> None:
    with wordpress.plugin(CLOSED):
        site = make_site(wordpress, SourceKind.WORDPRESS)
        with pytest.raises(CrawlError, match=r"HTTP 401.*by its web address or from an export file"):
            read(site)
        site.delete()
        site = make_site(wordpress, SourceKind.WORDPRESS, user="ed")
        assert read(site)["failed"] == {}


def test_a_site_without_pretty_addresses_is_read(wordpress: WordPress) -> None:
    with wordpress.plugin(PLAIN):
        site = make_site(wordpress, SourceKind.WORDPRESS)
        assert read(site)["read"] > POSTS - 10
        assert "?" in Page.objects.filter(site=site, status="read", source_key__startswith="post:")[0].url


def test_a_user_of_few_rights_reads_what_everybody_sees(wordpress: WordPress) -> None:
    for user in ("auth", "sub"):
        site = make_site(wordpress, SourceKind.WORDPRESS, user=user, name=user, are_drafts_included=True)
        figures = read(site)
        assert figures["read"] > POSTS - 10
        assert any("Drafts and raw content need an editor's" in note for note in figures["notes"])
        assert not Page.objects.filter(site=site, title__startswith="Hidden").exists()
        site.delete()


def test_a_post_that_breaks_wordpress_costs_no_other(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WORDPRESS)
    read(site)
    known = Page.objects.filter(site=site, status="read").count()
    wordpress.change([{"ID": wordpress.ids[number], "post_content": f"An article, {number}."} for number in (60, 61)])
    before = state_of(site)
    with wordpress.plugin(BREAKS.replace("'article'", "'An article, 60'")):
        read(site)
    after = state_of(site)
    broken = Page.objects.get(site=site, source_key__endswith=f":{wordpress.ids[60]}")
    assert broken.reason.startswith(f"{LAST_VISIT_FAILED}: HTTP 500")
    changed = {url for url in after if after[url] != before[url]}
    assert {wordpress.url + "post-60/", wordpress.url + "post-61/"} == changed
    assert Page.objects.filter(site=site, status="read").count() == known


def test_what_is_made_a_draft_is_gone_and_patterns_are_kept_to(wordpress: WordPress) -> None:
    site = make_site(wordpress, SourceKind.WORDPRESS, user="ed", exclude_patterns="/post-7")
    read(site)
    shut_out = Page.objects.get(site=site, url=f"{wordpress.url}post-70/")
    assert (shut_out.status, shut_out.reason) == ("skipped", "not to be read: the site's settings leave out /post-7")
    drafted = wordpress.ids[90]
    wordpress.change([{"ID": drafted, "post_status": "draft"}])
    read(site)
    wordpress.change([{"ID": drafted, "post_status": "publish"}])
    gone = Page.objects.get(site=site, source_key__endswith=f":{drafted}")
    assert (gone.status, gone.reason) == ("gone", "not published: its status is draft")


def test_types_of_plugins_are_read_where_they_have_pages(wordpress: WordPress) -> None:
    with wordpress.plugin(BOOKS):
        site = make_site(wordpress, SourceKind.WORDPRESS, user="ed")
        read(site)
    titles = set(Page.objects.filter(site=site, status="read").values_list("title", flat=True))
    assert "A book" in titles
    assert "A ledger" not in titles
