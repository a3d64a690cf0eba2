"""Tensions of screws tightened by torque."""

import pytest

from faying.errors import ModelError
from faying.fem.added_bolts import BoltSpec
from faying.fem.bolt_strengths import STRENGTH_CLASSES, assembly_force

SHANK = {"kind": "deck_surface", "name": "SHANK"}


@pytest.mark.parametrize(
    ("size", "strength_class", "kilonewtons"),
    # VDI 2230-1:2015, table A1, friction in the thread 0.12, 90 % of the yield strength.
    [
        ("M12", "8.8", 43.0),
        ("M16", "8.8", 80.9),
        ("M10", "8.8", 29.6),
        ("M12", "10.9", 63.2),
        ("M12", "12.9", 74.0),
    ],
)
def test_tensions_are_those_of_the_table_of_vdi_2230(size, strength_class, kilonewtons):
    assert assembly_force(size, strength_class, "mm-t-s") == pytest.approx(1e3 * kilonewtons, rel=4e-3)


def test_tensions_follow_utilisation_friction_and_units():
    plain = assembly_force("M8", "8.8", "mm-t-s")
    assert assembly_force("M8", "8.8", "mm-t-s", 0.45) == pytest.approx(0.5 * plain)
    assert assembly_force("M8", "8.8", "mm-t-s", friction=0.16) < plain
    assert assembly_force("M8", "8.8", "mm-kg-ms") == pytest.approx(1e-3 * plain)  # kN
    # A fine thread has a larger section.
    assert assembly_force("M8x1", "8.8", "mm-t-s") > plain
    assert all(assembly_force("M8", name, "mm-t-s") > 0.0 for name in STRENGTH_CLASSES)
    assert plain < assembly_force("M8", "10.9", "mm-t-s") < assembly_force("M8", "12.9", "mm-t-s")
    assert assembly_force("M20", "9.8", "mm-t-s") is None
    with pytest.raises(ModelError, match="no property class"):
        assembly_force("M8", "7.7", "mm-t-s")


def test_a_bolt_proposes_its_force_when_it_has_size_and_class():
    bolt = BoltSpec(name="bolt 1", shank=SHANK, size="M12", strength_class="8.8")
    assert bolt.proposed_force("mm-t-s") == pytest.approx(43000.0, rel=4e-3)
    assert bolt.with_(utilisation=0.6).proposed_force("mm-t-s") < bolt.proposed_force("mm-t-s")
    assert bolt.with_(size="").proposed_force("mm-t-s") is None
