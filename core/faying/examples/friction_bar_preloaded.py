"""The friction bar with bolts: two preload areas at the outer holes, or one, bent at the free end.

Model: thesis of the ContactDefiner, sections 4.1.2 and 4.1.3 and figure 4.10; deck of the friction bar. As in
the thesis distributing couplings spread the bolts' forces of 6000 N from nodes in the holes over the washers' rings.
With one area the bolt next to the mounting stays; the other is not there at all.
"""

from contextlib import closing
from typing import Any, ClassVar

import numpy as np

from faying.analyses.convergence_study import TABLE, ConvergenceStudy
from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.error_curves import ErrorCurves, error_curves, error_table
from faying.examples.joint_stresses import (
    RICH_BASIS,
    Correction,
    correction_table,
    corrections,
    joint_expectations,
    worst_errors,
)
from faying.examples.measured import (
    end_of_curve,
    gap_norm_without_preload_mode,
    mounted_unreduced,
    with_body,
)
from faying.examples.projects import (
    RICH,
    WIDE_BAR_DECK,
    as_before,
    equals_unreduced,
    friction_bar,
    no_error,
    project_of,
)
from faying.examples.switched_off import with_soft_contact
from faying.examples.tables import Table
from faying.fem.model import BeamSection, FeModel
from faying.project.specs import Project

RELATED, ALL, WITHOUT = "related derivatives", "all derivatives", "all, no preload mode"
SNAPSHOTS = "equilibrium snapshots"
LOADS = ("up", "down")
BOLT_FORCE, END_FORCE = 6000.0, 100.0
COUNTS = (0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80)
_METHODS = {
    RELATED: {"kind": "weighted_pod", "derivatives": {"kind": "preload_related"}},
    ALL: {"kind": "weighted_pod"},
    SNAPSHOTS: {"kind": "equilibrium_snapshots"},
}
_CURVE = "load uz"
_COMMON = {"body": "bar", "support": "mounting", "preloads": ["bolts"]}
_END_LOADS = {
    name: {"interface": "load", "force": (0.0, 0.0, sign * END_FORCE)}
    for name, sign in zip(LOADS, (1.0, -1.0), strict=True)
}
_EQUILIBRIUM = "equilibrium of the upper sheet: bolts, end force and the two beams in the middle holes"


