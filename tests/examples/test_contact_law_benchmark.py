"""The benchmark of contact laws: what it counts and what it compares with."""

import numpy as np
import pytest

from faying.examples._contact_law_effort import effort_of, expected_effort
from faying.examples._sprung_leaf_spring import fitted_frequencies, natural_frequencies
from faying.examples.contact_law_benchmark import CASES, LAWS, ContactLawBenchmark, _compared
from faying.joints.contact_laws import contact_laws


def test_every_run_is_expected_to_take_what_was_counted():
    runs = [law for law, _ in _compared(ContactLawBenchmark().build())]
    counted = {"steps": 1, "jacobians": 1}
    names = [name for case in CASES for law in runs for name in effort_of(case, law, counted)]
    assert len(runs) == 8 and len(names) == len(set(names))
    assert sorted(names) == sorted(e.name for e in expected_effort())


def test_the_variants_differ_in_law_and_friction_alone():
    project = ContactLawBenchmark().build()
    for law, variant in _compared(project):
        joint = variant.bodies[0].joints[0]
        assert joint.contact_law.kind == LAWS[law.split()[0]]["kind"]
        assert (joint.friction_law is not None) == law.endswith("with friction")
        assert variant.analyses == project.analyses


def test_laws_meet_at_one_penetration():
    """Published: table 4.6 of the thesis, 1 N/mm² at 2.5 µm."""
    for law in LAWS.values():
        pressure, _ = contact_laws[law["kind"]](**{k: v for k, v in law.items() if k != "kind"}).pressure(
            np.array([-2.5e-3])
        )
        assert pressure[0] == pytest.approx(1.0, abs=5e-3)


def test_a_heavy_car_swings_on_its_spring():
    """Analytical: the sheets ride along on a car that weighs much more."""
    assert natural_frequencies(10.0, 1.0, 0.0)[0] == pytest.approx(
        np.sqrt(1.0 / 10.0) / (2 * np.pi), rel=1e-4
    )


def test_frequencies_are_found_in_a_sum_of_vibrations():
    time = np.linspace(0.0, 2.5, 500)
    values = 3.0 + np.cos(2 * np.pi * 2.31 * time + 0.4) + 0.2 * np.sin(2 * np.pi * 7.9 * time)
    assert fitted_frequencies(time, values, np.array([2.2, 8.0])) == pytest.approx([2.31, 7.9], rel=1e-6)
