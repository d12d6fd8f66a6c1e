"""A real WordPress of each version on loopback, with 300 posts and pages. Shared code starts it; see ../shared."""

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.wordpress.posts import make_posts

START = Path(__file__).resolve().parents[2].parent / "shared" / "wordpress" / "wp_up.sh"
HERE = Path(__file__).parent
#: Published posts and pages that are made; a fresh WordPress has two of its own.
POSTS = 300


@dataclass(frozen=True, slots=True)
class WordPress:
    """One that runs. `ids` are those of the posts that were made, in order; passwords are application passwords."""

    url: str
    folder: Path
    ids: list[int]
    passwords: dict[str, str]

    def php(self, script: str, *arguments: str, given: str = "") -> bytes:
        command = ["php", str(HERE / script), str(self.folder / "www"), *arguments]
        return subprocess.run(command, input=given.encode(), capture_output=True, check=True, timeout=120).stdout

    def export(self) -> bytes:
        return self.php("export.php", self.url.removeprefix("http://").rstrip("/"))

    def change(self, changes: list[dict[str, Any]]) -> None:
        """Update posts as an editor would: {"ID": ..., fields...}; {"delete": id} puts one into the trash."""
        self.php("change_posts.php", given=json.dumps(changes))

    @contextmanager
    def plugin(self, code: str) -> Iterator[None]:
        """With this code as a plugin that is always on."""
        # PHP remembers for two seconds what stood in a file: another code is another file.
        name = f"tested-{hashlib.sha256(code.encode()).hexdigest()[:12]}.php"
        file = self.folder / "www" / "wp-content" / "mu-plugins" / name
        file.write_text(f"<?php\n{code}\n")
        try:
            yield
        finally:
            file.unlink()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


VERSIONS = ("6.2", "6.5", "beta")


@pytest.fixture(scope="session")
def wordpress(request: pytest.FixtureRequest) -> Iterator[WordPress]:
    if not START.exists():
        pytest.skip("the shared folder with WordPress is not beside this one")
    if not all(map(shutil.which, ("php", "npm", "unzip", "curl"))):
        pytest.skip("PHP, npm, unzip or curl is missing: see .ci/run for the packages")
    folder = Path(tempfile.mkdtemp(prefix="linkrec-wordpress-")) / "wp"
    port = _free_port()
    cache = Path(tempfile.gettempdir()) / "linkrec-wordpress-cache"
    environment = {**os.environ, "WP_CACHE": str(cache)}
    command = ["bash", str(START), str(folder), str(port), request.param]
    subprocess.run(command, env=environment, check=True, timeout=300, stdin=subprocess.DEVNULL)
    try:
        made = WordPress(
            f"http://127.0.0.1:{port}/", folder, [], json.loads((folder / "creds.json").read_text())["app"]
        )
        posts = json.dumps([asdict(post) for post in make_posts(POSTS)])
        made.ids.extend(json.loads(made.php("insert_posts.php", given=posts)))
        yield made
    finally:
        os.killpg(int((folder / "php.pgid").read_text()), signal.SIGKILL)
        shutil.rmtree(folder.parent, ignore_errors=True)
