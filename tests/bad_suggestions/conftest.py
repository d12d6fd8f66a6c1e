"""Lets a module run the pipeline once for all of its tests."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.bad_suggestions.whole_run import Outcome, recommend_whole_site


@pytest.fixture(scope="session")
def whole_run(django_db_setup: None, django_db_blocker: Any) -> Callable[..., Outcome]:
    """`recommend_whole_site` with the database open; for fixtures of module scope."""

    def run(*args: Any, **values: Any) -> Outcome:
        with django_db_blocker.unblock():
            return recommend_whole_site(*args, **values)

    return run
