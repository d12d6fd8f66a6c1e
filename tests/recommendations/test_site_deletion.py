"""Deleting a site takes rows and vectors along, and waits for nobody's run to be pulled from under it."""

from pathlib import Path
from typing import Any

import pytest

from crawler.models import Link, Page, Sentence, Site
from recommendations import site_deletion
from recommendations.decisions import accept
from recommendations.errors import PipelineConflict
from recommendations.models import Decision, Recommendation
from recommendations.site_deletion import delete_site
from tests.factories import make_link, make_page, make_pipeline, make_user
from tests.recommendations.conftest import Reviewed


@pytest.fixture
def vectors(reviewed: Reviewed, settings: Any, tmp_path: Path) -> Path:
    settings.LINKREC_DATA_DIR = tmp_path
    folder = tmp_path / "vectors" / str(reviewed.site.pk)
    folder.mkdir(parents=True)
    (folder / "pages.vectors").write_bytes(b"vectors")
    return folder


def test_rows_and_vectors_go_and_other_sites_stay(
    reviewed: Reviewed, vectors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_deletion, "_PAGES_AT_ONCE", 2)
    make_link(reviewed.source, reviewed.target)
    accept(reviewed.row.pk, user=make_user(), expected_status="pending")
    other = make_page(make_pipeline(Site.objects.create(name="Other"), "done", "done", "done").site, text="Stays.")
    delete_site(reviewed.site.pk)
    assert list(Site.objects.all()) == [other.site]
    assert list(Page.objects.all()) == [other]
    assert Sentence.objects.count() == 1
    assert not any(model._default_manager.exists() for model in (Link, Recommendation, Decision))
    assert not vectors.exists()


@pytest.mark.parametrize("statuses", [("running", "queued", "queued"), ("done", "done", "queued")])
def test_a_site_at_work_is_not_deleted(reviewed: Reviewed, vectors: Path, statuses: tuple[str, str, str]) -> None:
    make_pipeline(reviewed.site, *statuses)
    with pytest.raises(PipelineConflict, match="Stop its run"):
        delete_site(reviewed.site.pk)
    assert reviewed.site.pages.count() == 3
    assert vectors.exists()
