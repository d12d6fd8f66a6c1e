"""What was read of a site: Site, Crawl, Page, PageEvent, Link, Sentence. Leaves reading and writing to others."""

import secrets

from django.conf import settings
from django.core.files.storage import FileSystemStorage, Storage
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from crawler.leases import LeasedRun, one_active_run


def uploads() -> Storage:
    """Where uploaded files lie: in the data directory, served to nobody."""
    return FileSystemStorage(settings.LINKREC_DATA_DIR / "uploads", file_permissions_mode=0o600)


class SourceKind(models.TextChoices):
    """Where a site's pages come from: one file each in crawler/sources."""

    WEB = "web", "the web: sitemap and links"
    LIST = "list", "a list of addresses"
    WORDPRESS = "wordpress", "WordPress, by its REST interface"
    WXR = "wxr", "a WordPress export file (WXR)"


class Rendering(models.TextChoices):
    NEVER = "never", "never"
    EMPTY = "empty", "pages whose HTML holds no text"


def source_file_path(site: "Site", name: str) -> str:
    """Where an uploaded file is kept, under a name of ours: that of the upload is not to be trusted."""
    return f"sources/{secrets.token_hex(16)}"


class Site(models.Model):
    """A site that is read and given recommendations; its settings are defaults that an admin may override."""

    name = models.CharField(max_length=200)
    start_url = models.CharField(max_length=2000, unique=True, help_text="Normalized URL where the crawl starts.")
    source_kind = models.CharField(max_length=10, choices=SourceKind, default=SourceKind.WEB)
    source_file = models.FileField(
        max_length=200, blank=True, upload_to=source_file_path, storage=uploads, help_text="Of a list or a WXR export."
    )
    max_pages = models.PositiveIntegerField(default=100_000)
    include_patterns = models.TextField(
        blank=True,
        help_text="Only addresses that match one of these are read, one a line: * is any run of characters.",
    )
    exclude_patterns = models.TextField(
        blank=True, help_text="Addresses that match one of these are not read, one a line."
    )
    are_subdomains_included = models.BooleanField(default=False, help_text="blog.example.com belongs to example.com.")
    dropped_parameters = models.TextField(
        blank=True, help_text="Query parameters that change nothing on a page, one a line; * is any run of characters."
    )
    encrypted_credentials = models.TextField(blank=True, editable=False, help_text="See crawler.credentials.")
    rendering = models.CharField(
        max_length=10, choices=Rendering, default=Rendering.NEVER, help_text="Pages that a Chromium opens."
    )
    are_drafts_included = models.BooleanField(
        default=False, help_text="Drafts, private and protected posts of a WXR file or of WordPress are read too."
    )
    schedule = models.CharField(
        max_length=100, blank=True, help_text="daily, weekly, monthly, or five cron fields; empty: only when asked."
    )
    next_run_at = models.DateTimeField(null=True, blank=True, db_index=True)
    seconds_between_requests = models.FloatField(default=0.1, help_text="Per host; robots.txt may ask for more.")
    model_name = models.CharField(max_length=200, blank=True, help_text="Empty: chosen from the site's languages.")
    threshold = models.FloatField(
        null=True, blank=True, help_text="Lowest score shown, 0 to 1. Empty: the product's own."
    )
    max_links_per_page = models.PositiveIntegerField(default=10)
    max_links_per_paragraph = models.PositiveIntegerField(
        null=True, blank=True, help_text="New links in one paragraph. Empty: as many as the site's own usually have."
    )
    max_new_links_per_1000_words = models.PositiveIntegerField(
        default=20,
        help_text="Suggestions on a page for each 1,000 of its words; three are allowed on the shortest. 0: no limit.",
    )
    max_new_links_per_target = models.PositiveIntegerField(
        default=25,
        help_text="Suggestions on the whole site that lead to one page, the best ones, or as many as links lead there "
        "already. 0: no limit.",
    )
    orphan_favour = models.FloatField(
        default=0.0,
        validators=(MinValueValidator(0.0), MaxValueValidator(1.0)),
        help_text="0 to 1: how much pages that few link to, or that lie deep, go first among good suggestions. 0: not.",
    )
    is_inline_code_linkable = models.BooleanField(null=True, blank=True, help_text="Empty: learned from the site.")
    is_cross_language_allowed = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Crawl(LeasedRun):
    """One reading of a site. `figures` counts pages by outcome; `error` is one sentence when it failed."""

    work = "read"

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="crawls")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    is_full_asked = models.BooleanField(default=False, help_text="Every page is read anew, changed or not.")
    is_complete = models.BooleanField(null=True, blank=True, help_text="Nothing was left unread; null: not ended.")
    is_held = models.BooleanField(default=False, help_text="It lost too many pages: nothing changes until confirmed.")
    are_losses_confirmed = models.BooleanField(default=False, help_text="An admin says that the pages are gone.")
    live = models.JSONField(default=dict, blank=True, help_text="Counts while it runs: see crawler.live_progress.")

    class Meta:
        ordering = ("-id",)
        constraints = (one_active_run("one_active_crawl"),)

    def __str__(self) -> str:
        return f"crawl {self.pk} of {self.site_id}"


class PageStatus(models.TextChoices):
    NEW = "new", "found, not read yet"
    READ = "read", "read"
    REDIRECT = "redirect", "redirects elsewhere"
    SKIPPED = "skipped", "skipped"
    FAILED = "failed", "could not be read"
    GONE = "gone", "gone"


