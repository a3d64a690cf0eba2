"""What analyses give for a small jointed body is what they gave before; see `support.recorded_numbers`.

All that a results file holds counts, but what was spent on it.
"""

import h5py
import numpy as np
import pytest

from core.test_recorded_bodies import PRELOADS, session_of
from faying.params import build
from faying.project.specs import Project
from faying.project.stage import Target, target_of
from faying.session import Session
from support.recorded_numbers import compare, digest

LOAD = {"interface": "tip", "force": (3.0, 1.5, -5.0)}
BODY = {"body": "plates", "support": "hold"}
HELD = {**BODY, "loads": [LOAD]}
# Later on, forces across the load differ by a tenth between processors that round otherwise.
SWING = {"kind": "transient", **HELD, "duration": 3e-4, "frames": 4, "stiffness_damping": 1e-6}
RANGE = {"lowest_frequency": 10.0, "highest_frequency": 2000.0, "points": 7}
ANALYSES = {
    "statics with friction": {"kind": "static", **HELD},
    "statics unreduced under preload": {
        "kind": "unreduced_static", **HELD, "preloads": ["shrunk"], "load_steps": 2,
    },
    "statics to and fro": {
        "kind": "steps", **BODY,
        "steps": [{"kind": "load", "loads": [LOAD]}, {"kind": "load"},
                  {"kind": "cycle", "loads": [LOAD], "lowest": -0.5, "highest": 1.0, "cycles": 2, "points": 4}],
    },
    "motion under preload": {**SWING, "preloads": ["pressed"], "duration": 2e-4},
    "response alone": {
        "kind": "frequency_response", **HELD, **RANGE, "preloads": ["shrunk"],
        "stiffness_damping": 1e-6, "mass_damping": 3.0, "modal_damping": (0.01, 0.02), "structural_damping": 0.01,
    },
}  # fmt: skip
SPENT = (
    "second", "memory", "bytes", "thread", "processor", "time of", "version", "begun", "check", "made", "restart",
    "written",
)  # fmt: skip


def numbers_of(session: Session, *names: str) -> dict[str, list[float]]:
    """Return digests of the results of some analyses."""
    found: dict[str, list[float]] = {}
    for name in names:
        results = session.compute(target_of(session.project.analysis(name))).open()
        found |= digest(_without_effort(results.report), f"{name}: report")
        keys: list[str] = []
        results.root.visit(keys.append)
        for key in keys:
            item = results.root[key]
            is_number = isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu"
            if is_number and not any(word in key.lower() for word in (*SPENT, "separation ratio")):
                found |= digest(np.asarray(item), f"{name}: {key}")
        results.close()
    return {key: numbers for key, numbers in found.items() if numbers[2] > 1e-9}  # less is round-off here


def _without_effort(report: object) -> object:
    """Return a report without what was spent, and without counts of corrections, which round-off decides at times."""
    if not isinstance(report, dict):
        return report
    # What is left out of balance is round-off where it is right.
    left_out = (
        *SPENT,
        "reaction_balance",
        "iterations",
        "jacobians",
        "rejected",
        "evaluations",
        "ratio",
        "accuracy",
    )
    return {k: _without_effort(v) for k, v in report.items() if not any(w in k.lower() for w in left_out)}


def of(folder, words: dict, *analyses: dict) -> Session:
    session = session_of(words, folder)
    project = build(Project, {**session.project.model_dump(), "analyses": list(analyses)})
    return Session(project, folder / "artifacts")


def joint(folder, **words) -> list[dict]:
    """Return the joint of the body, with other words."""
    return [session_of({}, folder).project.bodies[0].joints[0].model_dump() | words]


@pytest.mark.parametrize("name", sorted(ANALYSES))
def test_analyses(name: str, tmp_path) -> None:
    session = of(tmp_path, {"preloads": PRELOADS}, {"name": "it", **ANALYSES[name]})
    compare("analyses", name, numbers_of(session, "it"), rtol=2e-2 if name.startswith("motion") else 2e-4)


def test_sampled_pairs(tmp_path) -> None:
    joints = joint(tmp_path, sampling={"active": True, "tolerance": 0.01, "combinations": 8})
    session = of(tmp_path, {"joints": joints}, {"name": "it", **SWING, "duration": 2e-4})
    found = digest(session.compute(Target("sampling", "plates")), "samples")
    compare("analyses", "sampled pairs", found | numbers_of(session, "it"), rtol=1e-2)
