"""Mechanisms of the literature. Kinds of reference: published values, closed equations, kept energy."""

import numpy as np
import pytest

from support.systems import BAR, DOWN_Y, moved, ready, system_of

# --- Andrews' squeezing mechanism (Schiehlen 1990; test set for initial value problems), in m, kg and s

A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
D, DA, E, EA, RR, RA, SS = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035
SA, SB, SC, SD, ZT, TA, TB = 0.01874, 0.01043, 0.018, 0.02, 0.04, 0.02308, 0.00916
U, UA, UB, ZF, FA = 0.04, 0.01228, 0.00449, 0.02, 0.01421
BETA, GAMMA, PHI, DELTA, EPSILON = (
    -0.0617138900142764, 0.4552798191630704, 0.2226683901658859, 0.4873649795438426, 1.2305474445498212,
)  # fmt: skip
MASSES = {
    "one": (0.04325, 2.194e-6), "two": (0.00365, 4.410e-7), "three": (0.02373, 5.255e-6), "four": (0.00706, 5.667e-7),
    "five": (0.07050, 1.169e-5), "six": (0.00706, 5.667e-7), "seven": (0.05498, 1.912e-5),
}  # fmt: skip


def turned(angle, x, y):
    return np.array([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y])


def squeezer():
    pin = turned(BETA, RR, 0)
    end_of_five, end_of_seven = A + turned(DELTA, ZT, 0), A + turned(EPSILON, 0, -U)
    placed = {
        "one": (turned(BETA, RA, 0), BETA),
        "two": (pin + turned(BETA, -DA, 0), BETA),
        "three": (B + turned(GAMMA, SB, -SA), GAMMA),
        "four": (end_of_five + turned(PHI + DELTA, 0, EA - E), PHI + DELTA),
        "five": (A + turned(DELTA, TA, TB), DELTA),
        "six": (end_of_seven + turned(EPSILON - PHI, ZF - FA, 0), EPSILON - PHI),
        "seven": (A + turned(EPSILON, -UB, -UA), EPSILON),
    }
    markers = {
        "one": {"o": (-RA, 0), "pin": (RR - RA, 0)},
        "two": {"pin": (DA, 0), "p": (DA - D, 0)},
        "three": {"b": (-SB, SA), "p": (-SB, SA - SS), "d": (SD - SB, SA - SC)},
        "four": {"end": (0, E - EA), "p": (0, -EA)},
        "five": {"a": (-TA, -TB), "end": (ZT - TA, -TB)},
        "six": {"end": (FA - ZF, 0), "p": (FA, 0)},
        "seven": {"a": (UB, UA), "end": (UB, UA - U)},
    }
    parts = [
        {
            "kind": "rigid", "name": name, "mass": mass, "moments_of_inertia": (inertia, inertia, inertia),
            "markers": [{"name": n, "position": (*p, 0.0)} for n, p in markers[name].items()],
            "placement": {"position": (*placed[name][0], 0.0), "rotation": (0, 0, placed[name][1])},
        }
        for name, (mass, inertia) in MASSES.items()
    ]  # fmt: skip
    hinges = {
        "beta": ("ground.origin", "one.o"), "theta": ("one.pin", "two.pin"), "gamma": ("ground.b", "three.b"),
        "delta": ("ground.a", "five.a"), "phi": ("five.end", "four.end"), "epsilon": ("ground.a", "seven.a"),
        "omega": ("seven.end", "six.end"),
    }  # fmt: skip
    constraints = [
        {"kind": "revolute", "name": n, "first": first, "second": second}
        for n, (first, second) in hinges.items()
    ]
    constraints += [
        {"kind": "point_on_line", "name": f"p {name}", "first": "two.p", "second": f"{name}.p"}
        for name in ("three", "four", "six")
    ]
    forces = [
        {"kind": "spring_damper", "name": "spring", "first": "ground.c", "second": "three.d", "stiffness": 4530.0,
         "free_length": 0.07785},
        {"kind": "rotary_actuator", "name": "motor", "first": "ground.origin", "second": "one.o", "torque": 0.033},
    ]  # fmt: skip
    ground = [{"name": n, "position": (*p, 0.0)} for n, p in {"a": A, "b": B, "c": C}.items()]
    return system_of(ground=ground, parts=parts, constraints=constraints, forces=forces)


