"""Model files of every reader's format, opened by `read_model`, ``faying check`` and ``faying info``."""

import random
import shutil
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.io import savemat

from faying.errors import FayingError
from faying.exporters.bodies import write_body
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying.fem.readers import read_model, readers
from faying.session.bodies import reduced_body_file
from faying.testing.plates import plates_session
from fuzz.guard import WrongAnswerError
from fuzz.mutations import mutate_hdf, mutated_bytes, mutated_text
from fuzz.subjects import Subject, faying, register
from support.plate_deck import write_plate_deck

_SEEDS = Path(__file__).parents[1] / "seeds"
_DECKS = Path(__file__).parents[2] / "decks"
_STUDY = """
name = "broken"
[[bodies]]
name = "body"
model = {{ path = "{}" }}
materials = [{{ kind = "library", name = "steel" }}]
"""


def _reduced_bodies(folder: Path) -> list[Path]:
    """Write the plates of the contract tests as files of a reduced body."""
    session = plates_session()
    body = reduced_body_file(session.project, session.project.bodies[0], session.compute)
    found = [folder / "plates.npz", folder / "plates.h5"]
    for path in found:
        write_body(body, path)
    return found


def _condensed(path: Path) -> Path:
    """Write two contact pairs of a triangle each with springs behind them, as MATLAB does."""
    share = np.array([[1, 1, 1, 0], [0, 1, 1, 1]]) / 3.0
    matrices = {
        "M": np.eye(12), "K": 100.0 * np.eye(12), "L": np.eye(12), "Qm": sp.csc_matrix(share), "Tm": 0.5 * share.T,
        "R": np.eye(3, 12), "Fv": np.ones((12, 1)), "tri_elem_nodes": np.array([[1, 1, 2, 3], [2, 2, 4, 3]]),
        "node_coords": np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
    }  # fmt: skip
    savemat(path, matrices)
    return path


class _Decks(Subject):
    share = 3

    def prepare(self, folder: Path) -> list[Path]:
        endings = readers[self.name.removeprefix("deck ")].extensions
        found = [path for path in sorted(_SEEDS.iterdir()) if path.suffix in endings]
        if ".inp" in endings:
            found += [path for path in sorted(_DECKS.glob("*.inp")) if path.name != "included.inp"]
            found.append(write_plate_deck(folder / "plates.inp"))
        if ".npz" in endings:
            found += _reduced_bodies(folder)
        if ".mat" in endings:
            found.append(_condensed(folder / "pairs.mat"))
        assert found, f"there is no small file of {self.name}"
        return found

    def break_file(self, original: Path, rng: random.Random, folder: Path) -> Path:
        path = folder / original.name
        if original.parent == _DECKS:  # what decks include lies beside them
            for more in (_DECKS / "included.inp", _DECKS / "parts"):
                (shutil.copytree if more.is_dir() else shutil.copyfile)(more, folder / more.name)
        shutil.copyfile(original, path)
        if path.suffix in (".med", ".vtkhdf", ".h5"):
            mutate_hdf(path, rng)
        else:
            content = path.read_bytes()
            textual = path.suffix not in (".vtk", ".vtu", ".mat") or rng.random() < 0.6
            path.write_bytes((mutated_text if textual else mutated_bytes)(content, rng))
        return path

    def open(self, path: Path) -> str:
        sentence = ""
        try:
            _check(read_model(path))
        except FayingError as error:
            sentence = str(error)
        study = path.with_name("broken.toml")
        study.write_text(_STUDY.format(path.name), "utf-8")
        said, findings = faying("check", study)
        if sentence and "error" not in findings + said:
            raise WrongAnswerError(f"check finds no error where reading says: {sentence}")
        faying("info", study)
        return sentence or said


def _check(model: FeModel) -> None:
    """Raise WrongAnswerError for a model that no reader may return."""
    n, n_elements = len(model.nodes), len(model.element_ids)
    rows = [block.connectivity for block in model.blocks] + list(model.node_sets.values())
    rows += [coupling.nodes for coupling in model.couplings] + [
        equation.nodes for equation in model.equations
    ]
    rows += [np.array([point.node for point in model.point_masses], np.int64)]
    positions = [*model.element_sets.values(), *(surface.elements for surface in model.surfaces.values())]
    numbers = [model.nodes, *(coupling.weights for coupling in model.couplings)]
    numbers += [np.array([m.youngs_modulus, m.poisson_ratio, m.density]) for m in model.materials.values()]
    for block in model.blocks:
        if block.connectivity.shape != (len(block.ids), element_kinds[block.element].n_nodes):
            raise WrongAnswerError(f"elements of kind {block.element} have nodes {block.connectivity.shape}")
    if not all((row >= 0).all() and (row < n).all() for row in rows):
        raise WrongAnswerError("a node row is out of range")
    if not all((row >= 0).all() and (row < n_elements).all() for row in positions):
        raise WrongAnswerError("an element's position is out of range")
    if not all(np.isfinite(values).all() and (np.abs(values) < 1e100).all() for values in numbers):
        raise WrongAnswerError("a number is not finite or enormous")


for _kind in readers:
    _name = f"Decks_{_kind}"
    globals()[_name] = register(type(_name, (_Decks,), {"name": f"deck {_kind}", "__module__": __name__}))
