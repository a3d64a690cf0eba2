"""Cross sections by shape: closed forms of area, second moments and torsion, in Abaqus and Nastran decks."""

from pathlib import Path

import pytest

from faying.errors import ReadError
from faying.fem.model import BeamSection
from faying.fem.readers import read_model
from faying.fem.readers._profiles import channel_profile, i_profile, t_profile

ABAQUS = "*NODE\n1,0.,0.,0.\n2,9.,0.,0.\n*ELEMENT, TYPE=B31, ELSET=B\n1,1,2\n*MATERIAL, NAME=M\n*ELASTIC\n2.E5,.3\n{}"
NASTRAN = (
    "GRID,1,,0.,0.,0.\nGRID,2,,9.,0.,0.\nCBAR,1,2,1,2,0.,1.,0.\nMAT1,3,2.+5,,0.3,7.85-9\n"
    "PBARL,2,3,,{},,,,,\n,{}\n"
)


def abaqus(path: Path, cards: str) -> BeamSection:
    path.write_text(ABAQUS.format(cards))
    section = read_model(path).blocks[0].section
    assert isinstance(section, BeamSection)
    return section


def nastran(path: Path, shape: str, dimensions: str) -> BeamSection:
    path.write_text(NASTRAN.format(shape, dimensions))
    section = read_model(path).blocks[0].section
    assert isinstance(section, BeamSection)
    return section


