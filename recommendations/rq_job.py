"""What a job may be: one of the three stages with one id, as JSON. Everything else in the queue is refused.

JSON alone would not do: RQ imports and calls whatever dotted name a payload holds. So whoever can write to the queue
must still not be able to choose what runs. Leaves running to rq_worker.py.
"""

from typing import Any

from rq.exceptions import DeserializationError
from rq.job import Job
from rq.serializers import JSONSerializer

JOB_NAMES = frozenset(
    ("crawler.jobs.run_crawl", "embeddings.jobs.run_embedding", "recommendations.jobs.run_recommendation")
)


class JsonJob(Job):
    """A job that reads and writes JSON whatever it is told, and knows no callbacks and no webhooks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["serializer"] = JSONSerializer
        super().__init__(*args[:2], **kwargs)

    def perform(self) -> Any:
        if self.func_name not in JOB_NAMES or self.kwargs or [type(value) for value in self.args] != [int]:
            raise DeserializationError(
                f"Job {self.id} asks for {self.func_name!r}, which is none of this queue's jobs."
            )
        return super().perform()

    @property
    def success_callback(self) -> None:
        return None

    @property
    def failure_callback(self) -> None:
        return None

    @property
    def stopped_callback(self) -> None:
        return None

    def send_webhooks(self, *args: Any, **kwargs: Any) -> None:
        """None are sent: an address in the queue must not make the worker call it."""
