"""Two real workers on one database: a schedule that is due starts one run, and those who follow it are told once."""

from tests.operations.installation import Installation

RUN = "recommendations_recommendationrun"
DUE = """
from datetime import timedelta
from django.contrib.auth import get_user_model
from django.utils import timezone
from accounts.models import SiteFollower
person = get_user_model().objects.create_user("edith")
for number in range(5):
    site = Site.objects.create(name=f"count {number}", start_url=f"http://127.0.0.1/{number}", schedule="daily",
                               next_run_at=timezone.now() + timedelta(seconds=4))
    SiteFollower.objects.create(person=person, site=site)
"""


def test_two_workers_start_a_due_site_once_and_tell_once(installation: Installation) -> None:
    for _ in range(2):
        installation.start_worker()
    installation.do(DUE)
    installation.wait_for(
        "runs of all five", lambda: installation.rows(f"SELECT count(*) FROM {RUN} WHERE status = 'done'") == [(5,)]
    )
    installation.wait_for(
        "notices", lambda: installation.rows("SELECT count(*) FROM accounts_notice WHERE kind = 'done'")[0][0] >= 5
    )
    assert installation.rows(f"SELECT count(*), count(DISTINCT site_id) FROM {RUN}") == [(5, 5)]
    assert installation.rows("SELECT count(*), count(DISTINCT site_id) FROM accounts_notice") == [(5, 5)]
    assert installation.rows("SELECT count(*) FROM crawler_site WHERE next_run_at > datetime('now', '+1 minute')") == [
        (5,)
    ]
