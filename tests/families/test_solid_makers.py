"""Plates, blocks, cylinders, tubes, beams, bolts, laps and flanges against closed forms.

Kind: analytical. Linear bricks make polygons of circles, whose area is short by a sixth of the squared step; quadratic
ones follow them to the fourth power.
"""

from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

import faying
from faying.cli import main
from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.connectivity import connected_parts
from faying.fem.element_quality import smallest_jacobians
from faying.fem.mass_properties import mass_properties
from faying.fem.mesh_makers import facts_of, maker_of, mesh_makers
from faying.fem.mesh_makers._solid import SolidMaker
from faying.fem.skin import facet_areas, find_skin, surface_from_deck
from faying.project.joint_proposals import proposed_joints

SOLID = [kind for kind, maker in mesh_makers.items() if issubclass(maker, SolidMaker)]


def areas_of(model):
    skin = find_skin(model)
    return {
        name: facet_areas(surface_from_deck(model, name, skin), model.nodes).sum() for name in model.surfaces
    }


@pytest.mark.parametrize("kind", SOLID)
@pytest.mark.parametrize("order", [1, 2])
def test_volume_mass_and_jacobians(kind, order):
    one = maker_of(kind, {"order": order})
    model = one.model()
    found = mass_properties(model)
    tolerance = 5e-2 if order == 1 else 2e-4
    assert found.mass == pytest.approx(one.density * one.volume(), rel=tolerance)
    assert np.nanmin(smallest_jacobians(model)) > 0.0
    assert dict(facts_of(one, "mm-t-s"))["Mass"] == f"{one.density * one.volume():.6g} t"


@pytest.mark.parametrize("kind", SOLID)
def test_the_volume_of_round_parts_converges_with_the_square_of_the_step(kind):
    size = maker_of(kind, {}).size
    errors = []
    for finer in (1.0, 0.5):
        one = maker_of(kind, {"size": finer * size, "order": 1})
        errors.append(abs(mass_properties(one.model()).mass / (one.density * one.volume()) - 1.0))
    assert errors[1] < 0.45 * errors[0] or errors[0] < 1e-3


@pytest.mark.parametrize(
    ("kind", "words", "areas"),
    [
        ("plate", {"hole": 20.0}, {"TOP": 6000 - 100 * pi, "LEFT": 300, "BACK": 500, "HOLE": 100 * pi}),
        ("block", {}, {"BOTTOM": 2000, "TOP": 2000, "LEFT": 1200, "RIGHT": 1200, "FRONT": 1500, "BACK": 1500}),
        ("cylinder", {}, {"BOTTOM": 400 * pi, "TOP": 400 * pi, "SIDE": 1600 * pi}),
        ("tube", {}, {"BOTTOM": 275 * pi, "OUTER": 6000 * pi, "INNER": 5000 * pi}),
        ("rectangular_beam", {}, {"START": 200, "END": 200, "LEFT": 2000, "TOP": 4000}),
        ("round_beam", {}, {"START": 100 * pi, "SIDE": 4000 * pi}),
        ("i_beam", {}, {"START": 627 + 4.1 * 88.6, "TOP": 55_000, "BOTTOM": 55_000}),
        ("bolt", {}, {"HEAD": 0.5 * sqrt(3) * 169 - 16 * pi, "NUT": 0.5 * sqrt(3) * 169 - 16 * pi, "SHANK": 160 * pi}),
        ("bolted_lap", {"solid_bolts": True},
         {"LOWER_LAP": 1600 - 20.25 * pi, "UPPER_LAP": 1600 - 20.25 * pi, "LOWER_END": 320,
          "HEAD_SEAT_1": (42.25 - 20.25) * pi, "UPPER_HOLE_1": 72 * pi, "HEAD_1": 0.5 * sqrt(3) * 169 - 16 * pi}),
        ("bolted_flange", {},
         {"UPPER_FACE": pi * (65**2 - 900 - 8 * 5.5**2), "LOWER_END": pi * (36**2 - 900), "NUT_SEAT_3": pi * 33.75,
          "UPPER_BORE": 72 * 60 * pi}),
    ],
)  # fmt: skip
def test_faces_have_their_areas(kind, words, areas):
    """Areas of facets are those of flat triangles through their nodes, short of a circle's by a per cent."""
    found = areas_of(maker_of(kind, {**words, "order": 2}).model())
    for name, area in areas.items():
        assert found[name] == pytest.approx(area, rel=1.2e-2), name


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("rectangular_beam", {"length": 400.0}), ("round_beam", {"length": 400.0, "order": 2}),
        ("i_beam", {"length": 3000.0, "size": 30.0}),
    ],
)  # fmt: skip
def test_a_cantilever_has_the_first_frequency_of_euler_and_bernoulli(kind, words):
    """So slender that shear takes off less than the tolerance; the nodes of START are held."""
    one = maker_of(kind, words)
    model = one.model()
    held = model.couplings[0].nodes
    assert model.couplings[0].name == "REF_START"
    matrices = assemble(replace(model, couplings=()))
    free = matrices.mass.diagonal() > 0.0
    free[(3 * held[:, None] + np.arange(3)).ravel()] = False
    values = eigsh(
        matrices.stiffness[free][:, free].tocsc(), 1, matrices.mass[free][:, free].tocsc(), sigma=0.0
    )[0]
    assert np.sqrt(values[0]) / (2.0 * pi) == pytest.approx(one.first_frequency(), rel=8e-3)