@examples.register("friction-bar-preloaded")
class FrictionBarPreloaded(Example):
    """Preload mode and joint modes from its derivatives, against all derivatives and no preload mode.

    The bar with one bolt is a variant of the project, which only a full run computes.
    """

    title: ClassVar[str] = "Friction bar, preloaded"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "Two bolts, or one, press the sheets together: a preload mode and joint modes related to it."
    )
    takes_long: ClassVar[bool] = True
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
            "gap_norm_mounted_error_without_preload_mode", 0.3322, 0.05,
            "as many joint modes without the preload mode",
        ),
        equals_unreduced("tip_up_reduced_to_unreduced", 0.02),
        Expected(
            "tip_down", "length", -22.66571, "unreduced model", 0.01,
            f"recorded from an unreduced static analysis with the opposite end force; {RICH}",
        ),
        as_before("tip_up_unreduced", 21.6936, 1e-3, quantity="length"),
        as_before(
            "tip_up_error_all_derivatives", 0.01201, 0.05,
            "40 joint modes from all derivatives; with related ones it is 1.5 %",
        ),
        no_error("tip_up_error_20_snapshots", 0.006),
        no_error("tip_up_error_40_snapshots", 0.001),
        no_error(
            "gap_norm_up_error_40_snapshots", 0.05,
            "bolts and load close the joint, so this is 5 % of 1.4 µm on average; 40 joint modes from related "
            "derivatives are more than 100 % off",
        ),
        no_error("gap_norm_up_error_60_snapshots", 0.02, f"likewise; {RICH}"),
        no_error("gap_norm_down_error_40_snapshots", 0.025),
        *joint_expectations(0.05, 0.07, ", up and down"),
        Expected(
            "normal_force_mounted_one", "force", BOLT_FORCE, "analytical", 1e-4,
            f"{_EQUILIBRIUM}; one bolt, unreduced model",
        ),
        no_error("tip_up_one_error", 0.01, f"one bolt, 80 joint modes from all derivatives; {RICH}"),
        no_error("tip_down_one_error", 0.01, f"one bolt, 80 joint modes from all derivatives; {RICH}"),
        no_error("tip_up_one_error_related", 0.01, f"one bolt, 80 joint modes from related derivatives; {RICH}"),
        as_before("tip_up_one_unreduced", 22.0516, 1e-3, "one bolt", quantity="length"),
        as_before("tip_down_one_unreduced", -22.6945, 1e-3, "one bolt", quantity="length"),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer load steps and studies no joint modes."""
        common, up, down = _COMMON, [_END_LOADS["up"]], [_END_LOADS["down"]]
        steps = {"load_steps": 6 if quick else 20}
        body = bolted_bar(
            joint_modes={"kind": "weighted_pod", "count": 40, "derivatives": {"kind": "preload_related"}},
        )
        return project_of(
            "Friction bar, preloaded",
            "Two bolts of 6000 N, then 100 N at the end, up and down (thesis sections 4.1.2, 4.1.3).",
            WIDE_BAR_DECK,
            body,
            [
                {"kind": "static", "name": "up", **common, **steps, "loads": up},
                {"kind": "static", "name": "down", **common, **steps, "loads": down},
                {"kind": "unreduced_static", "name": "up, unreduced", **common, "loads": up},
                {
                    "kind": "convergence_study",
                    "name": "convergence",
                    **common,
                    "loads": up,
                    "both_signs": True,
                    "counts": (0,) if quick else COUNTS,
                    "methods": [_METHODS[RELATED]] if quick else list(_METHODS.values()),
                    "unreduced": not quick,
                },
            ],
        )

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with sheets that hardly feel each other."""
        return {"contact": with_soft_contact(project)}

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
        found = {
            "normal_force_mounted": force - tension_of_beams(model, mounted.displacement),
            "normal_force_up": force_up - tension_of_beams(model, bent),
            "gap_norm_mounted_reduced_to_unreduced": gap_norm / mounted.gap_norm,
            "tip_up_reduced_to_unreduced": end_of_curve(run, "up", _CURVE) / up,
            "tip_down": end_of_curve(run, "down", _CURVE),
            "tip_up_unreduced": up,
        }
        return found | _measure_more(run) if _is_full(run.project) else found

    def tables(self, run: ExampleRun) -> dict[str, Table]:
        """Return the errors of all bases; not for a quick run."""
        if not _is_full(run.project):
            return {}
        two, one = _error_curves(run, run.project), _error_curves(run, with_one_bolt(run.project))
        return {
            "errors_two_bolts": error_table(two),
            "errors_one_bolt": error_table(one),
            "joint_stresses": correction_table({"60 equilibrium snapshots": _corrections(run)}),
        }


def bolted_bar(**decisions: Any) -> dict[str, Any]:
    """Return the decisions of the friction bar with bolts, as the thesis models them; more of them by keyword."""
    nodes = [(bolt, sheet) for bolt in (1, 2) for sheet in (1, 2)]
    body = friction_bar(vibration_modes=20)
    return {
        **body,
        "couplings": [
            {
                "name": f"BOLT{bolt}_S{sheet}", "behaviour": "distributing",
                "surface": {"kind": "deck_surface", "name": f"WASHER{bolt}_S{sheet}"},
            }
            for bolt, sheet in nodes
        ],
        "interfaces": [
            *body["interfaces"],
            *(
                {"name": f"bolt {bolt} sheet {sheet}", "node_set": f"BOLT{bolt}_S{sheet}", "components": (2,)}
                for bolt, sheet in nodes
            ),
        ],
        "preloads": [
            {
                "name": "bolts",
                "loads": [
                    {
                        "kind": "node_force", "interface": f"bolt {bolt} sheet {sheet}",
                        # The lower sheet is pressed up, the upper one down.
                        "force": (0.0, 0.0, BOLT_FORCE if sheet == 1 else -BOLT_FORCE),
                    }
                    for bolt, sheet in nodes
                ],
            }
        ],
        **decisions,
    }  # fmt: skip


