"""A picked face is supported in the real window, and an analysis holds it."""

import numpy as np
import pytest

from faying_app.selection import PickedFace
from support.windows import choose, plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


def test_a_picked_face_is_supported(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path, joint=False)
    context = window.context
    skin = context.computed.skin("plates")
    facet = int(np.flatnonzero((skin.normals[:, 0] > 0.9) & (skin.centroids[:, 2] > 0.0))[0])
    element, face = (
        np.concatenate([getattr(b, what) for b in skin.surface.blocks])[facet]
        for what in ("elements", "faces")
    )
    number = int(context.computed.model("plates").element_ids[element])
    context.selection.pick_face(PickedFace("plates", facet, number, int(face) + 1))
    choose(qtbot, window, "add_support", "Symmetry")
    wait_idle(qtbot, window)
    body = context.project.bodies[0]
    (support,) = body.supports
    assert (support.name, support.behaviour) == ("symmetry 1", "symmetry")
    assert context.entity == ("bodies", 0, "supports", 0)
    assert body.interfaces[-1].name == "supports"
    model = context.computed.model("plates")
    held = model.couplings[-1]
    assert np.allclose(model.nodes[held.nodes][:, 0], 40.0) and held.components == (1,)
    choose(qtbot, window, "add_analysis", "Static equilibrium")
    settle(qtbot)
    assert "supports" in [i.name for i in context.project.bodies[0].interfaces]
    trigger(qtbot, window, "undo")
    trigger(qtbot, window, "undo")
    assert context.project.bodies[0].supports == ()
    assert "supports" not in [i.name for i in context.project.bodies[0].interfaces]