@pytest.mark.parametrize("card", ["*BEAM SECTION", "*BEAM GENERAL SECTION"])
def test_boxes_and_i_beams_of_an_abaqus_deck(tmp_path: Path, card: str) -> None:
    head = f"{card}, ELSET=B, MATERIAL=M, SECTION="
    hollow = abaqus(tmp_path / "box.inp", head + "BOX\n20.,30.,2.,3.,2.,3.\n0.,1.,0.\n")
    assert hollow.area == pytest.approx(20 * 30 - 16 * 24)
    assert hollow.inertia_11 == pytest.approx((20 * 30**3 - 16 * 24**3) / 12)
    assert hollow.inertia_22 == pytest.approx((30 * 20**3 - 24 * 16**3) / 12)
    # Bredt: four times the square of the area within the middle line over Σ s / t.
    assert hollow.torsion == pytest.approx(4 * (18 * 27) ** 2 / (2 * 18 / 3 + 2 * 27 / 2))
    beam = abaqus(tmp_path / "i.inp", head + "I\n15.,30.,20.,20.,3.,3.,2.\n0.,1.,0.\n")
    assert beam.area == pytest.approx(2 * 20 * 3 + 24 * 2)
    assert beam.inertia_11 == pytest.approx((20 * 30**3 - 18 * 24**3) / 12)
    assert beam.inertia_22 == pytest.approx((2 * 3 * 20**3 + 24 * 2**3) / 12)
    # Thin rectangles lose a little at their ends.
    assert beam.torsion == pytest.approx((2 * 20 * 3**3 + 24 * 2**3) / 3, rel=0.1)
    tube = abaqus(tmp_path / "pipe.inp", head + "PIPE\n9.,5.\n0.,1.,0.\n")
    assert tube.area == pytest.approx(3.14159265 * (81 - 16))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("BOX\n20.,30.,2.,3.,4.,3.", "unequal walls"),
        ("I\n10.,30.,20.,20.,3.,3.,2.", "the node beside the middle"),
        ("I\n15.,30.,20.,18.,3.,3.,2.", "unequal flanges"),
        ("BOX\n10.,1.,2.,2.,2.,2.", "with room between them"),
        ("BOX\n1.,10.,2.,2.,2.,2.", "with room between them"),
        ("BOX\n20.,30.,2.", "two widths and four thicknesses"),
        ("HEX\n20.,2.", "section HEX is not known here"),
    ],
)
def test_sections_beside_their_nodes_are_refused(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        abaqus(tmp_path / "wrong.inp", f"*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION={line}\n0.,1.,0.\n")


def test_an_uneven_i_about_its_centroid() -> None:
    # By hand: areas 40, 48, 30 at 1, 14, 27.5 from below; centroid 1537 / 118.
    section = i_profile(29.0, 20.0, 10.0, 2.0, 2.0, 3.0)
    middle = 1537.0 / 118.0
    by_hand = (
        20 * 2**3 / 12 + 40 * (1 - middle) ** 2 + 2 * 24**3 / 12 + 48 * (14 - middle) ** 2
        + 10 * 3**3 / 12 + 30 * (27.5 - middle) ** 2
    )  # fmt: skip
    assert section.area == pytest.approx(118.0) and section.centroid[1] == pytest.approx(middle - 14.5)
    assert section.inertia_11 == pytest.approx(by_hand) and section.product == 0.0
    # A T is an I whose lower flange is as wide as its web; a channel bends along its height as an I does.
    tee, same = t_profile(10.0, 29.0, 3.0, 2.0), i_profile(29.0, 2.0, 10.0, 2.0, 5.0, 3.0)
    assert (tee.area, tee.inertia_11) == pytest.approx((same.area, same.inertia_11))
    channel, even = channel_profile(20.0, 30.0, 2.0, 3.0), i_profile(30.0, 20.0, 20.0, 2.0, 3.0, 3.0)
    assert (channel.area, channel.inertia_11) == pytest.approx((even.area, even.inertia_11))
    assert channel.inertia_22 > 0.0 and abs(channel.product) < 1e-9


@pytest.mark.parametrize(
    ("shape", "dimensions", "area", "along_height", "across"),
    [
        # Second moments for bending along the height and across it, from the outline's formulas.
        ("BOX", "20.,30.,3.,2.", 216.0, (20 * 30**3 - 16 * 24**3) / 12, (30 * 20**3 - 24 * 16**3) / 12),
        ("I", "30.,20.,20.,2.,3.,3.", 168.0, (20 * 30**3 - 18 * 24**3) / 12, (6 * 20**3 + 24 * 2**3) / 12),
        ("I1", "18.,2.,24.,30.", 168.0, (20 * 30**3 - 18 * 24**3) / 12, (6 * 20**3 + 24 * 2**3) / 12),
        ("H", "24.,6.,20.,2.", 168.0, (6 * 20**3 + 24 * 2**3) / 12, (20 * 30**3 - 18 * 24**3) / 12),
        # A channel 8 + 2 wide, 40 high, flanges of 5: along the height as the I of the same outline.
        ("CHAN1", "8.,2.,30.,40.", 160.0, (10 * 40**3 - 8 * 30**3) / 12, 1453.3333),
        ("TUBE2", "9.,5.", 204.2035, 4951.935, 4951.935),
    ],
)
def test_shapes_of_a_nastran_deck_bend_along_their_height_in_plane_1(
    tmp_path: Path, shape: str, dimensions: str, area: float, along_height: float, across: float
) -> None:
    section = nastran(tmp_path / "bar.bdf", shape, dimensions)
    assert section.area == pytest.approx(area, rel=1e-6)
    # Plane 1 holds our first axis: bending in it is about the second.
    assert section.inertia_22 == pytest.approx(along_height, rel=1e-6)
    assert section.inertia_11 == pytest.approx(across, rel=1e-6)
    assert 0.1 < section.shear_factor < 0.9


def test_a_hat_and_shapes_that_are_none(tmp_path: Path) -> None:
    # Height 20, wall 2, top 15, feet 5 beyond their webs: 15·2 + 2·7·2 + 2·16·2.
    assert nastran(tmp_path / "hat.bdf", "HAT", "20.,2.,15.,5.").area == pytest.approx(122.0)
    for shape, dimensions, words in (
        ("LINE", "10.,20.,1.,3.", "the section LINE is not known here"),
        ("L", "10.,20.,20.,3.", "make no L"),
        ("L", "10.,20.,1.,11.", "make no L"),
        ("I", "5.,20.,20.,2.,3.,3.", "make no I"),
        ("I1", "1.,5.,10.,9.", "make no I1"),
        ("CHAN1", "8.,2.,30.,29.", "make no CHAN1"),
        ("BOX", "1.,10.,1.,2.", "make no BOX"),
        ("BOX", "10.,1.,2.,1.", "make no BOX"),
        ("TUBE2", "2.,3.", "make no TUBE2"),
        ("HAT", "20.,8.,15.,5.", "make no HAT"),
    ):
        with pytest.raises(ReadError, match=words):
            nastran(tmp_path / "none.bdf", shape, dimensions)
