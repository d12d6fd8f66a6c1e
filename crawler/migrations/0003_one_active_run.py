"""A site has one run of a kind that waits or works; what else waits is stopped first."""

from typing import Any

from django.db import migrations, models


def stop_doubles(apps: Any, schema_editor: Any) -> None:
    """Of several active runs of a site the newest stays."""
    rows = apps.get_model("crawler", "Crawl").objects.filter(status__in=("queued", "running"))
    kept = set()
    for pk, site_id in rows.order_by("-pk").values_list("pk", "site_id"):
        if site_id in kept:
            rows.filter(pk=pk).update(status="stopped", error="A newer run of the site took its place.")
        kept.add(site_id)


class Migration(migrations.Migration):
    dependencies = [("crawler", "0002_link_is_editorial_on_page")]

    operations = [
        migrations.RunPython(stop_doubles, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="crawl",
            constraint=models.UniqueConstraint(
                fields=("site",), condition=models.Q(status__in=("queued", "running")), name="one_active_crawl"
            ),
        ),
    ]
