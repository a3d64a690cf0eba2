"""Two beams with three bolts in a lap joint, free in space: frequency and damping of the first bending over amplitude.

The deck comes from ``make_three_bolt_beam.py``, which takes other dimensions as well. The beam is of the same kind as
the Brake-Reuss beam, but not that beam: section, bolts and contact laws are its own. Published numbers of that beam
are compared as an order of magnitude, and as nothing else.
"""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.projects import equals_unreduced, farthest_from_one, joint, project_of
from faying.examples.switched_off import without_friction
from faying.project.specs import Project

BOLTS, BOLT_FORCE, FRICTION, STICKING = 3, 4000.0, 0.1, 20_000.0  # -, N, -, N/mm³
LENGTH, LAP, WIDTH, THICKNESS = 720.0, 120.0, 25.0, 25.0  # mm
YOUNGS_MODULUS, DENSITY = 210_000.0, 7.85e-9  # MPa, t/mm³
_QUASI, _NONLINEAR = "backbone", "nonlinear mode"
_PUBLISHED = (
    "Brake-Reuss beam, rough contact (Porter and Brake 2023): a beam of this kind, so an order of magnitude"
)


@examples.register("three-bolt-beam")
class ThreeBoltBeam(Example):
    """Modes, quasi-static and nonlinear backbone of a free jointed beam."""

    title: ClassVar[str] = "Beam with three bolts"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = "Two beams in a lap joint: damping over amplitude, and a film of a period."
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = (_QUASI, "slip")
    film: ClassVar[tuple[str, str]] = (_NONLINEAR, "pressure")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "joint_over_bolts", "", 1.0, "analytical", 1e-3,
            "the lap presses with the force of the bolts: equilibrium of one beam, at each amplitude",
        ),
        equals_unreduced("stuck_frequency_over_unreduced", 1e-3),
        Expected(
            "stuck_frequency_between_bounds", "", 0.5, "analytical", 1.0,
            "0 where the moment in the lap is carried by one beam of half the thickness, 1 where the lap is of one "
            "piece: Euler and Bernoulli's beam with a step",
        ),
        Expected(
            "frequency_at_first_over_stuck", "", 1.0, "analytical", 5e-3,
            "no pair slips at an amplitude of 1 µm; on the coarse mesh of a quick run one of 217 does",
        ),
        Expected(
            "share_of_the_way_to_sliding", "", 1.0, "analytical", 0.3,
            "the whole lap slides at an amplitude of 1 mm, where friction adds little stiffness",
        ),
        Expected(
            "nonlinear_over_quasi_static_frequency", "", 1.0, "analytical", 0.03,
            "both are of one motion while its shape lasts (Lacayo and Allen 2019)",
        ),
        Expected("stuck_frequency", "frequency", 168.5, "published", 0.15, _PUBLISHED),
        Expected("largest_damping", "", 0.031, "published", 0.5, f"{_PUBLISHED}, at its largest amplitude"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes a coarse mesh and fewer amplitudes."""
        common = {"body": "beam", "preloads": ["bolts"]}
        over = {
            **common, "mode": 1, "point": "right end", "direction": "z", "smallest_amplitude": 0.001,
            "largest_amplitude": 1.0, "points": 6 if quick else 11,
        }  # fmt: skip
        return project_of(
            self.title,
            "Two steel beams with three bolts, free in space: damping by friction over the amplitude of an end.",
            f"three_bolt_beam{'_coarse' if quick else ''}.inp",
            _body(),
            [
                {"kind": "modes", "name": "modes", **common, "count": 4, "full": True, "against": "sliding"},
                {"kind": "quasi_static_modes", "name": _QUASI, **over, "loop_steps": 16},
                # Up to 16 µm: of a joint that slips more, some pairs open and close with very many harmonics.
                {
                    "kind": "nonlinear_mode",
                    "name": _NONLINEAR,
                    **over,
                    "largest_amplitude": 10.0**-1.8,
                    "points": 3 if quick else 5,
                    "harmonics": 5,
                },
            ],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with beams that slide freely."""
        return {"friction": without_friction(project)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return forces, frequencies and damping ratios next to bounds, limits and those of a similar beam."""
        with closing(run.results("modes")) as modes:
            row = modes.report["modes"][0]
        with closing(run.results(_QUASI)) as quasi:
            frequency, damping = quasi.curve("natural frequency"), quasi.curve("damping by friction")
            pressed = quasi.curve("lap normal force") / (BOLTS * BOLT_FORCE)
        with closing(run.results(_NONLINEAR)) as nonlinear:
            moving = nonlinear.curve("natural frequency")
        stuck, sliding = row["frequency"], row["frequency_of_like"]
        way = (
            float(stuck - frequency[-1]) / (stuck - sliding) if stuck > sliding else 0.0
        )  # none without friction
        lower, upper = (stepped_beam(share) for share in (1.0 / 8.0, 1.0))
        return {
            "joint_over_bolts": farthest_from_one(pressed),
            "stuck_frequency_over_unreduced": stuck / row["fe_frequency"],
            "stuck_frequency_between_bounds": (stuck - lower) / (upper - lower),
            "frequency_at_first_over_stuck": float(frequency[0]) / stuck,
            "share_of_the_way_to_sliding": way,
            "nonlinear_over_quasi_static_frequency": farthest_from_one(moving / frequency[: len(moving)]),
            "stuck_frequency": stuck,
            "largest_damping": float(damping.max()),
        }


def stepped_beam(share: float) -> float:
    """Return the first natural frequency in Hz of the free beam whose lap has a share of the bending stiffness.

    Beam of Euler and Bernoulli, symmetric: even functions in the lap, those of a free end outside of it, and continuous
    deflection, slope, moment and shear force at the step.
    """
    bending = YOUNGS_MODULUS * WIDTH * THICKNESS**3 / 12.0
    per_length = DENSITY * WIDTH * THICKNESS
    step, arm = LAP / 2.0, (LENGTH - LAP) / 2.0

    def determinant(frequency: float) -> float:
        omega = 2.0 * np.pi * frequency
        inner, outer = ((per_length * omega**2 / ei) ** 0.25 for ei in (share * bending, bending))
        x, s = inner * step, outer * arm
        c, sn, ch, sh = np.cos(x), np.sin(x), np.cosh(x), np.sinh(x)
        cs, ss, chs, shs = np.cos(s), np.sin(s), np.cosh(s), np.sinh(s)
        # Derivatives by x of the functions of the free end, which is at s = 0, change their sign with each order.
        a, b = inner / outer, share * (inner / outer) ** 2
        return float(
            np.linalg.det(
                [
                    [c, ch, -(cs + chs), -(ss + shs)],
                    [-a * sn, a * sh, -ss + shs, cs + chs],
                    [-b * c, b * ch, cs - chs, ss - shs],
                    [a * b * sn, a * b * sh, ss + shs, -cs + chs],
                ]
            )
        )

    from scipy.optimize import brentq  # late: it takes long to import

    steps = np.linspace(10.0, 400.0, 400)
    values = [determinant(f) for f in steps]
    first = next(i for i in range(len(steps)) if values[i] * values[i + 1] < 0.0)
    return float(brentq(determinant, steps[first], steps[first + 1]))


def _body() -> dict[str, Any]:
    """Return the decisions of the beam."""
    lap = joint("lap", "LAP_LEFT", "LAP_RIGHT", FRICTION)
    lap["friction_law"] |= {"sticking_stiffness": STICKING, "sliding_stiffness": 0.0}
    return {
        "name": "beam",
        "interfaces": [{"name": "left end", "node_set": "REF_LEFT"}, {"name": "right end", "node_set": "REF_RIGHT"}],
        "preloads": [
            {
                "name": "bolts",
                "loads": [
                    {"kind": "bolt_force", "bolt": f"BOLT {k + 1}", "force": BOLT_FORCE} for k in range(BOLTS)
                ],
            }
        ],
        "joints": [lap],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 20},
        "joint_modes": {"kind": "error_controlled", "vibration_modes": 20},
    }  # fmt: skip
