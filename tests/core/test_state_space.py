"""State space of a system: closed forms of masses on springs, the frequency response, bounds of truncation, files."""

from contextlib import closing

import numpy as np
import pytest
import scipy.io

import faying
from faying.analyses import SystemModel, analyses
from faying.errors import ModelError
from faying.exporters.state_spaces import stored_state_space, write_state_space
from faying.multibody.linearized import _linear_rates
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from support.systems import BAR, chain, system_of

INPUT = {"kind": "input", "input": "push"}


def computed(spec, path, **words):
    """Return the opened results and the model."""
    words = {
        "name": "plant",
        "system": spec.name,
        "lowest_frequency": 0.1,
        "highest_frequency": 20.0,
        **words,
    }
    file = path / f"{len(list(path.iterdir()))}.h5"
    build(analyses["state_space"], words).run(SystemModel(spec, {}), file, Silent())
    results = Results(file)
    return results, stored_state_space(results, "plant")


def test_a_mass_on_a_spring_has_its_transfer_functions(tmp_path):
    """3/(m s² + c s + k) for the displacement, times s for the velocity and s² for the acceleration."""
    results, model = computed(chain(), tmp_path)
    assert (model.inputs, model.outputs) == (("push",), ("x", "v", "a"))
    assert model.a.shape == (2, 2)
    for s in (0.0, 3j, 20j, -1.0 + 4.0j):
        wanted = 3.0 / (2.0 * s * s + 5.0 * s + 800.0) * np.array([1.0, s, s * s])
        np.testing.assert_allclose(model.transfer(s)[:, 0], wanted, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.d[:, 0], [0.0, 0.0, 1.5], atol=1e-9)
    with closing(results):
        s = 2j * np.pi * results.values
        wanted = 3.0 / (2.0 * s * s + 5.0 * s + 800.0)
        found = results.curve("push: x") * np.exp(1j * results.curve("push: x phase"))
        np.testing.assert_allclose(found, wanted, rtol=1e-7)


def test_it_is_the_frequency_response_of_the_system(tmp_path):
    spec = chain(3)
    results, model = computed(spec, tmp_path)
    results.close()
    load = {"marker": "m2.frame", "force": (3.0, 0.0, 0.0)}
    words = {"name": "f", "system": spec.name, "loads": [load], "points": 20, "highest_frequency": 9.0}
    build(analyses["system_frequency_response"], words).run(
        SystemModel(spec, {}), tmp_path / "f.h5", Silent()
    )
    with closing(Results(tmp_path / "f.h5")) as response:
        size, phase = response.curve("m2.frame ux"), response.curve("m2.frame ux phase")
        found = np.array([model.transfer(2j * np.pi * f)[0, 0] for f in response.values])
        np.testing.assert_allclose(found, size * np.exp(1j * phase), rtol=1e-8)


def test_a_truncated_model_is_off_by_no_more_than_its_bound(tmp_path):
    """Glover's bound, twice the sum of what is left out, on the whole axis; a bound is of use when it is nearly met."""
    spec = chain(6, damping=20.0)
    results, whole = computed(spec, tmp_path)
    results.close()
    axis = 2j * np.pi * np.geomspace(1e-2, 50.0, 400)
    for order in (4, 8):
        results, model = computed(spec, tmp_path, states=order)
        with closing(results):
            values = np.array(results.report["hankel_values"])
        assert len(model.a) == order and len(values) == 12
        off = max(np.linalg.norm(whole.transfer(s) - model.transfer(s), 2) for s in axis)
        bound = 2.0 * values[order:].sum()
        assert 0.05 * bound < off < 1.01 * bound
        assert np.linalg.eigvals(model.a).real.max() < 0.0


def test_a_system_that_does_not_decay_is_not_truncated(tmp_path):
    with pytest.raises(ModelError, match="does not decay"):
        computed(chain(2, damping=0.0), tmp_path, states=2)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [({"measures": []}, "no measure"), ({"forces": []}, "has no input")],
)
def test_what_a_model_needs_is_named(tmp_path, more, sentence):
    with pytest.raises(ModelError, match=sentence):
        computed(chain(**more), tmp_path)


