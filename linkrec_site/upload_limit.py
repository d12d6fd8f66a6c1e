"""Refuses uploaded files above LINKREC_MAX_UPLOAD_MB while they come in, so that none fills the disk.

What is too large is read to its end and thrown away, so that the browser gets an answer; the form that expected the
file asks `too_large_upload` and says so.
"""

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest


class UploadLimit(FileUploadHandler):
    """Stands before the handlers that keep files; keeps none itself. All files of a request count together."""

    _seen = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self._seen += len(raw_data)
        if self._seen > settings.LINKREC_MAX_UPLOAD_MB * 2**20:
            if self.request is not None:
                self.request.META["linkrec.too_large_upload"] = self.file_name
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def too_large_upload(request: HttpRequest) -> str:
    """The name of a file of this request that was thrown away, being too large; "" where there was none."""
    return str(request.META.get("linkrec.too_large_upload", ""))
