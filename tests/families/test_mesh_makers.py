"""Parts made by rule: gears and bearings against closed forms, and what every maker promises.

Kind: analytical (involute geometry; the area of the section by ½ ∮ r² dτ).
"""

import re
from math import acos, cos, degrees, pi, radians, tan
from typing import ClassVar

import numpy as np
import pytest

from faying.cli import main
from faying.errors import ModelError
from faying.fem.connectivity import connected_parts
from faying.fem.element_quality import element_quality, smallest_jacobians
from faying.fem.mass_properties import mass_properties
from faying.fem.mesh_makers import facts_of, graded, maker_of, mesh_makers
from faying.fem.mesh_makers._involute import backlash, contact_ratio, involute, working_pressure_angle
from faying.fem.mesh_makers.bearing_cap import BearingCap
from faying.fem.mesh_makers.spur_gear import SpurGear
from faying.fem.readers import read_model
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.skin import facet_areas, find_skin
from faying.params import build
from faying.testing import MeshMakerContract

SMALL = {"width_elements": 2, "rim_elements": 3, "flank_elements": 8}


def gear(**words):
    return build(SpurGear, {**SMALL, **words})


class TestMeshMakers(MeshMakerContract):
    samples: ClassVar = {"bearing_cap": {"size": 2.0}, "spur_gear": SMALL}


@pytest.mark.parametrize("kind", list(mesh_makers))
def test_the_command_writes_the_deck_of_a_maker(kind, tmp_path):
    """By its defaults, which are good enough to go on with."""
    path = tmp_path / f"{kind}.inp"
    assert main(["mesh", kind, "--to", str(path)]) == 0
    model, own = read_model(path), build(mesh_makers[kind], {}).model()
    np.testing.assert_allclose(model.nodes[: len(own.nodes)], own.nodes, atol=1e-9)
    assert np.nanmin(element_quality(own)) > 0.3


@pytest.mark.parametrize(
    "words",
    [
        {}, {"teeth": 37, "bore": 100.0}, {"teeth": 12, "profile_shift": 0.4, "bore": 20.0},
        {"helix_angle": radians(20.0)}, {"modelled_teeth": 3, "contact_size": 0.05, "flank_elements": 40},
    ],
)  # fmt: skip
def test_the_mesh_is_that_of_the_involute(words):
    one = gear(**words)
    model, profile = one.model(), one.profile
    assert smallest_jacobians(model).min() > 0.0 and element_quality(model).min() > 0.25
    radii = np.linalg.norm(model.nodes[:-1, :2], axis=1)
    # Nodes of the flanks lie on involutes: the thickness is that of the closed form at every radius.
    lean = cos(one.helix_angle)
    module, angle = one.module / lean, np.arctan(tan(one.pressure_angle) / lean)
    pitch = 0.5 * module * one.teeth
    base = pitch * cos(angle)
    middle = np.abs(model.nodes[:-1, 2] - model.nodes[:-1, 2].min()) < 1e-9
    turn = tan(one.helix_angle) / pitch * model.nodes[:-1, 2].min()
    surface = model.surfaces["TOOTH_1_LEFT"]
    block = model.blocks[0]
    at = np.unique(block.connectivity[surface.elements][:, [3, 2]])
    at = at[middle[at]]
    found = np.arctan2(model.nodes[at, 1], model.nodes[at, 0]) - turn
    at_pitch = pi / (2 * one.teeth) + 2.0 * one.profile_shift * one.module * tan(angle) / (module * one.teeth)
    flank = np.array([at_pitch + involute(angle) - involute(acos(base / r)) for r in radii[at]])
    np.testing.assert_allclose(found, flank, atol=1e-9)
    assert len(at) == one.flank_elements + 1
    assert radii.max() == pytest.approx(pitch + (one.profile_shift + 1.0) * one.module)
    # The volume falls short of the section's area by the sagitta of straight edges, as its square.
    count = one.modelled_teeth or one.teeth
    exact = (profile.area() - 0.25 * pi * one.bore**2) * one.width * count / one.teeth
    assert mass_properties(model).volume == pytest.approx(exact, rel=2e-3)


