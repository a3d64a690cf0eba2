"""A connecting rod with bolted bearing cap under its bolt forces, then pulled.

Model: thesis of the ContactDefiner, section 4.2, figure 4.16 and table 4.1; geometry of our own
(``make_conrod.py`` beside the deck).
"""

from contextlib import closing
from typing import ClassVar

from faying.examples import Example, ExampleRun, Expected, examples
from faying.examples.joint_stresses import joint_errors
from faying.examples.measured import (
    end_of_curve,
    gap_norm_without_preload_mode,
    mounted_unreduced,
    with_joint_modes,
    with_method,
    without_estimates,
)
from faying.examples.projects import (
    CORRECTED,
    RICH,
    as_before,
    equals_unreduced,
    joint,
    no_error,
    project_of,
)
from faying.examples.switched_off import with_soft_contact
from faying.project.specs import Project

BOLT_FORCE = 16_500.0


@examples.register("conrod-static")
class ConrodStatic(Example):
    """Two cut bolts, distributing couplings at both bores: preload mode and joint modes of a closed joint."""

    title: ClassVar[str] = "Connecting rod with bolted cap, static"
    group: ClassVar[str] = "Joints with contact and friction"
    summary: ClassVar[str] = (
        "A bearing cap held by two bolts: the preload mode makes the mounted state exact."
    )
    takes_long: ClassVar[bool] = True
    picture: ClassVar[tuple[str, str]] = ("pulled", "pressure")
    film: ClassVar[tuple[str, str]] = ("pulled", "pressure")
    expected: ClassVar[tuple[Expected, ...]] = (
        Expected(
            "normal_force_mounted", "force", 2 * BOLT_FORCE, "analytical", 1e-6,
            "equilibrium of the cap: the joint carries both bolt forces, thesis table 4.1",
        ),
        equals_unreduced(
            "gap_norm_mounted_reduced_to_unreduced", 1e-8, f"the preload mode is this state; {RICH}"
        ),
        as_before(
            "gap_norm_mounted_error_without_preload_mode", 0.698, 0.01,
            "10 joint modes without the preload mode",
        ),
        equals_unreduced("stretch_pulled_reduced_to_unreduced", 0.001),
        equals_unreduced("gap_norm_pulled_reduced_to_unreduced", 0.07),
        equals_unreduced("stretch_pulled_20_snapshots_to_unreduced", 5e-4),
        equals_unreduced("gap_norm_pulled_20_snapshots_to_unreduced", 0.045),
        no_error("joint_stress_error_pulled", 0.05, f"stress tensors at the loaded slave nodes; {RICH}"),
        no_error("joint_stress_error_pulled_20_snapshots", 0.08, f"stress tensors at the loaded slave nodes; {RICH}"),
        no_error("joint_stress_error_corrected", 1e-6, f"stress tensors at the loaded slave nodes after {CORRECTED}"),
        no_error("joint_pressure_error_corrected", 1e-6, f"pressures likewise after {CORRECTED}"),
        as_before(
            "stretch_pulled_error_without_joint_modes", 0.222, 0.01, "component modes and preload mode alone"
        ),
    )  # fmt: skip

    def build(self, quick: bool = False) -> Project:
        """Return the project; quick takes fewer load steps."""
        bolts = [(number, part) for number in (1, 2) for part in ("rod", "cap")]
        common = {"body": "rod", "support": "small end", "preloads": ["bolts"]}
        smooth = {"friction": False}  # as the preload modes and the unreduced references
        pull = {"interface": "big end", "force": (0.0, -20_000.0, 0.0)}
        body = {
            "name": "rod",
            "interfaces": [
                {"name": "big end", "node_set": "REF_BIG"},
                {"name": "small end", "node_set": "REF_SMALL"},
                *(
                    {
                        "name": f"bolt {number} {part}",
                        "node_set": f"REF_BOLT{number}_{part.upper()}",
                        "components": (2,),
                    }
                    for number, part in bolts
                ),
            ],
            "joints": [joint("cap joint", "JOINT_ROD", "JOINT_CAP", friction_coefficient=0.2)],
            "preloads": [
                {
                    "name": "bolts",
                    "loads": [
                        {
                            "kind": "node_force",
                            "interface": f"bolt {number} {part}",
                            # The shank pulls rod and cap towards the cut.
                            "force": (0.0, BOLT_FORCE if part == "cap" else -BOLT_FORCE, 0.0),
                        }
                        for number, part in bolts
                    ],
                }
            ],
            "reduction": {"kind": "craig_bampton", "vibration_modes": 20},
            "joint_modes": {"kind": "weighted_pod", "count": 40},
        }
        return project_of(
            "Connecting rod with bolted cap",
            "Bolt forces of 16 500 N, then 20 000 N along the rod at the crank pin (thesis section 4.2).",
            "conrod.inp",
            body,
            [
                {
                    "kind": "static", "name": "pulled", **common, **smooth, "loads": [pull],
                    "load_steps": 10 if quick else 40,
                },
                {"kind": "fe_correction", "name": "pulled, corrected", "body": "rod", "corrects": "pulled"},
                {"kind": "unreduced_static", "name": "pulled, unreduced", **common, **smooth, "loads": [pull]},
            ],
        )  # fmt: skip

    def switched_off(self, project: Project) -> dict[str, Project]:
        """Return the project with contact a thousand times softer; without any, nothing would hold the cap."""
        return {"contact": with_soft_contact(project, 1e-3)}

    def measure(self, run: ExampleRun) -> dict[str, float]:
        """Return the joint force, and what reduction changes in gaps and stretch."""
        mounted = mounted_unreduced(run)
        with closing(run.results("pulled")) as pulled:
            force = float(pulled.curve("cap joint normal force")[0])
            gap_norm = float(pulled.curve("cap joint gap norm")[0])
        gap_curve, stretch_curve = "cap joint gap norm", "big end uy"
        plain = without_estimates(run.project)
        without = with_joint_modes(plain, count=0)
        snapshots = with_method(plain, "equilibrium_snapshots", count=20)
        stretch = end_of_curve(run, "pulled, unreduced", stretch_curve)
        corrected = joint_errors(run, "pulled, corrected", "pulled, unreduced")
        return {
            "normal_force_mounted": force,
            "gap_norm_mounted_reduced_to_unreduced": gap_norm / mounted.gap_norm,
            "gap_norm_mounted_error_without_preload_mode": abs(
                gap_norm_without_preload_mode(run, "pulled", 10) / mounted.gap_norm - 1.0
            ),
            "stretch_pulled_reduced_to_unreduced": end_of_curve(run, "pulled", stretch_curve) / stretch,
            "gap_norm_pulled_reduced_to_unreduced": end_of_curve(run, "pulled", gap_curve)
            / end_of_curve(run, "pulled, unreduced", gap_curve),
            "stretch_pulled_20_snapshots_to_unreduced": end_of_curve(run, "pulled", stretch_curve, snapshots)
            / stretch,
            "gap_norm_pulled_20_snapshots_to_unreduced": end_of_curve(run, "pulled", gap_curve, snapshots)
            / end_of_curve(run, "pulled, unreduced", gap_curve),
            "joint_stress_error_pulled": joint_errors(run, "pulled", "pulled, unreduced").stress,
            "joint_stress_error_pulled_20_snapshots": joint_errors(
                run, "pulled", "pulled, unreduced", snapshots
            ).stress,
            "joint_stress_error_corrected": corrected.stress,
            "joint_pressure_error_corrected": corrected.pressure,
            "stretch_pulled_error_without_joint_modes": abs(
                end_of_curve(run, "pulled", stretch_curve, without) / stretch - 1.0
            ),
        }
