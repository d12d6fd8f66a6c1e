"""What pages say about the queue: a worker is there, none is, a killed one is soon forgotten, no server answers."""

from tests.operations.installation import Installation, kill_with_job

HEALTH = "from recommendations.queue_health import queue_health\nprint(queue_health().warning or 'well')"


def test_a_missing_worker_and_a_missing_server_are_said(installation: Installation) -> None:
    assert installation.do(HEALTH).startswith("No worker is running, so this waits.")
    worker = installation.start_worker()
    installation.wait_for("worker", lambda: installation.do(HEALTH) == "well")
    kill_with_job(worker)
    installation.wait_for("end of the worker's entry", lambda: "No worker" in installation.do(HEALTH))
    installation.stop_queue()
    assert installation.do(HEALTH).startswith("The queue cannot be reached, so nothing moves now.")
