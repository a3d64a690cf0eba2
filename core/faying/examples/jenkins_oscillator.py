"""A mass on a spring that rubs on the ground by a slider (Jenkins element): five analyses against closed forms.

With the spring k and the limit F of the slider, mass and own spring one, and one harmonic of the amplitude a > F/k, the
slider has the stiffness k′ = (k/π)(θ − ½ sin 2θ), θ = arccos(1 − 2F/(k a)), and the damping k″ = (4F/πa)(1 − F/(k a))
(Caughey 1960, Sinusoidal excitation of a system with bilinear hysteresis, J. Appl. Mech. 27, 640-643).
"""

import math
from contextlib import closing
from importlib.resources import files
from typing import ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.projects import bodies_project
from faying.examples.switched_off import without_friction
from faying.project.specs import Project
from faying.results.results import Results

SPRING, LIMIT, DAMPING, AIR = 0.3, 0.2, 0.01, 0.002  # N/m, N, N s/m, ratio
AMPLITUDES = (0.5, 0.7, 1.0, 1.4, 2.0)
LOAD = 0.0958938  # N, k″ + D ω of the amplitude one
_HARMONIC = (
    "one harmonic of the slider in closed form (Caughey 1960); higher ones change it by half a per cent"
)
_LOOP = "ω² = 1 + F/a and the work 4 F (a − F/k) of a loop"
_MADE = "the value that made the points, which have scatter; within the interval of 99 % confidence"
_TURN = 2.0 * math.pi