def with_one_bolt(project: Project) -> Project:
    """Return the project without the bolt at the far end: no force, no coupling and no interface nodes there."""
    body = project.bodies[0]
    (case,) = body.preloads
    return with_body(
        project,
        preloads=(case.with_(loads=case.loads[:2]),),
        couplings=body.couplings[:2],
        interfaces=body.interfaces[:-2],
    )


def _measure_more(run: ExampleRun) -> dict[str, float]:
    """Return what a quick run leaves out: bases of other derivatives, and the bar with one bolt."""
    variant = with_one_bolt(run.project)
    two, one = _error_curves(run, run.project), _error_curves(run, variant)
    up, down = (one[ALL, load] for load in LOADS)
    model, mounted = run.value("model", project=variant), mounted_unreduced(run, variant)
    unreduced = _unreduced(_table(run, variant))
    return {
        "gap_norm_mounted_error_without_preload_mode": abs(
            gap_norm_without_preload_mode(run, "up", 40) / mounted_unreduced(run).gap_norm - 1.0
        ),
        "tip_up_error_all_derivatives": two[ALL, "up"].motion_at(40),
        "tip_up_error_20_snapshots": two[SNAPSHOTS, "up"].motion_at(20),
        "tip_up_error_40_snapshots": two[SNAPSHOTS, "up"].motion_at(40),
        "gap_norm_up_error_40_snapshots": two[SNAPSHOTS, "up"].gaps_at(40),
        "gap_norm_up_error_60_snapshots": two[SNAPSHOTS, "up"].gaps_at(60),
        "gap_norm_down_error_40_snapshots": two[SNAPSHOTS, "down"].gaps_at(40),
        **worst_errors(_corrections(run)),
        "normal_force_mounted_one": mounted.normal_force - tension_of_beams(model, mounted.displacement),
        "tip_up_one_error": up.motion_at(COUNTS[-1]),
        "tip_down_one_error": down.motion_at(COUNTS[-1]),
        "tip_up_one_error_related": one[RELATED, "up"].motion_at(COUNTS[-1]),
        "tip_up_one_unreduced": unreduced["up"][0],
        "tip_down_one_unreduced": -unreduced["down"][0],
    }


def _corrections(run: ExampleRun) -> dict[str, Correction]:
    return corrections(run, RICH_BASIS, _END_LOADS, _COMMON)


def _study(project: Project) -> ConvergenceStudy:
    study = project.analysis("convergence")
    assert isinstance(study, ConvergenceStudy)
    return study


def _is_full(project: Project) -> bool:
    return _study(project).unreduced


def _table(run: ExampleRun, project: Project) -> np.ndarray:
    with closing(run.results("convergence", project)) as results:
        return results.table(TABLE)[1]


def _unreduced(table: np.ndarray) -> dict[str, tuple[float, float]]:
    """Return motion along the load and ‖g_N‖₂ of the unreduced model for each load."""
    rows = table[table[:, 0] == -1]
    return {load: (float(row[3]), float(row[4])) for load, row in zip(LOADS, rows, strict=True)}


def _error_curves(run: ExampleRun, project: Project) -> ErrorCurves:
    """Return the errors of every basis under each load; the one without preload mode from a study of its own."""
    study, table = _study(project), _table(run, project)
    alone = study.with_(
        methods=(study.methods[list(_METHODS).index(ALL)],), preload_modes=False, unreduced=False
    )
    without = _table(run, project.with_(analyses=(alone,)))
    references = _unreduced(table)
    return error_curves(table, tuple(_METHODS), references) | error_curves(without, (WITHOUT,), references)


def tension_of_beams(model: FeModel, displacement: np.ndarray) -> float:
    """Return the sum of the tensions E A Δl / l of the straight two-node beams.

    Args:
        model: of the body.
        displacement: (3 n_nodes,).
    """
    moved, tension = displacement.reshape(-1, 3), 0.0
    for block in model.blocks:
        if block.element == "beam2" and isinstance(block.section, BeamSection):
            first, last = block.connectivity.T
            chords = model.nodes[last] - model.nodes[first]
            squares = np.einsum("ij,ij->i", chords, chords)
            strains = np.einsum("ij,ij->i", chords, moved[last] - moved[first]) / squares
            tension += model.materials[block.material].youngs_modulus * block.section.area * strains.sum()
    return float(tension)
