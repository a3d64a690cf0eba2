"""The friction bar with bolts: two preload areas at the outer holes, bent at the free end.

Model: thesis of the ContactDefiner, sections 4.1.2 and 4.1.3 and figure 4.10; deck of the friction bar. The
bolts press on the washer rings as pressures of 6000 N; the thesis couples the rings to a node.
"""

from collections.abc import Mapping
from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples._measured import (
    end_of_curve,
    gap_norm_without_preload_mode,
    mounted_unreduced,
    with_joint_modes,
    with_method,
)
from faying.examples._projects import (
    FRICTION_BAR_DECK,
    RICH,
    as_before,
    equals_unreduced,
    friction_bar,
    project_of,
)
from faying.fem.model import FeModel
from faying.project.specs import Project

BOLT_FORCE, END_FORCE = 6000.0, 100.0
_CURVE = "load uz"
_EQUILIBRIUM = "equilibrium of the upper sheet: bolts, end force and the two beams in the middle holes"


@examples.register("friction-bar-preloaded")
class FrictionBarPreloaded(Example):
    """Preload mode and joint modes from its derivatives, against all derivatives and no preload mode."""

    title: ClassVar[str] = "Friction bar, preloaded"
    summary: ClassVar[str] = (
        "Two bolts press the sheets together: a preload mode and joint modes related to it."
    )
    picture: ClassVar[tuple[str, str]] = ("up", "pressure")
    film: ClassVar[tuple[str, str]] = ("up", "pressure")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "normal_force_mounted", "force", 2 * BOLT_FORCE, "analytical", 1e-4,
            f"{_EQUILIBRIUM}; their tension is taken off",
        ),
        Expected(
            "normal_force_up", "force", 2 * BOLT_FORCE - END_FORCE, "analytical", 1e-4,
            f"{_EQUILIBRIUM}, of the unreduced model",
        ),
        equals_unreduced(
            "gap_norm_mounted_reduced_to_unreduced", 1e-5, f"the preload mode is this state; {RICH}"
        ),
        as_before(
            "gap_norm_mounted_error_without_preload_mode", 0.0957, 0.05,
            "as many joint modes without the preload mode",
        ),
        equals_unreduced("tip_up_reduced_to_unreduced", 0.015),
        Expected(
            "tip_down", "length", -25.71972, "unreduced model", 0.01,
            f"recorded from an unreduced static analysis with the opposite end force; {RICH}",
        ),
        as_before(
            "tip_up_error_all_derivatives", 0.0168, 0.05,
            "as many joint modes from all derivatives, which the thesis too finds slower (figure 4.13)",
        ),
        equals_unreduced("tip_up_20_snapshots_to_unreduced", 0.006),
        as_before("tip_up_unreduced", 24.402, 1e-3, quantity="length"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer load steps."""
        common = {"body": "bar", "support": "mounting", "preloads": ["bolts"]}
        steps = {"load_steps": 6 if quick else 20}
        up = [{"interface": "load", "force": (0.0, 0.0, END_FORCE)}]
        down = [{"interface": "load", "force": (0.0, 0.0, -END_FORCE)}]
        areas = [f"WASHER{bolt}_S{sheet}" for bolt in (1, 2) for sheet in (1, 2)]
        body = friction_bar(
            vibration_modes=20,
            preloads=[{"name": "bolts", "loads": [_pressed(area) for area in areas]}],
            joint_modes={"kind": "weighted_pod", "count": 40, "derivatives": {"kind": "preload_related"}},
        )
        return project_of(
            "Friction bar, preloaded",
            "Two bolts of 6000 N, then 100 N at the end, up and down (thesis section 4.1.2).",
            FRICTION_BAR_DECK,
            body,
            [
                {"kind": "static", "name": "up", **common, **steps, "loads": up},
                {"kind": "static", "name": "down", **common, **steps, "loads": down},
                {"kind": "unreduced_static", "name": "up, unreduced", **common, "loads": up},
            ],
        )

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return joint forces, and what reduction changes in gaps and deflections."""
        model, mounted = run.value("model"), mounted_unreduced(run)
        with closing(run.results("up")) as results:
            force = float(results.curve("lap joint normal force")[0])
            gap_norm = float(results.curve("lap joint gap norm")[0])
        with closing(run.results("up, unreduced")) as results:
            force_up = float(results.curve("lap joint normal force")[-1])
            bent = results.displacement(results.n_frames - 1)
            assert bent is not None  # an unreduced analysis stores it
        up = end_of_curve(run, "up, unreduced", _CURVE)
        snapshots = with_method(run.project, "equilibrium_snapshots", count=20)
        all_derivatives = with_joint_modes(run.project, derivatives={"kind": "all"})
        return {
            "normal_force_mounted": force - tension_of_beams(model, mounted.displacement),
            "normal_force_up": force_up - tension_of_beams(model, bent),
            "gap_norm_mounted_reduced_to_unreduced": gap_norm / mounted.gap_norm,
            "gap_norm_mounted_error_without_preload_mode": abs(
                gap_norm_without_preload_mode(run, "up", 40) / mounted.gap_norm - 1.0
            ),
            "tip_up_reduced_to_unreduced": end_of_curve(run, "up", _CURVE) / up,
            "tip_down": end_of_curve(run, "down", _CURVE),
            "tip_up_error_all_derivatives": abs(end_of_curve(run, "up", _CURVE, all_derivatives) / up - 1.0),
            "tip_up_20_snapshots_to_unreduced": end_of_curve(run, "up", _CURVE, snapshots) / up,
            "tip_up_unreduced": up,
        }


def _pressed(surface: str) -> Mapping[str, Any]:
    selection = {"kind": "deck_surface", "name": surface}
    return {"kind": "surface_force", "surface": selection, "force": BOLT_FORCE}


def tension_of_beams(model: FeModel, displacement: np.ndarray) -> float:
    """Return the sum of the tensions E A Δl / l of the straight two-node beams.

    Args:
        model: of the body.
        displacement: (3 n_nodes,).
    """
    moved, tension = displacement.reshape(-1, 3), 0.0
    for block in model.blocks:
        if block.element == "beam2" and block.section is not None:
            first, last = block.connectivity.T
            chords = model.nodes[last] - model.nodes[first]
            squares = np.einsum("ij,ij->i", chords, chords)
            strains = np.einsum("ij,ij->i", chords, moved[last] - moved[first]) / squares
            tension += model.materials[block.material].youngs_modulus * block.section.area * strains.sum()
    return float(tension)
