"""Assembly: parts are moved to where the constraints want them, and not bent."""

import numpy as np
import pytest

from faying.analyses import SystemModel
from support.systems import jointed_plates_model, ready, system_of


@pytest.mark.parametrize("constraint", ["spherical", "revolute", "fixed"])
def test_a_flexible_part_is_moved_not_bent(constraint: str) -> None:
    spec = system_of(
        ground=[{"name": "pivot", "position": (3.0, -7.0, 11.0), "rotation": (0.3, 0.2, -0.4)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates"}],
        constraints=[{"kind": constraint, "name": "held", "first": "ground.pivot", "second": "plates.HOLD"}],
    )
    bodies = SystemModel(spec, {"plates": jointed_plates_model()}).flexible_bodies()
    found = ready(spec, **bodies)
    hold = found.system.motion("plates.HOLD", found.q)
    np.testing.assert_allclose(hold.position, [3.0, -7.0, 11.0], atol=1e-9)
    # Lengths of a few nanometres remain of moving 13 mm.
    assert np.abs((found.system.scales * found.q)[7:]).max() < 1e-6
