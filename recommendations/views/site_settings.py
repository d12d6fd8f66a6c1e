"""What an admin changes about a site as a whole: its settings, its name, and whether it stays."""

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts.access import can_manage, visible_sites
from crawler.models import Site
from recommendations.errors import RecommendationError
from recommendations.forms import SiteNameForm
from recommendations.selectors_sites import site_figures
from recommendations.site_deletion import delete_site
from recommendations.site_editing import change_site
from recommendations.site_forms import SiteSettingsPageForm
from recommendations.views.sites import upload_limits


@require_http_methods(["GET", "POST"])
def site_settings_page(request: HttpRequest, site_id: int) -> HttpResponse:
    """Everything but the address. Secrets are not shown again."""
    site = _managed(request, site_id)
    is_followed = not site.schedule or site.followers.filter(person_id=request.user.pk).exists()
    form = SiteSettingsPageForm(
        request.POST or None,
        request.FILES or None,
        instance=site,
        initial={"is_followed": is_followed},
        **upload_limits(request),
    )
    if request.method == "POST" and form.is_valid():
        site = change_site(form, request.user)
        messages.success(request, f"The settings of {site.name} are kept. They hold from its next run on.")
        return redirect("site", site_id)
    context = {"site": get_object_or_404(Site, pk=site_id), "form": form, "time_zone": settings.TIME_ZONE}
    status = 422 if form.errors else 200
    return render(request, "recommendations/site_settings.html", context, status=status)


@require_http_methods(["GET", "POST"])
def site_rename(request: HttpRequest, site_id: int) -> HttpResponse:
    """The name that people read; the address stays."""
    site = _managed(request, site_id)
    form = SiteNameForm(request.POST or None, instance=site)
    if request.method == "POST" and form.is_valid():
        form.save(commit=False).save(update_fields=["name"])
        messages.success(request, f"The site is called {site.name} now.")
        return redirect("site", site_id)
    context = {"site": get_object_or_404(Site, pk=site_id), "form": form}
    return render(request, "recommendations/site_rename.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def site_remove(request: HttpRequest, site_id: int) -> HttpResponse:
    """Say what would be lost; on POST lose it."""
    site = _managed(request, site_id)
    if request.method == "POST":
        try:
            delete_site(site_id)
        except RecommendationError as error:
            messages.error(request, str(error))
            return redirect("site", site_id)
        messages.success(request, f"{site.name} was removed with all that was known of it.")
        return redirect("sites")
    figures = site_figures(visible_sites(request.user).filter(pk=site_id))[0]
    return render(request, "recommendations/site_remove.html", {"site": site, "figures": figures})


def _managed(request: HttpRequest, site_id: int) -> Site:
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    if not can_manage(request.user, site):
        raise PermissionDenied("Only admins change and remove sites.")
    return site
