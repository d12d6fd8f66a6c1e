"""What is recommended, what people decided and what the report lists: RecommendationRun, Recommendation, Decision,
SiteReport, ReportRow."""

import hashlib

from django.conf import settings
from django.db import models

from crawler.leases import LeasedRun, one_active_run
from crawler.models import Crawl, Page, Site
from embeddings.models import EmbeddingRun


class RecommendationRun(LeasedRun):
    """One ranking of a whole site. `crawl` and `embedding_run` are the earlier stages of the same chain, if any."""

    work = "searched for links"

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="recommendation_runs")
    crawl = models.ForeignKey(
        Crawl, null=True, blank=True, on_delete=models.SET_NULL, related_name="recommendation_runs"
    )
    embedding_run = models.ForeignKey(
        EmbeddingRun, null=True, blank=True, on_delete=models.SET_NULL, related_name="recommendation_runs"
    )
    model_name = models.CharField(max_length=200, blank=True)
    options = models.JSONField(default=dict, blank=True, help_text="top, threshold, full as asked for; who else asked.")
    model_card = models.JSONField(
        default=dict, blank=True, help_text="What ranked it: weights, where they come from, how well they did."
    )
    is_told = models.BooleanField(default=False, help_text="The people who asked were told how it ended.")
    are_words_settled = models.BooleanField(
        default=False, help_text="Every page was ranked and each anchor text has its one target."
    )

    class Meta:
        ordering = ("-id",)
        constraints = (one_active_run("one_active_recommendation_run"),)

    def __str__(self) -> str:
        return f"recommendations {self.pk} of {self.site_id}"


class Status(models.TextChoices):
    PENDING = "pending", "pending"
    ACCEPTED = "accepted", "accepted"
    REJECTED = "rejected", "rejected"
    APPLIED = "applied", "applied"
    REMOVED = "removed", "removed"
    STALE = "stale", "stale"


class RejectReason(models.TextChoices):
    IRRELEVANT_TARGET = "irrelevant_target", "irrelevant target"
    BAD_ANCHOR = "bad_anchor", "bad anchor"
    WRONG_PLACE = "wrong_place", "wrong place"
    ALREADY_COVERED = "already_covered", "already covered"
    WRONG_MEANING = "wrong_meaning", "wrong meaning"
    OTHER = "other", "other"


class Placement(models.Model):
    """Where a link stands or would stand: shared by Recommendation and Decision, so that each is whole alone."""

    anchor_text = models.CharField(max_length=500)
    sentence = models.TextField()
    sentence_hash = models.CharField(max_length=32)
    sentence_start = models.PositiveIntegerField(help_text="Offset of the sentence in its block's text.")
    anchor_start = models.PositiveIntegerField(help_text="Offset of the anchor in its sentence.")
    context_before = models.CharField(max_length=300, blank=True)
    context_after = models.CharField(max_length=300, blank=True)
    block = models.PositiveIntegerField(help_text="Ordinal of the block in the main content.")
    block_sha256 = models.CharField(max_length=64)
    match_index = models.PositiveIntegerField(
        help_text="0-based, among the anchor's occurrences in the block's linkable text."
    )

    class Meta:
        abstract = True


class Recommendation(Placement):
    """A link that is proposed: one row a source and target in a run. `status` mirrors the decision, if any."""

    run = models.ForeignKey(RecommendationRun, on_delete=models.CASCADE, related_name="recommendations")
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="recommendations")
    source = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="recommendations")
    target = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="recommended_inlinks")
    score = models.FloatField()
    rank = models.PositiveIntegerField(help_text="1-based, among the source's recommendations.")
    reasons = models.JSONField(default=list, help_text="Plain sentences, strongest first.")
    alternatives = models.JSONField(default=list, help_text="[{anchor_text, anchor_start, score}], best first.")
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)

    class Meta:
        ordering = ("source_id", "rank")
        constraints = (models.UniqueConstraint(fields=("run", "source", "target"), name="target_once_per_source"),)
        indexes = (
            models.Index(fields=("run", "status", "-score")),
            # Counts by status of a page's suggestions, out of it and into it: read from the index alone.
            models.Index(fields=("run", "source", "status")),
            models.Index(fields=("run", "target", "status")),
        )

    def __str__(self) -> str:
        return f"{self.anchor_text} ({self.source_id} to {self.target_id})"


def decision_key(source_url: str, target_url: str, anchor_text: str, sentence_hash: str) -> str:
    """64 hex digits that name a decision: two 2,000-character URLs do not fit into a PostgreSQL index row."""
    return hashlib.sha256("\n".join((source_url, target_url, anchor_text, sentence_hash)).encode()).hexdigest()


