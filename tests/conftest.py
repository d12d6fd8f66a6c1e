"""Test-wide setup: a data directory of its own, set before Django reads its settings."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.left_out import LeftOut

_DATA_DIR = tempfile.mkdtemp(prefix="linkrec-tests-")
os.environ["LINKREC_DATA_DIR"] = _DATA_DIR
# Named here and not in pyproject.toml: pytest-django would load the settings before this file is read.
os.environ["DJANGO_SETTINGS_MODULE"] = "linkrec_site.settings"
# Where `make run` collects static files; WhiteNoise warns when it is missing.
(Path(_DATA_DIR) / "static").mkdir()
# The converted multilingual model is 475 MB: one copy serves every test run of this checkout.
os.environ.setdefault("LINKREC_MODEL_DIR", str(Path(__file__).resolve().parent.parent / "var" / "models"))
for name in ("DATABASE_URL", "REDIS_URL", "LINKREC_MODEL", "LINKREC_ALLOWED_PRIVATE_HOSTS"):
    os.environ.pop(name, None)
os.environ["LINKREC_ALLOWED_PRIVATE_HOSTS"] = "127.0.0.1"

# The conftest files of folders below import models.
import django  # noqa: E402
from django.conf import settings  # noqa: E402

# The real one is slow on purpose, and tests make many people.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
django.setup()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LeftOut())


def pytest_unconfigure(config: object) -> None:
    import shutil

    shutil.rmtree(_DATA_DIR, ignore_errors=True)