class Page(models.Model):
    """Every URL ever seen on the site, with what happened to it. Only READ pages carry text."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="pages")
    url = models.CharField(max_length=2000, help_text="Normalized URL.")
    status = models.CharField(max_length=10, choices=PageStatus, default=PageStatus.NEW)
    reason = models.CharField(max_length=500, blank=True, help_text="Why it was skipped, failed or is not a target.")
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)
    redirect_url = models.CharField(max_length=2000, blank=True, help_text="Normalized URL where it ends.")
    canonical_url = models.CharField(max_length=2000, blank=True, help_text="Declared rel=canonical, normalized.")
    is_target = models.BooleanField(
        default=False, help_text="May be recommended as a target (indexable, own canonical)."
    )
    title = models.CharField(max_length=1000, blank=True)
    h1 = models.CharField(max_length=1000, blank=True)
    description = models.TextField(blank=True)
    headings = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=12, blank=True, help_text="Primary subtag, lower case: en, de, zh.")
    hreflang = models.JSONField(default=dict, blank=True, help_text="Language tag to normalized URL.")
    is_important = models.BooleanField(default=False, help_text="An admin marked it: the report tells its PageRank.")
    depth = models.PositiveIntegerField(null=True, blank=True, help_text="Clicks from the start page.")
    is_in_sitemap = models.BooleanField(default=False)
    word_count = models.PositiveIntegerField(default=0)
    content_sha256 = models.CharField(max_length=64, blank=True)
    sitemap_lastmod = models.DateTimeField(null=True, blank=True)
    etag = models.CharField(max_length=300, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    source_key = models.CharField(max_length=100, blank=True, help_text="The source's own: post:12. Empty on the web.")
    source_sha256 = models.CharField(max_length=64, blank=True, help_text="Of the source's raw content.")
    pending_status = models.CharField(
        max_length=10, choices=PageStatus, blank=True, help_text="What it becomes when its crawl ends well."
    )
    pending_reason = models.CharField(max_length=500, blank=True)
    pending_redirect_url = models.CharField(max_length=2000, blank=True)
    missed_crawls = models.PositiveSmallIntegerField(default=0, help_text="Complete crawls in a row without it.")
    response_seconds = models.FloatField(null=True, blank=True, help_text="Of its last answer, from asking to the end.")
    changed_at = models.DateTimeField(null=True, blank=True, help_text="When its text or links last changed.")
    last_crawl = models.ForeignKey(Crawl, null=True, blank=True, on_delete=models.SET_NULL, related_name="pages")
    fetched_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("site", "url"), name="page_once_per_site"),)
        indexes = (models.Index(fields=("site", "status")), models.Index(fields=("site", "source_key")))

    def __str__(self) -> str:
        return self.url


class PageEvent(models.Model):
    """What a crawl found out about a URL that was not known before: its history, newest last."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="events")
    crawl = models.ForeignKey(Crawl, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    status = models.CharField(max_length=10, choices=PageStatus)
    reason = models.CharField(max_length=500, blank=True)
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.status} {self.reason}"


class PageBody(models.Model):
    """A page's main content in reading order, apart from Page so that lists of pages stay light."""

    page = models.OneToOneField(Page, on_delete=models.CASCADE, primary_key=True, related_name="body")
    blocks = models.JSONField(default=list, help_text="extraction.types.Block.to_json of each block, by ordinal.")

    def __str__(self) -> str:
        return f"text of page {self.page_id}"


class Link(models.Model):
    """A link found on a page; `start` and `end` are offsets in its block's text where it stands in one."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="outlinks")
    ordinal = models.PositiveIntegerField()
    target_url = models.CharField(max_length=2000, help_text="Normalized URL as it stands, before redirects.")
    target = models.ForeignKey(
        Page, null=True, blank=True, on_delete=models.SET_NULL, related_name="inlinks", db_index=False
    )
    anchor_text = models.CharField(max_length=1000, blank=True)
    is_editorial = models.BooleanField(default=False, help_text="In main content, and no part of the site's template.")
    is_editorial_on_page = models.BooleanField(default=False, help_text="The same, as far as its page alone can tell.")
    is_nofollow = models.BooleanField(default=False)
    is_in_code = models.BooleanField(default=False)
    block_ordinal = models.PositiveIntegerField(null=True, blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("page", "ordinal"), name="link_once_per_page"),)
        # Orphans and inlinks are read from this index alone; it also finds what a foreign key's own index would.
        indexes = (models.Index(fields=("target", "is_editorial", "page")),)

    def __str__(self) -> str:
        return f"{self.anchor_text} to {self.target_url}"


class Sentence(models.Model):
    """A sentence of a page's main content: `text == block.text[start:end]` of the block with that ordinal."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="sentences")
    ordinal = models.PositiveIntegerField()
    block_ordinal = models.PositiveIntegerField()
    block_kind = models.CharField(max_length=12)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField()
    text_hash = models.CharField(max_length=32, help_text="extraction.types.text_hash of the text.")
    is_boilerplate = models.BooleanField(default=False, help_text="Its block repeats across the site.")

    class Meta:
        ordering = ("page_id", "ordinal")
        constraints = (models.UniqueConstraint(fields=("page", "ordinal"), name="sentence_once_per_page"),)

    def __str__(self) -> str:
        return self.text
