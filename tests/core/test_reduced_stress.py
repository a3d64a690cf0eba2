"""Stresses and pressures of a reduced jointed body against those of the unreduced one under the same load."""

import numpy as np
import pytest

from faying.analyses import BodyModel, JointModel
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.progress import Silent
from faying.results.fields import FieldContext, fields
from faying.results.results import Results
from support.flexible_bodies import with_joint_modes
from support.plates import jointed_plates

PRESSED = LoadSpec(interface="TIP", force=(0.0, 0.0, -10.0))


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """(reduced, unreduced) contexts of stacked plates whose upper one is pressed down at its end."""
    plates, law, folder = jointed_plates(), LinearPenalty(stiffness=5e4), tmp_path_factory.mktemp("compared")
    reduced = with_joint_modes(plates, 40)
    joint = JointModel("joint", plates.pairs, law, None)
    body = BodyModel("plates", reduced, (joint,), plates.interfaces, plates.model, plates.matrices)
    found = []
    for analysis in (
        Static(name="reduced", body="plates", support="HOLD", loads=(PRESSED,)),
        UnreducedStatic(name="full", body="plates", support="HOLD", loads=(PRESSED,)),
    ):
        path = folder / f"{analysis.name}.h5"
        analysis.run(body, path, Silent())
        held = reduced.clamped_to("HOLD")
        context = FieldContext(
            Results(path), held, {"joint": law}, {"joint": None}, {"joint": plates.pairs}, plates.model
        )
        found.append(context)
    return found


def last(context, field):
    return fields[field]().evaluate(context, "joint", context.frames.n_frames - 1)


@pytest.mark.parametrize(
    "field", ["pressure", "von_mises", "stress_zz", "principal_stress_3", "contact_force"]
)
def test_a_complete_basis_gives_the_unreduced_stresses(compared, field):
    """More joint modes than contact pairs span every state of the joint under this load; kind: analytical."""
    reduced, full = (last(context, field) for context in compared)
    there = np.isfinite(full)
    assert there.any() and np.abs(full[there]).max() > 0.1
    np.testing.assert_allclose(reduced[there], full[there], atol=1e-8 * np.abs(full[there]).max())


def test_contact_forces_carry_the_load_that_is_not_in_the_plates(compared):
    """What the joint carries is the same as a field and as a curve of the analysis."""
    for context in compared:
        force = last(context, "contact_force").sum(axis=0)
        assert force[2] == pytest.approx(context.frames.curve("joint normal force")[-1])
        np.testing.assert_allclose(force[:2], 0.0, atol=1e-9 * force[2])
