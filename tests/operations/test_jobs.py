"""What becomes of a run when its worker is stopped, killed, refused or asked to stop. Services are stand-ins."""

import os
import signal

import redis

from tests.operations.installation import LEASE_SECONDS, Installation, children_of, kill_with_job

RUN = "recommendations_recommendationrun"
CRAWL = "crawler_crawl"


def start_run(one: Installation, host: str = "127.0.0.1") -> None:
    one.do(f"site = Site.objects.create(name='count', start_url='http://{host}/')\npipeline.start_pipeline(site.pk)")


def is_crawling(one: Installation) -> bool:
    return one.status_of(CRAWL) == "running"


def test_a_killed_worker_and_job_are_taken_over(installation: Installation) -> None:
    start_run(installation)
    first = installation.start_worker()
    installation.wait_for("crawl", lambda: is_crawling(installation))
    kill_with_job(first)
    installation.start_worker()
    seconds = installation.wait_for(
        "takeover", lambda: installation.rows(f"SELECT attempts FROM {CRAWL}") == [(2,)], LEASE_SECONDS * 3
    )
    assert seconds < LEASE_SECONDS * 2
    installation.wait_for("end", lambda: installation.status_of(RUN) == "done")
    assert installation.rows(f"SELECT status, attempts, error FROM {RUN}") == [("done", 1, "")]


def test_a_killed_job_process_is_taken_over_by_its_own_worker(installation: Installation) -> None:
    start_run(installation)
    worker = installation.start_worker()
    installation.wait_for("crawl", lambda: is_crawling(installation))
    for job in children_of(worker.pid):
        os.kill(job, signal.SIGKILL)
    installation.wait_for("end", lambda: installation.status_of(RUN) == "done")
    assert worker.poll() is None
    assert installation.rows(f"SELECT status, attempts FROM {CRAWL}") == [("done", 2)]


def test_a_stopped_worker_gives_its_run_back_at_once(installation: Installation) -> None:
    start_run(installation)
    worker = installation.start_worker()
    installation.wait_for("crawl", lambda: is_crawling(installation))
    worker.terminate()
    assert worker.wait(10) == 0
    assert installation.rows(f"SELECT status, attempts FROM {CRAWL}") == [("queued", 0)]
    installation.start_worker()
    installation.wait_for("next attempt", lambda: installation.status_of(CRAWL) == "running", LEASE_SECONDS)
    installation.wait_for("end", lambda: installation.status_of(RUN) == "done")


def test_a_lost_queue_loses_nothing(installation: Installation) -> None:
    start_run(installation)
    with redis.Redis.from_url(installation.queue_url) as client:
        client.flushall()
    installation.start_worker()
    installation.wait_for("end", lambda: installation.status_of(RUN) == "done")


def test_a_run_started_without_a_queue_server_is_done_when_one_comes(installation: Installation) -> None:
    installation.stop_queue(signal.SIGKILL)
    start_run(installation)
    assert installation.status_of(CRAWL) == "queued"
    installation.start_queue()
    installation.start_worker()
    installation.wait_for("end", lambda: installation.status_of(RUN) == "done")


def test_an_error_is_kept_as_a_sentence_and_ends_the_later_stages(installation: Installation) -> None:
    start_run(installation, "down.example")
    installation.start_worker()
    installation.wait_for("end", lambda: installation.status_of(RUN) == "stopped")
    sentence = "http://down.example/ does not answer. Is the address right?"
    assert installation.rows(f"SELECT status, error, attempts FROM {CRAWL}") == [("failed", sentence, 1)]
    assert installation.rows(f"SELECT error FROM {RUN}") == [(f"Not begun, because the crawl failed: {sentence}",)]


def test_a_stop_request_ends_the_run_and_a_retry_begins_it_again(installation: Installation) -> None:
    start_run(installation, "slow.example")
    installation.start_worker()
    installation.wait_for("crawl", lambda: is_crawling(installation))
    installation.do("pipeline.stop_pipeline(1)")
    installation.wait_for("stop", lambda: installation.status_of(CRAWL) == "stopped", 10)
    assert installation.rows(f"SELECT status, error FROM {RUN}") == [("stopped", "Stopped on request.")]
    installation.do("pipeline.retry_pipeline(1)")
    installation.wait_for("second attempt", lambda: is_crawling(installation))
    assert installation.rows(f"SELECT status, error FROM {RUN}") == [("queued", "")]


def test_a_service_that_does_not_notice_a_stop_is_interrupted(installation: Installation) -> None:
    start_run(installation, "deaf.example")
    installation.start_worker()
    installation.wait_for("crawl", lambda: installation.status_of(CRAWL) == "running")
    installation.do("pipeline.stop_pipeline(1)")
    installation.wait_for("stop", lambda: installation.status_of(CRAWL) == "stopped", 25)


def test_a_run_that_kills_its_workers_is_given_up(installation: Installation) -> None:
    start_run(installation, "deadly.example")
    installation.do("from crawler.models import Crawl\nCrawl.objects.update(attempts=pipeline.MAX_ATTEMPTS - 1)")
    installation.start_worker()
    installation.wait_for("end", lambda: installation.status_of(RUN) == "stopped")
    ((status, error),) = installation.rows(f"SELECT status, error FROM {CRAWL}")
    assert status == "failed"
    assert "ended 5 workers without a word" in error
