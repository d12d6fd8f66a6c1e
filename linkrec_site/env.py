"""The only reader of os.environ: every setting that comes from outside, parsed once, refused clearly.

Leaves the meaning of the values to settings.py. Each name here stands in docs/settings.md (a test compares them).
"""

import os
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from django.core.exceptions import ImproperlyConfigured

_BASE_DIR = Path(__file__).resolve().parent.parent
_reader = environ.Env()
_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}

#: name -> one sentence; docs/settings.md holds the same names.
SETTING_NAMES = (
    "LINKREC_DATA_DIR",
    "LINKREC_MODEL_DIR",
    "LINKREC_ALLOWED_PRIVATE_HOSTS",
    "LINKREC_CONTACT_URL",
    "LINKREC_MODEL",
    "LINKREC_ALLOWED_HOSTS",
    "LINKREC_TRUSTED_ORIGINS",
    "LINKREC_HTTPS",
    "LINKREC_DEBUG",
    "LINKREC_SECRET_KEY",
    "LINKREC_TIME_ZONE",
    "LINKREC_THREADS",
    "LINKREC_PORT",
    "LINKREC_LEASE_SECONDS",
    "LINKREC_MAX_UPLOAD_MB",
    "LINKREC_CHROMIUM",
    "LINKREC_EMAIL_URL",
    "LINKREC_EMAIL_FROM",
    "DATABASE_URL",
    "REDIS_URL",
)


@dataclass(frozen=True)
class Environment:
    """What the process was told from outside."""

    base_dir: Path
    data_dir: Path
    model_dir: Path
    allowed_private_hosts: tuple[str, ...]
    contact_url: str
    model: str
    allowed_hosts: tuple[str, ...]
    trusted_origins: tuple[str, ...]
    is_https: bool
    is_debug: bool
    secret_key: str
    time_zone: str
    threads: int
    port: int
    lease_seconds: int
    max_upload_mb: int
    chromium: str
    email_url: str
    email_from: str
    database_url: str
    redis_url: str


def _words(name: str, default: str = "") -> tuple[str, ...]:
    return tuple(word.strip() for word in os.environ.get(name, default).split(",") if word.strip())


def _truth(name: str) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in ("", "0", "false", "no", "off"):
        return False
    if value in ("1", "true", "yes", "on"):
        return True
    raise ImproperlyConfigured(f"{name}={value!r} is neither true nor false. Set it to 1 or 0.")


def _whole_number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number. Set it to one, or leave it out.")
    return int(value)


def _time_zone() -> str:
    name = os.environ.get("LINKREC_TIME_ZONE") or "UTC"
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise ImproperlyConfigured(
            f"LINKREC_TIME_ZONE={name!r} is no time zone. Set it to one like Europe/Berlin, or leave it out."
        ) from None
    return name


def read_environment() -> Environment:
    """Parse every setting from outside. Raises ImproperlyConfigured naming the setting and its value."""
    data_dir = Path(os.environ.get("LINKREC_DATA_DIR") or _BASE_DIR / "var").expanduser().resolve()
    return Environment(
        base_dir=_BASE_DIR,
        data_dir=data_dir,
        model_dir=Path(os.environ.get("LINKREC_MODEL_DIR") or data_dir / "models").expanduser().resolve(),
        allowed_private_hosts=_words("LINKREC_ALLOWED_PRIVATE_HOSTS"),
        contact_url=os.environ.get("LINKREC_CONTACT_URL", "").strip() or "https://linkrec.example/crawler",
        model=os.environ.get("LINKREC_MODEL", "").strip(),
        allowed_hosts=_words("LINKREC_ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]"),
        trusted_origins=_words("LINKREC_TRUSTED_ORIGINS"),
        is_https=_truth("LINKREC_HTTPS"),
        is_debug=_truth("LINKREC_DEBUG"),
        secret_key=os.environ.get("LINKREC_SECRET_KEY", ""),
        time_zone=_time_zone(),
        threads=_whole_number("LINKREC_THREADS", 0),
        port=_whole_number("LINKREC_PORT", 8000),
        lease_seconds=max(4, _whole_number("LINKREC_LEASE_SECONDS", 30)),
        max_upload_mb=max(1, _whole_number("LINKREC_MAX_UPLOAD_MB", 500)),
        chromium=os.environ.get("LINKREC_CHROMIUM", "").strip(),
        email_url=os.environ.get("LINKREC_EMAIL_URL", "").strip(),
        email_from=os.environ.get("LINKREC_EMAIL_FROM", "").strip() or "linkrec@localhost",
        database_url=os.environ.get("DATABASE_URL", ""),
        redis_url=os.environ.get("REDIS_URL", ""),
    )


def database_from_url(url: str) -> dict[str, object]:
    """Django's DATABASES entry for a postgres:// URL. Raises ImproperlyConfigured for anything else."""
    if not url.startswith(("postgres://", "postgresql://")):
        scheme = url.split(":", 1)[0]
        raise ImproperlyConfigured(
            f"DATABASE_URL has the scheme {scheme!r}. Use postgres://user:password@host:5432/name, "
            "or leave DATABASE_URL out for SQLite in LINKREC_DATA_DIR."
        )
    return dict(_reader.db_url_config(url))


def email_from_url(url: str) -> dict[str, object]:
    """Django's EMAIL settings for an smtp:// URL. Raises ImproperlyConfigured for anything else."""
    scheme = url.split(":", 1)[0]
    if scheme not in _MAIL_PORTS or not url.partition("://")[2]:
        raise ImproperlyConfigured(
            f"LINKREC_EMAIL_URL begins with {scheme!r}. Use smtp://user:password@host:25, smtp+tls://... or "
            "smtp+ssl://..., or leave it out: notices are shown in the product all the same."
        )
    config = dict(_reader.email_url_config(url))
    return {**config, "EMAIL_PORT": config["EMAIL_PORT"] or _MAIL_PORTS[scheme]}


def child_environment(**changes: str) -> dict[str, str]:
    """This process's environment with `changes`, for the processes that it starts."""
    return {**os.environ, **changes}


_asked_umask = 0o077


def keep_files_private() -> None:
    """Whatever this process writes from now on is its user's alone: the database holds accounts and their sessions."""
    global _asked_umask
    _asked_umask = os.umask(0o077)


def mode_for_handed_out_files() -> int:
    """The mode of a file that a person asked for, such as an export: what the shell that started us would give it."""
    return 0o666 & ~_asked_umask


def quiet_native_threads() -> None:
    """Native-library defaults that must stand before torch is imported.

    Spinning OpenMP threads beside another busy process cost two thirds of the speed on shared cores.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
