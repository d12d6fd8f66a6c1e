"""`manage.py embed_site`: one line of figures, a finished run, or one sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from crawler.leases import RunStatus
from embeddings.models import EmbeddingRun
from tests.embeddings.counting_encoder import CountingEncoder
from tests.factories import make_page, make_site

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("embeddings.services.open_encoder", CountingEncoder)
    monkeypatch.setattr("embeddings.management.commands.embed_site.prepare_data_directory", lambda: None)
    with override_settings(LINKREC_DATA_DIR=tmp_path):
        yield


@pytest.mark.parametrize("by", ["id", "url"])
def test_embeds_and_says_so(by: str, capsys: pytest.CaptureFixture[str]) -> None:
    site = make_site()
    make_page(site, "a", "One.\nTwo.")
    call_command("embed_site", str(site.pk) if by == "id" else site.start_url)
    output = capsys.readouterr()
    assert output.out.startswith(f"2 sentences embedded and 0 reused on 1 pages of {site.start_url} in ")
    assert "embed" in output.err, "the progress bar is on stderr"
    run = EmbeddingRun.objects.get(site=site)
    assert (run.status, run.figures["embedded"], run.model_name) == (RunStatus.DONE, 2, "all-MiniLM-L6-v2")


def test_the_model_may_be_named() -> None:
    site = make_site()
    make_page(site, "a", "One.")
    call_command("embed_site", str(site.pk), "--model", "a/b")
    assert EmbeddingRun.objects.get(site=site).figures["model_name"] == "a/b"


def test_failures_are_one_sentence() -> None:
    site = make_site()
    with pytest.raises(CommandError, match="has no text to embed"):
        call_command("embed_site", str(site.pk))
    assert EmbeddingRun.objects.get(site=site).status == RunStatus.FAILED
    with pytest.raises(CommandError, match=r"There is no site 'https://nowhere\.example/'"):
        call_command("embed_site", "https://nowhere.example/")
