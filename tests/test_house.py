"""The house's import rules and file sizes, read from the code itself."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("linkrec_site", "crawler", "embeddings", "recommendations", "accounts")
WRITTEN = [
    path
    for folder in (*APPS, "tests", "benchmarks", "demo")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "migrations" not in path.parts
]
BANNED_NAMES = {"utils", "helpers", "common", "core"}

#: What writes or queues: selectors read alone.
SERVICES = (
    "crawler.services",
    "embeddings.services",
    *(
        f"recommendations.{name}"
        for name in (
            "services", "views", "decisions", "decision_carrying", "decision_reconciling", "pipeline", "pruning",
            "job_queue", "site_deletion", "withdrawing", "report.storing",
        )
    ),
)  # fmt: skip

#: (files, what they may not import, at module level or inside functions)
RULES = [
    ("crawler/**/*.py", ("embeddings", "recommendations", "accounts")),
    ("embeddings/**/*.py", ("recommendations", "accounts")),
    ("accounts/**/*.py", ("embeddings", "recommendations")),
    ("crawler/extraction/**/*.py", ("django", "crawler.models", "crawler.services", "crawler.http")),
    ("crawler/url_normalization.py", ("django", "crawler.models", "crawler.http")),
    ("crawler/robots.py", ("django", "crawler.models", "crawler.http")),
    ("crawler/sitemaps.py", ("django", "crawler.models", "crawler.http")),
    ("crawler/frontier.py", ("django", "crawler.models", "crawler.http")),
    ("embeddings/pooling.py", ("django", "torch")),
    ("embeddings/ann_index.py", ("django", "torch")),
    ("embeddings/types.py", ("django", "torch")),
    ("recommendations/engine/**/*.py", ("django", "torch", "crawler.models", "crawler.services", "requests")),
    ("*/selectors*.py", SERVICES),
    ("recommendations/views/**/*.py", ("recommendations.engine", "crawler.http", "embeddings.encoders", "torch")),
    ("recommendations/api/**/*.py", ("recommendations.engine", "crawler.http", "embeddings.encoders", "torch")),
    ("*/jobs.py", ("recommendations.engine", "recommendations.views")),
    ("*/management/commands/*.py", ("recommendations.engine", "recommendations.views")),
]
#: packages that may be imported by these files only
OWNED = {"torch": ("embeddings/encoders",), "sentence_transformers": ("embeddings/encoders",)}


def imports_of(path: Path) -> list[tuple[int, str]]:
    """(line, dotted module) of every import in the file, relative ones made absolute."""
    found = []
    package = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: -node.level]) if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found += [(node.lineno, f"{module}.{alias.name}") for alias in node.names]
    return found


def is_within(module: str, banned: str) -> bool:
    return module == banned or module.startswith(banned + ".")


@pytest.mark.parametrize(("pattern", "banned"), RULES, ids=[rule[0] for rule in RULES])
def test_imports_point_up(pattern: str, banned: tuple[str, ...]) -> None:
    faults = [
        f"{path.relative_to(ROOT)} imports {module} (line {line})"
        for path in sorted(ROOT.glob(pattern))
        if "migrations" not in path.parts
        for line, module in imports_of(path)
        if any(is_within(module, name) for name in banned)
    ]
    assert not faults, "\n".join(faults)


def test_heavy_packages_have_one_owner() -> None:
    faults = []
    for path in WRITTEN:
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("tests/", "benchmarks/", "demo/")):
            continue
        for line, module in imports_of(path):
            for package, owners in OWNED.items():
                if is_within(module, package) and not name.startswith(owners):
                    faults.append(f"{name} imports {module} (line {line})")
    assert not faults, "\n".join(faults)


def test_torch_is_never_imported_at_import_time() -> None:
    tops = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in WRITTEN
        if path.relative_to(ROOT).parts[0] in APPS
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any(
            is_within(name, "torch") or is_within(name, "sentence_transformers")
            for name in ([alias.name for alias in node.names] + [getattr(node, "module", None) or ""])
        )
    ]
    assert not tops, tops


def test_the_web_process_stays_light() -> None:
    """Nothing that pages, API and admin import, however indirectly, brings models or the crawler's client along."""
    code = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "linkrec_site.settings"
django.setup()
import linkrec_site.urls, recommendations.api.views
heavy = ("torch", "sentence_transformers", "crawler.http", "embeddings.encoders", "recommendations.engine.run")
print(*(name for name in heavy if name in sys.modules))
"""
    run = subprocess.run(
        [str(ROOT / ".venv/bin/python"), "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.strip()) == (0, ""), run.stdout + run.stderr


def test_environment_has_one_reader() -> None:
    allowed = {"linkrec_site/env.py", "manage.py", "linkrec_site/wsgi.py"}
    faults = [
        path.relative_to(ROOT).as_posix()
        for path in [*WRITTEN, ROOT / "manage.py"]
        if path.relative_to(ROOT).parts[0] in (*APPS, "manage.py")
        and "os.environ" in path.read_text("utf-8")
        and path.relative_to(ROOT).as_posix() not in allowed
    ]
    assert not faults, faults


def test_files_stay_small() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines} lines"
        for path in WRITTEN
        if (lines := path.read_text("utf-8").count("\n")) > 400
    ]
    assert not long, long


def test_modules_are_named_for_one_job() -> None:
    bad = [
        str(path.relative_to(ROOT))
        for path in WRITTEN
        if path.stem in BANNED_NAMES or path.parent.name in BANNED_NAMES or path.stem.endswith("_v2")
    ]
    assert not bad, bad


def test_every_module_says_its_job() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in WRITTEN
        if path.name not in ("__init__.py", "apps.py") and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert not silent, silent


def test_migrations_are_complete() -> None:
    run = subprocess.run(
        [str(ROOT / ".venv/bin/python"), "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
