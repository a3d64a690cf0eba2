"""What each contact law costs on the car pendulum: steps and Jacobian updates as they were counted."""

from typing import Any

from faying.examples import Expected

RUBBED = "F with friction"  # beside the laws' letters

EFFORT: dict[str, dict[str, tuple[int, int]]] = {
    "gravity": {
        "A": (1325, 5303),
        "B": (1297, 4003),
        "C1": (1257, 2069),
        "C2": (1257, 1904),
        "D": (1262, 1702),
        "E": (1259, 2044),
        "F": (1259, 2202),
        "F with friction": (1476, 10546),
    },
    "force0": {
        "A": (1260, 467),
        "B": (1257, 466),
        "C1": (1257, 493),
        "C2": (1257, 651),
        "D": (1257, 708),
        "E": (1257, 394),
        "F": (1257, 528),
        "F with friction": (1296, 3505),
    },
    "force1": {
        "A": (1416, 10164),
        "B": (1355, 7568),
        "C1": (1257, 3598),
        "C2": (1257, 2838),
        "D": (1278, 2856),
        "E": (1262, 3963),
        "F": (1259, 3858),
        "F with friction": (1422, 10937),
    },
}
"""Steps and Jacobian updates by load case and law.

Processor seconds of the motions then, on a busy machine (A, B, C1, C2, D, E, F, F with friction): gravity 17, 16, 9,
9, 12, 12, 11, 92; force0 14, 11, 10, 12, 13, 10, 12, 36; force1 33, 25, 16, 18, 18, 15, 19, 87. As in the source all
laws cost alike under force0, and the linear one most where the sheets bend to both sides.
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
