"""A reviewed site for the tests of pages and API: one source page, two targets, one finished run."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from crawler.models import Page, Site
from recommendations.models import Recommendation, RecommendationRun
from tests.factories import make_page, make_recommendation, make_run, make_site, make_user

TEXT = "Truing a wheel takes an hour and a spoke key.\nA clean chain is a quiet chain."


@dataclass
class Reviewed:
    site: Site
    run: RecommendationRun
    source: Page
    target: Page
    row: Recommendation
    second: Recommendation


@pytest.fixture
def reviewed(db: None) -> Reviewed:
    run = make_run(make_site("Workshop"))
    source, target = make_page(run.site, "wheels", TEXT), make_page(run.site, "spokes", "Spokes.")
    other = make_page(run.site, "chains", "Chains.")
    return Reviewed(
        site=run.site,
        run=run,
        source=source,
        target=target,
        row=make_recommendation(run, source, target, "spoke key", score=0.9),
        second=make_recommendation(run, source, other, "quiet chain", block=1, score=0.4),
    )


def _client(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def editor(db: None) -> Any:
    return make_user("edith")


@pytest.fixture
def as_editor(editor: Any) -> Client:
    return _client(editor)


@pytest.fixture
def as_admin(db: None) -> Client:
    return _client(make_user("ada", is_admin=True))
