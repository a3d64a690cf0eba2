"""A cantilever that a load bends by two fifths of its length, as a chain of ten reduced pieces.

Kind of reference: an independent code, a geometrically exact beam (tests/references/princeton_beam.py), which Euler's
elastica verifies.
"""

from contextlib import closing

import numpy as np
import pytest

from faying.analyses import BodyModel, SystemModel, analyses
from faying.fem.model import Material
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from references import princeton_beam as beam
from support.flexible_bodies import held_bar
from support.systems import system_of

ALUMINIUM = Material("ALUMINIUM", beam.YOUNGS_MODULUS, beam.POISSONS_RATIO, 2700.0)


def test_the_beam_of_the_reference_is_eulers_elastica():
    """In a plane, without shear and stretch."""
    section = beam.section() * [1e6, 1e6, 1e6, 1.0, 1.0, 1.0]
    displacement, _ = beam.tip((0.0, 0.0, beam.LOAD), section)
    along, across = beam.elastica(beam.LOAD, section[4])
    np.testing.assert_allclose(displacement, [along, 0.0, across], atol=1e-7 * beam.LENGTH)
    assert across > 0.39 * beam.LENGTH


def tips(pieces, path, elements):
    """Return angles of the load (7,) and displacements (7, 3) of the tip of a chain of equal pieces.

    The load turns from the stiff direction (y) to the soft one (z) while the beam follows it.
    """
    length = beam.LENGTH / pieces
    size = (length, beam.HEIGHT, beam.THICKNESS)
    piece = held_bar(
        (elements, 6, 2), size, (0.0, -beam.HEIGHT / 2, -beam.THICKNESS / 2), ALUMINIUM, 0,
        element="hex8_incompatible", stiffening=True, distributed=True,
    )  # fmt: skip
    parts = [
        {"kind": "flexible", "name": f"piece {k}", "body": "piece", "frame": "start",
         "placement": {"position": (k * length, 0.0, 0.0)}}
        for k in range(pieces)
    ]  # fmt: skip
    welds = [
        {"kind": "fixed", "name": f"weld {k}", "first": f"piece {k - 1}.end" if k else "ground.origin",
         "second": f"piece {k}.start"}
        for k in range(pieces)
    ]  # fmt: skip
    tip = f"piece {pieces - 1}.end"
    loads = [
        {"kind": "point_force", "name": name, "marker": tip, "force": force,
         "time_history": {"kind": "expression", "formula": f"{name}(t)"}}
        for name, force in (("sin", (0.0, 0.0, beam.LOAD)), ("cos", (0.0, -beam.LOAD, 0.0)))
    ]  # fmt: skip
    spec = system_of(parts=parts, constraints=welds, forces=loads)
    words = {"name": "turned", "system": spec.name, "duration": np.pi / 2, "frames": 6}
    model = SystemModel(spec, {"piece": BodyModel("piece", piece, (), {})})
    build(analyses["quasi_static"], words).run(model, path / "r.h5", Silent())
    with closing(Results(path / "r.h5")) as results:
        places = np.array([results.curve(f"{tip} {axis}") for axis in "xyz"]).T
        return results.values, places - [beam.LENGTH, 0.0, 0.0]


def test_ten_pieces_bend_and_twist_as_a_geometrically_exact_beam(tmp_path):
    """Within 0.5 % of the displacement, in seven directions; one piece, which cannot turn within, is far off."""
    angles, found = tips(10, tmp_path, 8)
    wanted = np.array([
        beam.tip((0.0, -beam.LOAD * np.cos(angle), beam.LOAD * np.sin(angle)), beam.section())[0] for angle in angles
    ])  # fmt: skip
    sizes = np.linalg.norm(wanted, axis=1)
    assert (np.linalg.norm(found - wanted, axis=1) / sizes).max() < 0.005
    assert found[-1, 2] == pytest.approx(beam.elastica(beam.LOAD, beam.section()[4])[1], rel=0.005)
    alone = tips(1, tmp_path, 40)[1]
    assert np.linalg.norm(alone[-1] - wanted[-1]) > 0.05 * sizes[-1]