class Decision(Placement):
    """What a person decided; outlives runs. Keyed by site, normalized source and target, anchor and sentence hash."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="decisions")
    key = models.CharField(max_length=64, help_text="decision_key of source, target, anchor and sentence hash.")
    source_url = models.CharField(max_length=2000)
    target_url = models.CharField(max_length=2000)
    status = models.CharField(max_length=10, choices=Status)
    reason = models.CharField(max_length=20, choices=RejectReason, blank=True)
    score = models.FloatField(default=0)
    reasons = models.JSONField(default=list, blank=True, help_text="As they were shown when it was decided.")
    alternatives = models.JSONField(default=list, blank=True)
    proposed_anchor = models.JSONField(
        default=dict,
        blank=True,
        help_text="{anchor_text, anchor_start}: the engine's own, where an editor chose other words.",
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    decided_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("site", "key"), name="decision_once"),)

    def __str__(self) -> str:
        return f"{self.status}: {self.source_url} to {self.target_url}"


class SiteReport(models.Model):
    """The lists of a site's report as one crawl left it; a newer one takes its place when it is whole."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="reports")
    crawl = models.ForeignKey(Crawl, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    run = models.ForeignKey(RecommendationRun, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_whole = models.BooleanField(default=False, help_text="Every list is written; others are shown to nobody.")
    counts = models.JSONField(default=dict, help_text="By list: rows in all, by kind, by place.")
    figures = models.JSONField(default=dict, help_text="What the charts show, and notes on what could not be told.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"report {self.pk} of {self.site_id}"


class ReportRow(models.Model):
    """One row of one list of a report. Its cells are named by the columns that report.sections gives the list."""

    report = models.ForeignKey(SiteReport, on_delete=models.CASCADE, related_name="rows", db_index=False)
    section = models.CharField(max_length=24)
    ordinal = models.PositiveIntegerField(help_text="Its place in the list's own order.")
    kind = models.CharField(max_length=16, blank=True)
    place = models.CharField(max_length=8, blank=True, help_text="content or menu, in lists of links.")
    group = models.PositiveBigIntegerField(null=True, blank=True, help_text="What rows share: a target, a cluster.")
    text = models.TextField(help_text="What a search looks through, in lower case.")
    cells = models.JSONField()
    # Runs hold hundreds of thousands of suggestions: with any other rule Django would gather them all to delete one.
    recommendation = models.ForeignKey(
        Recommendation, null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    class Meta:
        ordering = ("ordinal",)
        indexes = (
            models.Index(fields=("report", "section", "ordinal"), name="report_row_order"),
            models.Index(fields=("report", "section", "kind", "ordinal"), name="report_row_kind"),
            models.Index(fields=("report", "section", "group", "ordinal"), name="report_row_group"),
        )

    def __str__(self) -> str:
        return f"{self.section} {self.ordinal}"


class FrozenRanking(models.Model):
    """What the site's next runs go on with: learned weights, and what the pages were when the last run ended."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, primary_key=True, related_name="frozen_ranking")
    run_number = models.BigIntegerField(help_text="The run that ended last with it; RankedSource names the same.")
    key = models.CharField(max_length=64, help_text="Of engine, model and options: another key is not gone on with.")
    learned = models.BinaryField(help_text="Compressed JSON, written by a run over everything.")
    snapshot = models.BinaryField(help_text="Compressed JSON, written by every run.")

    def __str__(self) -> str:
        return f"frozen ranking of {self.site_id}"


class RankedSource(models.Model):
    """How a page's links came about, so that a run in which nothing about them changes need not find them again."""

    page = models.OneToOneField(Page, on_delete=models.CASCADE, primary_key=True, related_name="ranked_source")
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="ranked_sources")
    run_number = models.BigIntegerField()
    fingerprint = models.CharField(max_length=64, help_text="Of all of the page's own that its links depend on.")
    text = models.BinaryField(help_text="engine.remembered.RememberedText")
    page_values = models.BinaryField(help_text="Its two names' vectors and its signature.")
    placed = models.JSONField(
        default=list, help_text="[{target, sentence_number, fields}] of links that found a place."
    )
    targets = models.JSONField(default=list, help_text="Ids of the pages that were tried, in that order.")
    pairs = models.BinaryField(help_text="Compressed JSON: what each of them met on the page.")

    def __str__(self) -> str:
        return f"ranked source {self.page_id}"
