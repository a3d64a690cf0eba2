"""What checks say of finished runs changes at the limits that the manual names, and only there."""

from pathlib import Path

import pytest

from faying.params import build
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project

JOINTS = {"lap": {"pairs": 42, "of": 2193}}
LIMITS = {
    "load_error": 0.01,
    "mounted_error": 0.01,
    "separation_ratio": 0.05,
    "tie_shares": {"lap": 0.02},
    "sampling": {"error": 0.05, "joints": JOINTS},
    "error_estimate": {"motion": 0.01, "force": 0.05, "pressure": 0.2},
}


def times(report, factor: float):
    """Return a report with all its errors and shares multiplied; counts stay."""
    if isinstance(report, dict):
        return {name: times(value, factor) for name, value in report.items()}
    return factor * report if isinstance(report, float) else report


def said(report: dict) -> list:
    load = {"interface": "tip", "force": (0.0, 0.0, 1.0)}
    body = {"name": "bar", "model": {"path": "bar.inp"}, "interfaces": [{"name": n, "node": k} for k, n in
                                                                       ((1, "hold"), (2, "tip"))]}  # fmt: skip
    static = {"kind": "static", "name": "it", "body": "bar", "support": "hold", "loads": [load]}
    project = build(Project, {"bodies": [body], "analyses": [static]})
    return run_checks(CheckedProject(project, Path("nowhere"), reports={"it": report}))


@pytest.mark.parametrize("name", LIMITS)
def test_a_finding_begins_beyond_its_limit(name):
    quiet = [f.sentence for f in said({})]
    for factor, more in ((0.999, 0), (1.03, 1)):
        found = [f for f in said({name: times(LIMITS[name], factor)}) if f.sentence not in quiet]
        assert len(found) >= more and (more or not found), [f.sentence for f in found]
        assert all("'it'" in f.sentence for f in found)
