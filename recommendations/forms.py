"""What forms and addresses may say: checked here, before anything is done."""

from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from crawler.models import PageStatus
from recommendations.models import RejectReason, Status
from recommendations.selectors_pages import SORTS, PageFilter

REASON_HELP = {
    RejectReason.IRRELEVANT_TARGET: "this target does not belong on this page",
    RejectReason.BAD_ANCHOR: "other words, please",
    RejectReason.WRONG_PLACE: "another sentence, please",
    RejectReason.ALREADY_COVERED: "the page needs no such link",
    RejectReason.WRONG_MEANING: "the words mean something else here",
    RejectReason.OTHER: "do not suggest it again",
}
REASON_CHOICES = [(reason.value, f"{reason.label}: {REASON_HELP[reason]}") for reason in RejectReason]


class SiteForm(forms.Form):
    """A new site: its address; the rest is found by reading it."""

    url = forms.CharField(
        label="Address of the site",
        max_length=2000,
        widget=forms.TextInput(
            attrs={
                "inputmode": "url",
                "placeholder": "https://example.com",
                "autocomplete": "url",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )
    max_pages = forms.IntegerField(
        label="Read at most",
        required=False,
        min_value=1,
        max_value=1_000_000,
        widget=forms.NumberInput(attrs={"placeholder": "100000"}),
    )

    def clean_url(self) -> str:
        url = self.cleaned_data["url"].strip()
        return url if "://" in url else f"https://{url}"


class DecisionForm(forms.Form):
    """One decision about one suggestion, with the status that the person saw."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("accept", "reject", "undo", "anchor")])
    expected = forms.ChoiceField(choices=Status.choices)
    reason = forms.ChoiceField(choices=RejectReason.choices, required=False)
    words = forms.CharField(required=False, max_length=2000, strip=False)
    choice = forms.CharField(required=False, max_length=2000, strip=False)
    direction = forms.ChoiceField(choices=[("out", "out"), ("in", "in")], required=False)


def read_page_filter(data: "MultiValueDict[str, str]") -> PageFilter:
    """The filter that an address names; what it does not know is as if it were not said."""

    def one_of(name: str, allowed: Any, default: str) -> str:
        value = data.get(name, "")
        return value if value in allowed else default

    return PageFilter(
        q=data.get("q", "").strip()[:200],
        status=one_of("status", {*PageStatus.values, "all"}, PageStatus.READ),
        suggestions=one_of("suggestions", {*Status.values, "any", "none"}, ""),
        language=data.get("language", "").strip()[:12],
        is_orphan=data.get("orphan", "") == "1",
        sort=one_of("sort", SORTS, "waiting"),
    )
