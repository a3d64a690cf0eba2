"""Columns of the tables of basis quality."""

from collections.abc import Sequence

import numpy as np

from faying.project.static_errors import StaticError
from faying.reduction.basis_quality import BasisQuality
from faying.reduction.joint_quality import JointQuality
from faying.reduction.training import TrainingError
from faying.units import UnitSystemName, unit_text
from faying_app.item_models.number_table import Column

_DIRECTIONS = (
    ("x [%]", "Effective mass along x"), ("y [%]", "Effective mass along y"), ("z [%]", "Effective mass along z"),
    ("About x [%]", "Effective moment of inertia about x"),
    ("About y [%]", "Effective moment of inertia about y"),
    ("About z [%]", "Effective moment of inertia about z"),
)  # fmt: skip


def frequency_columns(quality: BasisQuality, units: UnitSystemName) -> list[Column]:
    """Return free vibration modes of full and reduced body side by side."""
    count, unit = len(quality.reduced_frequencies), unit_text("frequency", units)
    nearest = quality.assurance[:count].argmax(axis=1)
    return [
        Column("Mode", np.arange(1, count + 1), "d", "Vibration modes of the free body, lowest first."),
        Column(f"Full [{unit}]", quality.full_frequencies[:count], ".6g", "Frequency of the full model."),
        Column(f"Reduced [{unit}]", quality.reduced_frequencies, ".6g", "Frequency of the reduced body."),
        Column(
            "NRED [%]", 100.0 * quality.frequency_differences, ".3g",
            "Relative difference of the reduced frequency from the full one; never negative.",
        ),
        Column(
            "MAC", np.diag(quality.assurance[:count]), ".4f",
            "Modal assurance of the full and the reduced mode of the same number; 1 for the same shape.",
        ),
        Column("Nearest", nearest + 1, "d", "Number of the reduced mode that is most like the full one."),
    ]  # fmt: skip


def joint_columns(quality: JointQuality, units: UnitSystemName) -> list[Column]:
    """Return the free vibration modes with stuck and with sliding joints, of the FE model and reduced."""
    count, unit, columns = quality.full.shape[1], unit_text("frequency", units), list[Column]()
    for state, full, reduced, error in zip(
        quality.states, quality.full, quality.reduced, quality.errors, strict=True
    ):
        what = f"of the free body with {state} joints"
        columns += [
            Column(
                f"{state.capitalize()}, full [{unit}]", full, ".6g", f"Frequency of the full model {what}."
            ),
            Column(f"Reduced [{unit}]", reduced, ".6g", f"Frequency of the reduced body {what}."),
            Column(
                "Too high [%]", 100.0 * error, ".3g", "Relative difference; joints too stiff make it large."
            ),
        ]
    return [Column("Mode", np.arange(1, count + 1), "d", "Vibration modes, lowest first."), *columns]


def trained_columns(errors: Sequence[TrainingError]) -> list[Column]:
    """Return the estimated errors of the reduced body under the loads that its joint modes were made for."""
    return [
        Column("Load", [each.load for each in errors], "", "Loads of the analyses, and loads that represent motion."),
        Column(
            "Motion [%]", [100.0 * each.motion for each in errors], ".3g",
            "Largest error on the path of the load, in the elastic energy norm.",
        ),
        Column("Allowed [%]", [100.0 * each.allowed for each in errors], ".3g", "Up to which modes were added."),
        Column(
            "Pressure [%]", [100.0 * each.pressure for each in errors], ".3g",
            "Error of the pressures from pair to pair at its end; it counts under loads of analyses.",
        ),
        Column(
            "Reached [%]", [100.0 * each.reached for each in errors], ".4g", "Share of the load that the joints bear."
        ),
    ]  # fmt: skip


def mass_columns(quality: BasisQuality, units: UnitSystemName) -> list[Column]:
    """Return effective masses of the modes with the interface nodes at rest; the first row holds the sums."""
    shares = np.vstack([quality.mass_shares.sum(axis=0), quality.mass_shares]) * 100.0
    count = len(quality.held_frequencies)
    return [
        Column("Mode", ["Sum", *(f"{i + 1}" for i in range(count))], "", "Modes with all interface nodes at rest."),
        Column(
            f"Frequency [{unit_text('frequency', units)}]", [float("nan"), *quality.held_frequencies], ".6g",
            "Frequency of the reduced body with its interface nodes at rest.",
        ),
        *(
            Column(
                title, shares[:, i], ".3f",
                f"{meaning} through the centre of mass, as a share of the body's." if i > 2 else
                f"{meaning}, as a share of the body's. What lacks in the sum moves with the interface nodes "
                "or in modes that the basis does not have.",
            )
            for i, (title, meaning) in enumerate(_DIRECTIONS)
        ),
    ]  # fmt: skip


def static_columns(errors: Sequence[StaticError]) -> list[Column]:
    """Return the static errors of all loads that were solved with and without reduction."""
    return [
        Column("Load", [error.load for error in errors]),
        Column(
            "Displacements [%]", [100.0 * error.displacement for error in errors], ".3g",
            "Norm of the error of all nodes' displacements over the norm of the unreduced displacements.",
        ),
        Column(
            "Gaps [%]", [100.0 * error.gap for error in errors], ".3g",
            "Norm of the error of all contact pairs' gaps over the norm of the unreduced gaps.",
        ),
        Column("Analyses", [error.source for error in errors], "", "What was compared."),
    ]  # fmt: skip
