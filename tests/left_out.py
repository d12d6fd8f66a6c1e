"""Says in one line a kind which tests were left out, and fails the run for it where nothing may be left out.

A pytest plugin, loaded by conftest.py. `LINKREC_TESTS_STRICT=1` is what .ci/run sets.
"""

import os
from collections import Counter

import pytest


class LeftOut:
    """Collects the reasons of skipped tests."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    @pytest.hookimpl
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if is_strict() and self.reasons and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for reason, count in self.reasons.most_common():
            terminalreporter.write_line(f"left out: {count} {'test' if count == 1 else 'tests'}: {reason}")
        if is_strict() and self.reasons:
            terminalreporter.write_line("FAILED: LINKREC_TESTS_STRICT is set, so no test may be left out.", red=True)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        is_expected_failure = hasattr(report, "wasxfail")
        if report.skipped and not is_expected_failure and isinstance(report.longrepr, tuple):
            self.reasons[str(report.longrepr[2]).removeprefix("Skipped: ")] += 1


def is_strict() -> bool:
    return os.environ.get("LINKREC_TESTS_STRICT", "") not in ("", "0")
