"""The forms that add a site and change its settings: what may be said there, checked before anything is done.

Secrets go in and never come out again. Leaves doing what was said to `site_editing`.
"""

from typing import Any

from django import forms

from crawler.credentials import Credentials, CredentialsUnreadable, read_credentials
from crawler.errors import BadStartUrl
from crawler.models import Rendering, Site, SourceKind
from crawler.schedules import NAMED, BadSchedule, check_schedule
from crawler.site_lines import complaint_of_parameter, complaint_of_pattern
from crawler.sites import check_start_url
from crawler.source_files import BadSourceFile, address_in_file
from recommendations.forms import SiteSettingsForm
from recommendations.site_form_lines import clean_lines, parse_headers

CRON = "cron"
OF_FILES = (SourceKind.LIST, SourceKind.WXR)
READING_FIELDS = (
    "source_kind", "max_pages", "include_patterns", "exclude_patterns", "are_subdomains_included",
    "dropped_parameters", "rendering", "are_drafts_included",
)  # fmt: skip
RANKING_FIELDS = (
    "model_name", "threshold", "max_links_per_page", "max_links_per_paragraph", "max_new_links_per_1000_words",
    "max_new_links_per_target", "orphan_favour", "is_inline_code_linkable", "is_cross_language_allowed",
)  # fmt: skip
_SCHEDULES = (
    ("", "only when asked"),
    ("daily", "every day"),
    ("weekly", "every week, on Monday"),
    ("monthly", "every month, on the first"),
    (CRON, "by a cron expression"),
)
_TEXT = {"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}


def _lines(rows: int = 3, **attributes: str) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, **_TEXT, **attributes})


class ReadingForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a site is read: way in, access, scope, schedule. What adding and changing a site have in common."""

    source_kind = forms.ChoiceField(
        label="Where its pages come from", choices=SourceKind.choices, required=False, widget=forms.RadioSelect,
        initial=SourceKind.WEB,
    )  # fmt: skip
    upload = forms.FileField(label="File", required=False, max_length=1000)
    username = forms.CharField(
        label="User name",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={**_TEXT}),
        help_text="Only where the site asks for one: a staging site, or a WordPress whose drafts are to be read.",
    )
    password = forms.CharField(
        label="Password", required=False, max_length=500, strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="Kept encrypted, sent to the site's own address alone, and never shown again. For WordPress an "
        "application password.",
    )  # fmt: skip
    headers = forms.CharField(
        label="Extra headers", required=False, max_length=100_000, widget=_lines(placeholder="X-Staging-Key: abc123"),
        help_text="Sent with every request to the site, one a line. Their values are never shown again.",
    )  # fmt: skip
    removes_password = forms.BooleanField(label="Remove the user name and password", required=False)
    removes_headers = forms.BooleanField(label="Remove the extra headers", required=False)
    rendering = forms.ChoiceField(
        label="Open in a browser", choices=Rendering.choices, required=False,
        help_text="For sites that build their text with JavaScript. Needs a Chromium on the server.",
    )  # fmt: skip
    schedule_kind = forms.ChoiceField(label="Read it again", choices=_SCHEDULES, required=False)
    cron = forms.CharField(
        label="Cron expression", required=False, max_length=100,
        widget=forms.TextInput(attrs={**_TEXT, "placeholder": "30 4 * * 1-5"}),
        help_text="Minute, hour, day, month, day of the week. Used where “by a cron expression” is chosen.",
    )  # fmt: skip
    is_followed = forms.BooleanField(label="Tell me when a scheduled run has ended", required=False, initial=True)
    max_pages = forms.IntegerField(
        label="Read at most", required=False, min_value=1, max_value=1_000_000,
        widget=forms.NumberInput(attrs={"placeholder": "100000"}),
    )  # fmt: skip

    class Meta:
        model = Site
        fields: tuple[str, ...] = READING_FIELDS
        labels = {
            "include_patterns": "Read only",
            "exclude_patterns": "Do not read",
            "are_subdomains_included": "Subdomains belong to the site",
            "dropped_parameters": "Query parameters to drop",
            "are_drafts_included": "Read drafts and protected posts too",
        }
        help_texts = {
            "include_patterns": "One pattern a line: /blog/ is what begins so. * is any run of characters, $ the end. "
            "Empty: everything.",
            "exclude_patterns": "One pattern a line, such as /print/ or *.php$ or *?replytocom=.",
            "are_drafts_included": "Of a WordPress or its export, as far as the user name may see them.",
        }
        widgets = {
            "include_patterns": _lines(),
            "exclude_patterns": _lines(),
            "dropped_parameters": _lines(2),
        }

    stored: Credentials = Credentials()
    unreadable: str = ""
    address_in_upload: str = ""

    def __init__(self, *args: Any, too_large_upload: str = "", upload_limit_mb: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._too_large_upload, self._upload_limit_mb = too_large_upload, upload_limit_mb
        self.fields["upload"].help_text = (
            f"At most {upload_limit_mb:,} MB. An export of WordPress (Tools, Export, All content), or a text or CSV "
            "file with one address a line."
        )
        if self.instance.pk:
            self._show_what_is_stored()

    def _show_what_is_stored(self) -> None:
        try:
            self.stored = read_credentials(self.instance)
        except CredentialsUnreadable as error:
            self.unreadable = str(error)
        schedule = self.instance.schedule
        kind = schedule if schedule in ("", *NAMED) else CRON
        self.initial = {
            **self.initial,
            "username": self.stored.username,
            "schedule_kind": kind,
            "cron": schedule if kind == CRON else "",
        }

    def clean_source_kind(self) -> str:
        return self.cleaned_data["source_kind"] or SourceKind.WEB

    def clean_max_pages(self) -> int:
        value = self.cleaned_data["max_pages"]
        default: int = self.instance.max_pages
        return default if value is None else int(value)

    def clean_include_patterns(self) -> str:
        return clean_lines(self.cleaned_data["include_patterns"], complaint_of_pattern)

    def clean_exclude_patterns(self) -> str:
        return clean_lines(self.cleaned_data["exclude_patterns"], complaint_of_pattern)

    def clean_dropped_parameters(self) -> str:
        return clean_lines(self.cleaned_data["dropped_parameters"], complaint_of_parameter)

    def clean_rendering(self) -> str:
        return self.cleaned_data["rendering"] or str(self.instance.rendering)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self._clean_upload(data)
        self._clean_access(data)
        self._clean_schedule(data)
        return data

    def _clean_upload(self, data: dict[str, Any]) -> None:
        kind, upload = data.get("source_kind"), data.get("upload")
        if self._too_large_upload:
            self.add_error(
                "upload",
                f"{self._too_large_upload} is larger than {self._upload_limit_mb:,} MB. Export it in parts, or have "
                "LINKREC_MAX_UPLOAD_MB raised.",
            )
        elif kind not in OF_FILES or "upload" in self.errors:
            data["upload"] = None
        elif upload:
            try:
                self.address_in_upload = address_in_file(str(kind), upload, upload.name)
            except BadSourceFile as error:
                self.add_error("upload", str(error))
        elif not self.instance.source_file or kind != self.instance.source_kind:
            self.add_error("upload", "Choose the file that the pages are read from.")

    def _clean_access(self, data: dict[str, Any]) -> None:
        said = ("username", "password", "headers", "removes_password", "removes_headers")
        if self.unreadable and not any(data.get(name) for name in said):
            # Perhaps the old key comes back.
            data["credentials"] = None
            return
        removes = data.get("removes_password")
        password = data.get("password") or ("" if removes else self.stored.password)
        username = "" if removes and not data.get("password") else data.get("username", "")
        if password and not username and not removes:
            self.add_error("username", "A password needs its user name.")
        if ":" in username:
            self.add_error("username", f"The user name {username!r} holds a colon, which cannot be sent.")
        headers = {} if data.get("removes_headers") else self.stored.headers
        try:
            if data.get("headers"):
                headers = parse_headers(data["headers"], has_password=bool(username))
        except forms.ValidationError as error:
            self.add_error("headers", error)
        data["credentials"] = Credentials(username, password, headers)

    def _clean_schedule(self, data: dict[str, Any]) -> None:
        kind = data.get("schedule_kind", "")
        if kind == CRON and not data.get("cron", "").strip():
            self.add_error("cron", "Write the cron expression, such as 30 4 * * 1-5, or choose another schedule.")
            return
        try:
            data["schedule"] = check_schedule(data.get("cron", "") if kind == CRON else kind)
        except BadSchedule as error:
            self.add_error("cron", str(error))


class SiteForm(ReadingForm):
    """A new site: one address is enough, or a file that names it."""

    url = forms.CharField(
        label="Address of the site", required=False, max_length=2000,
        widget=forms.TextInput(
            attrs={**_TEXT, "inputmode": "url", "placeholder": "https://example.com", "autocomplete": "url"}
        ),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        url = data.get("url", "").strip() or self.address_in_upload
        if url:
            try:
                data["url"] = check_start_url(url)
            except BadStartUrl as error:
                self.add_error("url", str(error))
        elif data.get("source_kind") not in OF_FILES:
            self.add_error("url", "The address of the site is required, such as https://example.com.")
        elif "upload" not in self.errors:
            self.add_error("url", "The file does not say which site it is of. Enter the site's address.")
        return data


class SiteSettingsPageForm(ReadingForm, SiteSettingsForm):
    """Everything that can be changed about a site, but for its address."""

    is_inline_code_linkable = forms.TypedChoiceField(
        label="Links on inline code", required=False, empty_value=None, coerce=lambda value: value == "yes",
        choices=(("", "as the site itself does"), ("yes", "yes"), ("no", "no")),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["is_inline_code_linkable"] = {True: "yes", False: "no"}.get(self.instance.is_inline_code_linkable)

    class Meta(ReadingForm.Meta):
        fields: tuple[str, ...] = ("name", *READING_FIELDS, "seconds_between_requests", *RANKING_FIELDS)
        labels = {
            **ReadingForm.Meta.labels,
            "seconds_between_requests": "Seconds between two requests",
            "model_name": "Embedding model",
            "threshold": "Threshold",
            "is_cross_language_allowed": "Links between languages",
        }