def test_andrews_squeezing_mechanism(tmp_path):
    results = moved(squeezer(), tmp_path, 0.03, tolerance=1e-6, first_step=1e-6, largest_step=4e-5, frames=10)
    assert results.curve("beta angle")[-1] == pytest.approx(15.81077119629904, abs=5e-3)
    for name, value in {
        "delta": 0.5244099658805304, "epsilon": 1.048080741042263, "gamma": 0.04082224013073101,
    }.items():  # fmt: skip
        assert results.curve(f"{name} angle")[-1] == pytest.approx(value, abs=2e-3)


# --- two windows of a four-bar (IFToMM library of computational benchmarks, A02)


def windows():
    links = [
        {**BAR, "name": f"link {k}", "placement": {
            "position": (k, 0.5, 0), "rotation": (0, 0, np.pi / 2), "velocity": (0.5, 0, 0), "spin": (0, 0, -1.0)}}
        for k in range(3)
    ]  # fmt: skip
    bars = [
        {**BAR, "name": f"bar {k}", "placement": {"position": (k + 0.5, 1, 0), "velocity": (1.0, 0, 0)}}
        for k in range(2)
    ]
    constraints = [
        {"kind": "revolute", "name": f"hinge {k}", "first": f"ground.{k}", "second": f"link {k}.left"}
        for k in range(3)
    ]
    for k in range(2):
        constraints += [
            {"kind": "revolute", "name": f"pin {k}", "first": f"link {k}.right", "second": f"bar {k}.left"},
            {"kind": "point_on_line", "name": f"end {k}", "first": f"link {k + 1}.right", "second": f"bar {k}.right"},
        ]  # fmt: skip
    ground = [{"name": str(k), "position": (k, 0, 0)} for k in range(3)]
    return system_of(ground=ground, parts=[*links, *bars], constraints=constraints, gravity=DOWN_Y)


def test_two_windows_pass_their_dead_point(tmp_path):
    """θ̈ = −g ((N + 1)/2 + N) cos θ/((N + 1)/3 + N), through θ = 0 where all lie in a line; −1.767074476 after 1 s."""
    results = moved(windows(), tmp_path, 1.0, tolerance=1e-6, first_step=1e-4, largest_step=2e-3, frames=40)
    assert results.curve("hinge 0 angle")[-1] == pytest.approx(-1.767074476, abs=2e-3)
    energy = results.curve("total energy")
    assert np.ptp(energy) < 1e-2


# --- Bricard's linkage (IFToMM library, A04): six hinges on the corners of a cube, bars along its edges


def bricard():
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]], float)
    # Axes are square to both bars; a rotation vector turns z into each.
    turns = {
        "x": (0.0, np.pi / 2, 0.0),
        "y": (-np.pi / 2, 0.0, 0.0),
        "z": (0.0, 0.0, 0.0),
    }
    axes = "yzxyzx"
    parts, names = [], []
    for k in range(5):
        middle, way = 0.5 * (corners[k] + corners[k + 1]), corners[k + 1] - corners[k]
        moments = tuple(1e-3 if way[i] else 1.0 / 12.0 for i in range(3))
        parts.append({
            "kind": "rigid", "name": f"bar {k}", "mass": 1.0, "moments_of_inertia": moments,
            "markers": [
                {"name": "left", "position": tuple(corners[k] - middle), "rotation": turns[axes[k]]},
                {"name": "right", "position": tuple(corners[k + 1] - middle), "rotation": turns[axes[k + 1]]},
            ],
            "placement": {"position": tuple(middle)},
        })  # fmt: skip
        names.append((f"bar {k}.left", f"bar {k}.right"))
    ends = ["ground.first", *(name for pair in names for name in pair), "ground.last"]
    constraints = [
        {"kind": "revolute", "name": f"hinge {k}", "first": ends[2 * k], "second": ends[2 * k + 1]}
        for k in range(6)
    ]
    ground = [
        {"name": "first", "position": tuple(corners[0]), "rotation": turns[axes[0]]},
        {"name": "last", "position": tuple(corners[5]), "rotation": turns[axes[5]]},
    ]
    return system_of(ground=ground, parts=parts, constraints=constraints, gravity=(0.0, -9.81, 0.0))


def test_bricards_linkage_moves_although_equations_count_against_it(tmp_path):
    """5 · 6 − 6 · 5 = 0 degrees by Kutzbach; one equation follows from the others, and one degree is left."""
    spec = bricard()
    freedom = ready(spec).freedom
    assert freedom.degrees == 1 and len(freedom.redundant) == 1
    results = moved(spec, tmp_path, 0.4, tolerance=1e-6, largest_step=4e-3, frames=10)
    assert np.abs(results.curve("hinge 0 angle")).max() > 0.1
    assert np.ptp(results.curve("total energy")) < 5e-3 * results.curve("kinetic energy").max()