def test_the_volume_converges_with_the_square_of_the_element():
    words = {"tooth_elements": 4, "flank_elements": 6, "fillet_elements": 2, "width_elements": 1}
    error = []
    for finer in (1, 2):
        one = build(SpurGear, {name: finer * n for name, n in words.items()} | {"root_elements": finer})
        exact = (one.profile.area() - 0.25 * pi * one.bore**2) * one.width
        error.append(abs(mass_properties(one.model()).volume / exact - 1.0))
    assert error[0] < 2e-3 and error[0] / error[1] == pytest.approx(4.0, rel=0.15)


def test_the_pair_of_the_work_order_meshes():
    """z = 18 and 37, m = 5, a = 137.5: base pitch 14.7607 mm, contact ratio 1.614, no backlash; a = 138 has some."""
    first, second = gear().profile, gear(teeth=37, bore=100.0).profile
    assert 2.0 * pi * first.base_radius / 18 == pytest.approx(14.7607, abs=1e-4)
    assert (2.0 * first.tip_radius, 2.0 * second.tip_radius) == pytest.approx((100.0, 195.0))
    assert contact_ratio(first, second, 137.5) == pytest.approx(1.614, abs=5e-4)
    assert degrees(working_pressure_angle(first, second, 137.5)) == pytest.approx(20.0)
    assert abs(backlash(first, second, 137.5)) < 1e-9
    angle = working_pressure_angle(first, second, 138.0)
    # By 2 a (inv α' − inv α) cos α of the base circles.
    wanted = 2.0 * 137.5 * cos(radians(20.0)) * (involute(angle) - involute(radians(20.0)))
    assert backlash(first, second, 138.0) == pytest.approx(wanted, rel=1e-6) and wanted > 0.3
    assert backlash(first, second, 137.0) < -0.3
    facts = dict(facts_of(gear(mate_teeth=37), "mm-t-s"))
    assert (facts["Contact ratio"], facts["Centre distance"], facts["Backlash"]) == (
        "1.614",
        "137.5 mm",
        "0 mm",
    )
    shifted = dict(facts_of(gear(mate_teeth=37, profile_shift=0.5), "mm-t-s"))
    assert 137.5 < float(shifted["Centre distance"].split()[0]) < 140.0  # m (z₁ + z₂ + 2 x)/2 at most


def test_flank_and_fillet_meet_without_a_corner():
    profile = gear(teeth=25).profile
    shares = np.array([1.0 - 1e-5, 1.0])
    (r0, t0), (r1, t1) = profile.fillet(shares)
    assert (r1, t1) == pytest.approx(
        (profile.form_radius, profile.half_angle(profile.form_radius)), rel=1e-12
    )
    above = r1 + (r1 - r0)
    slope = (profile.half_angle(above) - t1) / (above - r1)
    assert (t1 - t0) / (r1 - r0) == pytest.approx(slope, rel=2e-2)


