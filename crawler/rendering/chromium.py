"""Finds the Chromium of this machine and starts it so that it can reach no network. Leaves its use to renderer.py.

All that a page may have is handed to it by request interception. What escapes that (workers, WebSockets, WebRTC,
prefetching, the browser's own services) finds no name resolved and a proxy that takes no connection.
"""

import importlib.util
import os
import shutil
import socket
import tempfile
import weakref
from pathlib import Path
from typing import Any

from django.conf import settings

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # Without it loopback would be reached past the proxy.
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--mute-audio",
    "--deny-permission-prompts",
    "--renderer-process-limit=2",
    "--js-flags=--max-old-space-size=512",
)


def find_obstacle() -> str:
    """Why no page can be rendered here, in one sentence with the next step; "" where it can."""
    if importlib.util.find_spec("playwright") is None:
        return (
            "Pages without text were not opened in a browser: Playwright is not installed. "
            "Run `pip install -r requirements-rendering.txt`, then crawl again."
        )
    if settings.LINKREC_CHROMIUM and not _is_program(settings.LINKREC_CHROMIUM):
        return (
            f"Pages without text were not opened in a browser: LINKREC_CHROMIUM={settings.LINKREC_CHROMIUM!r} is no "
            "program. Set it to the path of a Chromium, then crawl again."
        )
    if not find_chromium() and not _has_playwrights_own():
        return (
            "Pages without text were not opened in a browser: no Chromium was found. Install the package chromium, "
            "run `playwright install chromium`, or set LINKREC_CHROMIUM to its path, then crawl again."
        )
    return ""


def find_chromium() -> str:
    """The browser's path; "" where only Playwright's own copy may be there."""
    if settings.LINKREC_CHROMIUM:
        return str(settings.LINKREC_CHROMIUM)
    return next((path for name in _NAMES if (path := shutil.which(name))), "")


def _is_program(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)


def _has_playwrights_own() -> bool:
    """Whether `playwright install` has put one where it puts them; elsewhere it has to be named in the settings."""
    folders = (Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright")
    return any(found for folder in folders for found in folder.glob("chromium*"))


class DeadProxy:
    """A port of this machine that is taken and never listened on: every connection to it is refused."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        # A crawl that ends badly may let go of this without closing it.
        weakref.finalize(self, self._socket.close)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def close(self) -> None:
        self._socket.close()


async def launch(playwright: Any, proxy: DeadProxy) -> Any:
    """A running browser without a network and without this process's environment, which holds secrets."""
    return await playwright.chromium.launch(
        executable_path=find_chromium() or None,
        args=[*_FLAGS, f"--proxy-server={proxy.url}"],
        env={"PATH": os.defpath, "HOME": tempfile.gettempdir(), "LANG": "C.UTF-8"},
        # Chromium's sandbox refuses to run for root.
        chromium_sandbox=os.geteuid() != 0,
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        timeout=20_000,
    )