@examples.register("jenkins-oscillator")
class JenkinsOscillator(Example):
    """Quasi-static modes, nonlinear mode, harmonic balance and an identification of one slider."""

    title: ClassVar[str] = "Jenkins oscillator"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "Frequency and damping over amplitude of one slider, in closed form; parameters from a test."
    )
    film: ClassVar[tuple[str, str]] = ("nonlinear mode", "displacement")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected("stuck_angular_frequency", "", math.sqrt(1.3), "analytical", 1e-6, "√(1 + k)"),
        Expected("nonlinear_mode_angular_frequency_at_1", "", 1.1011188, "analytical", 1e-3, _HARMONIC),
        Expected("nonlinear_mode_damping_at_1", "", 0.0395451, "analytical", 1e-2, _HARMONIC),
        Expected("nonlinear_mode_angular_frequency_at_2", "", 1.0428506, "analytical", 1e-3, _HARMONIC),
        Expected("nonlinear_mode_damping_at_2", "", 0.0438197, "analytical", 1e-2, _HARMONIC),
        Expected("quasi_static_angular_frequency_at_1", "", 1.0954451, "analytical", 1e-5, _LOOP),
        Expected("quasi_static_damping_at_1", "", 0.0353678, "analytical", 3e-3, _LOOP),
        Expected("forced_amplitude_at_resonance", "", 1.0, "analytical", 1e-2, _HARMONIC),
        Expected("identified_friction_coefficient", "", LIMIT, "analytical", 0.05, _MADE),
        Expected("identified_sticking_stiffness", "", SPRING, "analytical", 0.05, _MADE),
        Expected("identified_damping_of_the_air", "", AIR, "analytical", 0.1, _MADE),
        Expected("intervals_that_contain_the_truth", "", 3.0, "analytical", 0.0, "of the three parameters"),
    )

    def build(self, quick: bool = False) -> Project:
        """Return the project; a quick run is the whole one."""
        common = {"body": "mass", "support": "frame", "preloads": ["bolts"]}
        over = {**common, "mode": 1, "point": "point", "direction": "x", "chosen_amplitudes": AMPLITUDES}
        air = {"mass_damping": DAMPING}
        body = {
            "name": "mass",
            "model": {"path": "jenkins.mat"},
            "interfaces": [{"name": name, "node_set": name} for name in ("frame", "point")],
            "joints": [
                {
                    "name": "interface",
                    "master": {"kind": "deck_surface", "name": "interface master"},
                    "slave": {"kind": "deck_surface", "name": "interface slave"},
                    "contact_law": {"kind": "linear_penalty", "stiffness": 1e3},
                    "friction_law": {
                        "kind": "coulomb", "friction_coefficient": LIMIT, "sticking_stiffness": SPRING,
                        "sliding_stiffness": 0.0,
                    },
                }
            ],
            "preloads": [{"name": "bolts"}],
        }  # fmt: skip
        test = str(files("faying_resources") / "examples" / "jenkins_test.csv")
        return bodies_project(
            self.title,
            "A mass on a spring that rubs on the ground: every number in closed form.",
            [body],
            [
                {"kind": "quasi_static_modes", "name": "quasi-static", **over, "loop": "masing", "load_steps": 12},
                {"kind": "nonlinear_mode", "name": "nonlinear mode", **over, **air},
                {
                    "kind": "harmonic_balance", "name": "swept", **common, **air,
                    "loads": [{"interface": "point", "force": [LOAD, 0.0, 0.0]}],
                    "lowest_frequency": 0.12, "highest_frequency": 0.24,
                },
                {"kind": "measured", "name": "test", "body": "mass", "file": test},
                {
                    "kind": "identification", "name": "fit", "body": "mass", "model": "quasi-static",
                    "measured": "test", "damping_error": 0.05, "confidence": 0.99,
                    "parameters": [
                        {"quantity": "friction coefficient"}, {"quantity": "sticking stiffness"},
                        {"quantity": "added damping"},
                    ],
                },
            ],
            "m-kg-s",
        )  # fmt: skip

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with a mass that slides freely; nothing can be fitted then."""
        free = without_friction(project)
        return {
            "friction": free.with_(analyses=tuple(a for a in free.analyses if a.kind != "identification"))
        }

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return frequencies and damping ratios at amplitudes of the closed forms, and the identified parameters."""
        with closing(run.results("quasi-static")) as quasi, closing(run.results("nonlinear mode")) as mode:
            found = {
                "stuck_angular_frequency": _TURN * mode.report["stuck_frequency"],
                "nonlinear_mode_angular_frequency_at_1": _TURN * _at(mode, "natural frequency", 1.0),
                "nonlinear_mode_damping_at_1": _at(mode, "damping ratio", 1.0),
                "nonlinear_mode_angular_frequency_at_2": _TURN * _at(mode, "natural frequency", 2.0),
                "nonlinear_mode_damping_at_2": _at(mode, "damping ratio", 2.0),
                "quasi_static_angular_frequency_at_1": _TURN * _at(quasi, "natural frequency", 1.0),
                "quasi_static_damping_at_1": _at(quasi, "damping by friction", 1.0),
            }
        with closing(run.results("swept")) as swept:
            found["forced_amplitude_at_resonance"] = _at(swept, "point ux", 1.1011188 / _TURN)
        if all(analysis.name != "fit" for analysis in run.project.analyses):
            return found
        with closing(run.results("fit")) as fit:
            rows = {row["parameter"]: row for row in fit.report["identified"]}
        true = {"friction coefficient": LIMIT, "sticking stiffness": SPRING, "added damping": AIR}
        inside = [rows[name]["lower"] < value < rows[name]["upper"] for name, value in true.items()]
        return found | {
            "identified_friction_coefficient": rows["friction coefficient"]["value"],
            "identified_sticking_stiffness": rows["sticking stiffness"]["value"],
            "identified_damping_of_the_air": rows["added damping"]["value"],
            "intervals_that_contain_the_truth": float(sum(inside)),
        }


def _at(results: Results, curve: str, value: float) -> float:
    """Return a curve at a value of the axis, between frames in a straight line."""
    order = np.argsort(results.values)
    return float(np.interp(value, results.values[order], results.curve(curve)[order]))
