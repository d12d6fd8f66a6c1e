"""Does what the forms of a site say: makes the site, keeps its settings, secrets and file. Checked by site_forms."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from accounts.models import SiteFollower
from crawler.credentials import store_credentials
from crawler.models import Site
from crawler.sites import get_or_create_site
from crawler.source_files import drop_source_file, keep_source_file
from recommendations.scheduled_runs import plan_next_run
from recommendations.site_forms import OF_FILES, READING_FIELDS, SiteForm, SiteSettingsPageForm


def add_site(form: SiteForm, person: Any) -> tuple[Site, bool]:
    """The site that the form describes, and whether it is new; one that is known already stays as it is."""
    with transaction.atomic():
        known = Site.objects.filter(start_url=form.cleaned_data["url"]).first()
        if known is not None:
            return known, False
        site = get_or_create_site(form.cleaned_data["url"])
        for name in READING_FIELDS:
            setattr(site, name, form.cleaned_data[name])
        _keep(site, form.cleaned_data, person, READING_FIELDS)
    return site, True


def change_site(form: SiteSettingsPageForm, person: Any) -> Site:
    """Keep what the form says."""
    with transaction.atomic():
        site: Site = form.save(commit=False)
        _keep(site, form.cleaned_data, person, form._meta.fields or ())
    return site


def _keep(site: Site, data: dict[str, Any], person: Any, fields: Iterable[str]) -> None:
    # Only what was said: a worker may move `next_run_at` at the same time, and would start the run a second time.
    columns = {*fields}
    if data["schedule"] != site.schedule or (data["schedule"] and site.next_run_at is None):
        site.schedule = data["schedule"]
        plan_next_run(site)
        columns |= {"schedule", "next_run_at"}
    if site.source_kind not in OF_FILES:
        drop_source_file(site)
        site.source_file = ""
        columns.add("source_file")
    site.save(update_fields=columns)
    if data["is_followed"] and site.schedule:
        SiteFollower.objects.get_or_create(person=person, site=site)
    else:
        SiteFollower.objects.filter(person=person, site=site).delete()
    if data["credentials"] is not None:
        store_credentials(site, data["credentials"])
    if data.get("upload"):
        # Last, so that what fails before leaves no file behind.
        keep_source_file(site, data["upload"])
