"""What forms and addresses may say: checked here, before anything is done."""

from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from crawler.errors import BadStartUrl
from crawler.models import PageStatus, Site
from crawler.sites import check_start_url
from embeddings.model_names import BUNDLED, may_be_typed
from recommendations.models import RejectReason, Status
from recommendations.selectors_pages import ORPHANS, SORTS, PageFilter

LONGEST_QUERY = 200
#: Seconds between two requests: a slower crawl of any site would never end.
LONGEST_WAIT = 600
#: What a rejection bars, told when it is made (see `rejections`).
REASON_CONSEQUENCES = {
    RejectReason.IRRELEVANT_TARGET: "This target is not suggested on this page again.",
    RejectReason.BAD_ANCHOR: "These words are not suggested for this target again; others may be.",
    RejectReason.WRONG_PLACE: "This sentence is not suggested for this target again; another may be.",
    RejectReason.ALREADY_COVERED: "This target is not suggested on this page again.",
    RejectReason.WRONG_MEANING: "These words are not suggested for this target again; others may be.",
    RejectReason.OTHER: "This target is not suggested on this page again.",
}


class SiteNameForm(forms.ModelForm):  # type: ignore[type-arg]
    """A site's name."""

    class Meta:
        model = Site
        fields = ("name",)


class SiteSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """A site in the admin: its address as the crawler knows it, a model that a browser may name."""

    threshold = forms.FloatField(
        required=False, min_value=0, max_value=1, help_text=Site._meta.get_field("threshold").help_text
    )
    seconds_between_requests = forms.FloatField(
        min_value=0,
        max_value=LONGEST_WAIT,
        initial=0.1,
        help_text=Site._meta.get_field("seconds_between_requests").help_text,
    )

    class Meta:
        model = Site
        fields = (
            "name", "start_url", "max_pages", "seconds_between_requests", "model_name", "threshold",
            "max_links_per_page", "max_links_per_paragraph", "max_new_links_per_1000_words",
            "max_new_links_per_target", "orphan_favour", "is_inline_code_linkable", "is_cross_language_allowed",
        )  # fmt: skip

    def clean_start_url(self) -> str:
        try:
            return check_start_url(self.cleaned_data["start_url"])
        except BadStartUrl as error:
            raise forms.ValidationError(str(error)) from error

    def clean_model_name(self) -> str:
        name: str = self.cleaned_data["model_name"].strip()
        if name and not may_be_typed(name):
            raise forms.ValidationError(
                f"{name!r} is no model that can be chosen here. Use {' or '.join(BUNDLED)}, "
                "or a name like owner/model; for a folder, set LINKREC_MODEL."
            )
        return name


class DecisionForm(forms.Form):
    """One decision about one suggestion, with the status that the person saw."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("accept", "reject", "undo", "anchor")])
    expected = forms.ChoiceField(choices=Status.choices)
    reason = forms.ChoiceField(choices=RejectReason.choices, required=False)
    words = forms.CharField(required=False, max_length=2000, strip=False)
    choice = forms.CharField(required=False, max_length=2000, strip=False)
    direction = forms.ChoiceField(choices=[(name, name) for name in ("out", "in", "site")], required=False)


def read_page_filter(data: "MultiValueDict[str, str]") -> PageFilter:
    """The filter that an address names; what it does not know is as if it were not said."""

    def one_of(name: str, allowed: Any, default: str) -> str:
        value = data.get(name, "")
        return value if value in allowed else default

    return PageFilter(
        q=data.get("q", "").replace("\0", "").strip()[:LONGEST_QUERY],
        status=one_of("status", {*PageStatus.values, "all"}, PageStatus.READ),
        suggestions=one_of("suggestions", {*Status.values, "any", "none"}, ""),
        language=data.get("language", "").replace("\0", "").strip()[:12],
        orphan=one_of("orphan", ORPHANS, ""),
        reason=data.get("reason", "").replace("\0", "").strip()[:LONGEST_QUERY],
        is_important=data.get("important", "") == "1",
        sort=one_of("sort", SORTS, "waiting"),
    )
