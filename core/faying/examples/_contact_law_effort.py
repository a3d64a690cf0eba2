"""What each contact law costs on the car pendulum: steps and Jacobian updates as they were counted."""

from typing import Any

from faying.examples import Expected

RUBBED = "F with friction"  # beside the laws' letters

EFFORT: dict[str, dict[str, tuple[int, int]]] = {
    "gravity": {
        "A": (1318, 4859),
        "B": (1291, 3367),
        "C1": (1258, 2129),
        "C2": (1257, 1893),
        "D": (1262, 1744),
        "E": (1260, 2061),
        "F": (1260, 2080),
        "F with friction": (1392, 8071),
    },
    "force0": {
        "A": (1257, 453),
        "B": (1257, 461),
        "C1": (1257, 502),
        "C2": (1257, 650),
        "D": (1257, 707),
        "E": (1257, 521),
        "F": (1257, 754),
        "F with friction": (1308, 3936),
    },
    "force1": {
        "A": (1405, 9892),
        "B": (1364, 7942),
        "C1": (1260, 3716),
        "C2": (1257, 2840),
        "D": (1277, 2807),
        "E": (1263, 3790),
        "F": (1262, 3841),
        "F with friction": (1373, 8395),
    },
}
"""Steps and Jacobian updates by load case and law.

Processor seconds of the motions then, on a busy machine (A, B, C1, C2, D, E, F, F with friction): gravity 17, 22, 15,
17, 16, 15, 18, 81; force0 15, 12, 10, 12, 12, 11, 10, 46; force1 37, 33, 22, 24, 25, 21, 17, 66. As in the source all
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