def test_graded_steps():
    steps = np.diff(graded(10.0, 30, 0.05, 4.0))
    assert steps.sum() == pytest.approx(10.0) and steps.min() == pytest.approx(0.05, rel=0.25)
    assert (np.diff(steps[:10]) < 0).all() and (np.diff(steps[-15:]) > 0).all()
    np.testing.assert_allclose(np.diff(graded(3.0, 6, 0.0)), 0.5)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"teeth": 10}, r"cuts into the involute.*10 teeth.*[Ss]hift the profile by 0\.4"),
        ({"bore": 77.0}, "the bore of 77 mm leaves no rim: the root circle has 77.5 mm"),
        ({"addendum": 2.0}, "pointed"),
        ({"tip_rounding": 0.6}, r"at most 0\.47"),
        ({"modelled_teeth": 19}, "of 18 teeth 19"),
        ({"contact_radius": 20.0}, "not on the flank"),
        ({"tooth_elements": 7}, "multiple of 2"),
        ({"mate_teeth": 37, "centre_distance": 137.0}, r"137 mm teeth overlap by 0\.3.* without backlash it is 137\.5"),
        ({"teeth": 40, "profile_shift": -1.0, "mate_teeth": 40, "mate_shift": -1.0, "bore": 40.0},
         r"shifts of -1 and -1 modules leave no centre distance at which flanks touch.*larger"),
        ({"mate_teeth": 37, "centre_distance": 145.0}, "parts before the next one touches"),
    ],
)  # fmt: skip
def test_what_is_no_gear_is_a_sentence(words, sentence):
    with pytest.raises(ModelError) as caught:
        maker_of("spur_gear", words)
    assert re.search(sentence, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    "words", [{}, {"size": 2.0, "coarser": 1.0}, {"bore": 50.0, "length": 30.0, "hole": 12.0}]
)
def test_the_bearing_has_its_closed_forms(words):
    """Kind: analytical. Holes and bore are polygons, whose area is short by a sixth of the squared step."""
    one = build(BearingCap, words)
    model, heights = one.model(), one.cap_height + one.block_height
    width = one.bore + 2.0 * (one.wall + one.pad)
    solid = (width * heights - 0.25 * pi * one.bore**2) * one.length - 0.5 * pi * one.hole**2 * heights
    bolts = 0.5 * pi * one.shank**2 * (one.cap_height + 0.5 * one.block_height)
    assert mass_properties(model).mass == pytest.approx(one.density * (solid + bolts), rel=4e-3)
    skin = find_skin(model)
    joint = 2.0 * ((one.wall + one.pad) * one.length - 0.25 * pi * one.hole**2)
    areas = {}
    for name in model.surfaces:
        surface = build(DeckSurfaceSelection, {"name": name}).select(model, skin)
        areas[name] = facet_areas(surface, model.nodes).sum()
    assert areas["CAP_FACE"] == pytest.approx(joint, rel=4e-3)
    assert areas["BLOCK_FACE"] == pytest.approx(joint, rel=6e-3)
    sectors = [area for name, area in areas.items() if name.startswith("SECTOR")]
    assert sum(sectors) == pytest.approx(pi * one.bore * one.length, rel=2e-3) and min(sectors) > 0.0
    sizes = {c.name: len(c.nodes) for c in model.couplings}
    assert set(sizes) == {"BLOCK", "HEAD_1", "HEAD_2", "THREAD_1", "THREAD_2"} and min(sizes.values()) > 20
    assert (
        connected_parts(model)[1] == 1 and connected_parts(model, couplings=False)[1] == 4
    )  # the bolts hold the cap


def test_what_is_no_bearing_is_a_sentence():
    for words, sentence in (
        ({"cap_height": 20.0}, "need a height of more than 33"),
        ({"seat": 30.0}, "each wider than the last"),
        ({"size": 10.0}, "too large for a length of 24"),
    ):
        with pytest.raises(ModelError, match=sentence):
            maker_of("bearing_cap", words)


@pytest.mark.parametrize("kind", list(mesh_makers))
def test_a_part_is_the_same_in_other_units(kind):
    one, other = maker_of(kind, {}), maker_of(kind, {}, "m-kg-s")
    own, model = one.model(), other.model()
    np.testing.assert_allclose(1e3 * model.nodes, own.nodes, atol=1e-9 * np.ptp(own.nodes))
    assert mass_properties(model).mass == pytest.approx(1e3 * mass_properties(own).mass)
    assert [name for name, _ in facts_of(one, "mm-t-s")] == [name for name, _ in facts_of(other, "m-kg-s")]
    assert not any("[" in value for _, value in facts_of(other, "m-kg-s"))


def test_the_command_lists_makers_and_refuses(tmp_path, capsys):
    assert main(["mesh"]) == 0
    assert "spur_gear: Spur gear" in (said := capsys.readouterr().out) and "module: Module [mm]" in said
    path = tmp_path / "gear.inp"
    words = "spur_gear:teeth=37,module=2 mm,bore=4 cm,modelled_teeth=2,width_elements=1"
    assert main(["mesh", words, "--to", str(path)]) == 0
    assert np.linalg.norm(read_model(path).nodes[:, :2], axis=1).max() == pytest.approx(39.0)
    assert "pressure_angle: Pressure angle [rad], default 20 deg" in said
    assert capsys.readouterr().err == ""
    assert main(["mesh", words, "--to", str(tmp_path / "gear.vtu")]) == 0
    assert re.search(r"\d surfaces have no place in a grid\.", capsys.readouterr().err)
    for wrong, sentence in (
        ("moon", "moon"),
        ("spur_gear:pressure_angle=50 deg", "less than 35 deg (given: 50 deg)"),
        ("spur_gear:helix_angle=-0.9", "greater than -45 deg (given: -51.5662 deg)"),
        ("spur_gear:teeth=8", "undercut"),
        ("spur_gear:teeth", "no parameter"),
    ):
        assert main(["mesh", wrong, "--to", str(tmp_path / "no.inp")]) == 1
        assert sentence in capsys.readouterr().err
    assert not (tmp_path / "no.inp").exists()
