"""Two links per paragraph was the default and nobody's choice: such sites now go by their own links."""

from django.db import migrations, models


def forget_the_old_default(apps, schema_editor):
    apps.get_model("crawler", "Site").objects.filter(max_links_per_paragraph=2).update(max_links_per_paragraph=None)


def choose_the_old_default(apps, schema_editor):
    apps.get_model("crawler", "Site").objects.filter(max_links_per_paragraph=None).update(max_links_per_paragraph=2)


class Migration(migrations.Migration):
    dependencies = [("crawler", "0007_threshold_help")]

    operations = [
        migrations.AlterField(
            model_name="site",
            name="max_links_per_paragraph",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="New links in one paragraph. Empty: as many as the site's own usually have.",
                null=True,
            ),
        ),
        migrations.RunPython(forget_the_old_default, choose_the_old_default),
    ]