def test_an_input_that_moves_a_drive_is_refused(tmp_path):
    drive = {"kind": "prescribed_displacement", "name": "drive", "first": "ground.rail", "second": "m0.slide",
             "start": 1.0, "amplitude": 1.0, "time_history": INPUT}  # fmt: skip
    spec = chain(2).model_dump()
    spec["constraints"] = [*spec["constraints"], drive]
    with pytest.raises(ModelError, match="'push' moves a drive"):
        computed(system_of(**spec), tmp_path)


def test_files_hold_matrices_and_names(tmp_path):
    results, model = computed(chain(2), tmp_path)
    results.close()
    write_state_space(model, tmp_path / "plant.npz")
    write_state_space(model, tmp_path / "plant.mat")
    for read in (np.load(tmp_path / "plant.npz"), scipy.io.loadmat(tmp_path / "plant.mat", squeeze_me=True)):
        for name in "ABCD":
            np.testing.assert_array_equal(np.squeeze(read[name]), np.squeeze(getattr(model, name.lower())))
        assert np.atleast_1d(read["outputs"]).tolist() == ["x", "v", "a"]


def test_the_command_line_writes_it(tmp_path, capsys):
    from faying.cli import main

    words = {"kind": "state_space", "name": "plant", "system": "system", "highest_frequency": 20.0}
    with faying.build(systems=[chain(2).model_dump()], analyses=[words]) as session:
        model = session.move("plant").state_space()
        session.save(tmp_path / "p.faying")
    assert main(["export", str(tmp_path / "p.faying"), "--state-space", "--to", str(tmp_path / "p.mat")]) == 0
    np.testing.assert_allclose(scipy.io.loadmat(tmp_path / "p.mat")["A"], model.a)
    assert main(["export", str(tmp_path / "p.faying"), "--state-space", "--to", str(tmp_path / "p.txt")]) == 1


def test_rates_of_parts_at_rest_may_be_as_small_as_numbers_get():
    """Squares of what is left of their speeds are zero as numbers."""
    x = np.array([1.0, -2.0, 0.5, 3.0])
    for size in (1.0, 1e-170, 1e-300):
        np.testing.assert_allclose(_linear_rates(size * x) / size, _linear_rates(x), rtol=1e-12)
    assert not _linear_rates(np.zeros(4)).any()


@pytest.mark.parametrize("start", [0.0, np.pi])
def test_an_angle_is_an_output_wherever_it_counts_from(tmp_path, start):
    """J φ" + d φ' + k φ = M about the z axis; at π the angle jumps by a full turn, its derivatives do not."""
    turned = {"placement": {"rotation": (0.0, 0.0, start)}}
    spring = {"kind": "torsion_spring", "name": "spring", "first": "ground.pin", "second": "disc.frame",
              "stiffness": 40.0, "damping": 0.3, "free_angle": start}  # fmt: skip
    push = {"kind": "point_force", "name": "push", "marker": "disc.frame", "moment": (0.0, 0.0, 2.0),
            "time_history": INPUT}  # fmt: skip
    spec = system_of(
        ground=[{"name": "pin"}], parts=[{**BAR, "name": "disc", **turned}],
        constraints=[{"kind": "revolute", "name": "pin", "first": "ground.pin", "second": "disc.frame"}],
        forces=[spring, push],
        measures=[{"kind": "angle", "name": "turn", "first": "ground.pin", "second": "disc.frame"}],
    )  # fmt: skip
    results, model = computed(spec, tmp_path)
    results.close()
    assert model.outputs == ("turn",)
    for s in (0.0, 3.0j, 20.0j):
        assert model.transfer(s)[0, 0] == pytest.approx(2.0 / (s**2 / 12 + 0.3 * s + 40.0), rel=1e-7)
