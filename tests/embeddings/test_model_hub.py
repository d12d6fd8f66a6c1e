"""A model is fetched from a hub that can be reached, and from then on needs none."""

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import ClassVar

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
COMMIT = "c" * 40
_LOAD = """
from embeddings import encoders
for _ in range(2):
    encoder = encoders.load_encoder("people/tiny-model")
    print(encoder.fingerprint, encoder.encode(["a cat"]).shape, flush=True)
    encoders._load_once.cache_clear()
    input()
"""


class Hub(http.server.BaseHTTPRequestHandler):
    """What a model hub answers about one model, people/tiny-model."""

    protocol_version = "HTTP/1.1"
    folder: ClassVar[Path]
    fetched: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        files = sorted(str(file.relative_to(self.folder)) for file in self.folder.rglob("*") if file.is_file())
        if path.startswith("/api/models/people/tiny-model/tree/"):
            return self._send(json.dumps([{"type": "file", "path": name, "oid": "0", "size": 1} for name in files]))
        if path.startswith("/api/models/people/tiny-model"):
            siblings = [{"rfilename": name} for name in files]
            return self._send(json.dumps({"id": "people/tiny-model", "sha": COMMIT, "siblings": siblings}))
        name = path.partition("/resolve/")[2].partition("/")[2].removeprefix("./")
        if path.startswith("/people/tiny-model/resolve/") and name in files:
            if self.command == "GET":
                self.fetched.append(name)
            return self._send((self.folder / name).read_bytes())
        code = "EntryNotFound" if path.startswith("/people/tiny-model") else "RepoNotFound"
        return self._send("", 404, {"X-Error-Code": code})

    do_HEAD = do_GET

    def _send(self, body: str | bytes, status: int = 200, headers: dict[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {"X-Repo-Commit": COMMIT, "ETag": f'"{len(data):040x}"', **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.slow
def test_fetched_once_then_offline(tiny_model: Path, tmp_path: Path) -> None:
    Hub.folder = tiny_model
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    environment = {
        **os.environ,
        "HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}",
        "HF_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "linkrec_site.settings",
        "LINKREC_DATA_DIR": str(tmp_path / "data"),
    }
    environment.pop("HF_HUB_OFFLINE", None)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", _LOAD], env=environment, cwd=ROOT, text=True, **pipes) as process:
        assert process.stdout
        assert process.stdin
        first = process.stdout.readline()
        server.shutdown()
        thread.join()
        server.server_close()
        output, errors = process.communicate("\n\n", timeout=60)
    assert first == f"people/tiny-model:{COMMIT}:prefix='' (1, 16)\n", errors
    assert "model.safetensors" in Hub.fetched
    assert output == first, errors
