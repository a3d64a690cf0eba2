"""What each contact law costs on the car pendulum: steps and Jacobian updates as they were counted."""

from typing import Any

from faying.examples import Expected

RUBBED = "F with friction"  # beside the laws' letters

EFFORT: dict[str, dict[str, tuple[int, int]]] = {
    "gravity": {
        "A": (1307, 4643),
        "B": (1291, 3050),
        "C1": (1257, 1351),
        "C2": (1257, 1215),
        "D": (1263, 1018),
        "E": (1257, 1878),
        "F": (1258, 1407),
        "F with friction": (1370, 6708),
    },
    "force0": {
        "A": (1257, 666),
        "B": (1258, 367),
        "C1": (1257, 257),
        "C2": (1257, 496),
        "D": (1257, 445),
        "E": (1257, 295),
        "F": (1257, 366),
        "F with friction": (1281, 2241),
    },
    "force1": {
        "A": (1397, 8837),
        "B": (1333, 5576),
        "C1": (1257, 2443),
        "C2": (1257, 1876),
        "D": (1271, 1843),
        "E": (1259, 2632),
        "F": (1257, 2474),
        "F with friction": (1350, 6736),
    },
}
"""Steps and Jacobian updates by load case and law.

Processor seconds of the motions then (A, B, C1, C2, D, E, F, F with friction): gravity 24, 21, 15, 16, 17, 14, 14, 76;
force0 14, 15, 14, 16, 16, 14, 15, 34; force1 33, 29, 21, 20, not taken, 19, 21, 75. As in the source all laws cost
alike under force0, and the linear one most where the sheets bend to both sides.
"""

# The largest step is the usual one; Jacobian updates hang on when pairs open and close, to the last digit.
_TOLERANCES = {"steps": 0.05, "jacobians": 0.3}


def expected_effort() -> tuple[Expected, ...]:
    """Return steps and Jacobian updates of every run."""
    return tuple(
        Expected(
            name,
            "",
            float(count),
            "regression",
            _TOLERANCES[name.split("_")[0]],
            "not a verification",
        )
        for case, laws in EFFORT.items()
        for law, (steps, jacobians) in laws.items()
        for name, count in effort_of(case, law, {"steps": steps, "jacobians": jacobians}).items()
    )


def effort_of(case: str, law: str, report: dict[str, Any]) -> dict[str, float]:
    """Return steps and Jacobian updates of a run's report, as they are named among the expected quantities."""
    return {f"{kind}_{case}_{law.replace(' ', '_')}": float(report[kind]) for kind in _TOLERANCES}