@pytest.mark.parametrize(
    ("words", "joints"), [({}, 1), ({"solid_bolts": True}, 3), ({"bolts": 2, "overlap": 60.0}, 1)]
)
def test_the_search_finds_the_joints_of_the_lap(words, joints):
    """The plates on each other; heads and nuts as far as they reach over the holes."""
    one = maker_of("bolted_lap", words)
    model = one.model()
    found = proposed_joints(model, find_skin(model))
    assert len(found) == joints
    lap = found[0]
    assert {lap.joint.master.name, lap.joint.slave.name} == {"LOWER_LAP", "UPPER_LAP"}
    assert lap.areas == pytest.approx([one.joint_area()] * 2, rel=2e-3)
    assert {each.joint.name for each in found} == {"lap", "nut 1", "head 1"} or joints == 1
    assert lap.measure.gaps == pytest.approx((0.0, 0.0), abs=1e-9)
    assert connected_parts(model)[1] == (3 if one.solid_bolts else 1)
    assert connected_parts(model, couplings=False)[1] == 2 + one.bolts


def test_the_search_finds_the_joint_of_the_flange():
    one = maker_of("bolted_flange", {})
    model = one.model()
    (joint,) = proposed_joints(model, find_skin(model))
    assert joint.areas == pytest.approx([one.joint_area()] * 2, rel=1e-2)
    assert connected_parts(model)[1] == 1 and connected_parts(model, couplings=False)[1] == 2 + one.bolts


@pytest.mark.parametrize(
    ("kind", "words", "sentence"),
    [
        ("plate", {"hole": 70.0}, "leaves no rim"),
        ("tube", {"wall": 30.0}, "thinner than 30 mm"),
        ("i_beam", {"web": 60.0}, "as wide as the flanges"),
        ("i_beam", {"flange": 50.0}, "as high as the section"),
        ("bolt", {"across": 8.0}, "wider than the shank of 8 mm"),
        ("bolted_lap", {"overlap": 100.0}, "as long as the plates"),
        ("bolted_lap", {"bolts": 4}, "room of each bolt, 10 mm"),
        ("bolted_flange", {"circle": 80.0}, "room between pipe and rim, 8 mm"),
        ("bolted_flange", {"bolts": 20}, "fewer bolts"),
        ("plate", {"size": 0.0}, "greater than 0"),
    ],
)  # fmt: skip
def test_what_is_no_part_is_a_sentence(kind, words, sentence):
    with pytest.raises(ModelError, match=sentence):
        maker_of(kind, words)


def test_the_python_call_and_the_command_take_units(tmp_path, capsys):
    made = faying.mesh("plate", tmp_path / "plate.inp", units="m-kg-s", length="20 cm", width=0.1)
    assert np.ptp(made.model.nodes, axis=0)[:2] == pytest.approx([0.2, 0.1])
    assert dict(made.facts)["Mass"] == "0.785 kg"
    assert mass_properties(faying.build(name="p", units="m-kg-s", bodies=[
        {"name": "plate", "model": {"path": str(made.path)}}]).read_model()).mass == pytest.approx(0.785)  # fmt: skip
    words = "plate:length=20 cm,width=0.1"
    assert main(["mesh", words, "--units", "m-kg-s", "--to", str(tmp_path / "other.inp")]) == 0
    assert "Mass: 0.785 kg" in (said := capsys.readouterr().out) and "lengths in m" in said
    assert (tmp_path / "other.inp").read_text() == made.path.read_text()
    with pytest.raises(faying.FayingError, match="no parameter 'moon'"):
        faying.mesh("plate", tmp_path / "no.inp", moon=3)
