"""Matrix files of every format and their lists of degrees of freedom, read and imported over a mesh."""

import random
import shutil
from pathlib import Path

import numpy as np

from faying.errors import FayingError
from faying.fem.assembly import assemble
from faying.fem.imported import imported_matrices
from faying.fem.readers import read_model
from faying.fem.writers import write_model
from fuzz.guard import WrongAnswerError
from fuzz.mutations import mutated_bytes, mutated_text
from fuzz.subjects import Subject, faying, register
from support.boxes import box
from support.matrix_writers import WRITERS

_IMPORTED = Path(__file__).parents[2] / "decks" / "imported"
_BINARY = (".npy", ".npz")


@register
class Matrices(Subject):
    name = "matrices"
    share = 9

    def prepare(self, folder: Path) -> list[Path]:
        model = box("hex8_incompatible", (2, 1, 1), (2.0, 1.0, 1.0))
        write_model(model, folder / "mesh.inp")
        matrices = assemble(model)
        found: list[Path] = []
        self.pairs: dict[str, tuple[str, str]] = {}
        for name, write in WRITERS.items():
            own = folder / name
            own.mkdir(parents=True)
            stiffness, mass = write(own, model, matrices)
            self.pairs[own.name] = stiffness.name, mass.name
            shutil.copyfile(folder / "mesh.inp", own / "mesh.inp")
            found += [path for path in sorted(own.iterdir()) if path.name != "mesh.inp"]
        for name in ("calculix_free", "tetrahedron", "calculix_rigid"):
            own = folder / name
            own.mkdir()
            self.pairs[name] = next(
                (f"{name}{a}", f"{name}{b}")
                for a, b in ((".sti", ".mas"), ("_STIF1.mtx", "_MASS1.mtx"))
                if (_IMPORTED / f"{name}{a}").exists()
            )
            for path in _IMPORTED.glob(f"{name}*"):
                shutil.copyfile(path, own / ("mesh.inp" if path.suffix == ".inp" else path.name))
            found += [path for path in sorted(own.iterdir()) if path.name != "mesh.inp"]
        return found

    def break_file(self, original: Path, rng: random.Random, folder: Path) -> Path:
        self.stiffness, self.mass = (folder / name for name in self.pairs[original.parent.name])
        for path in original.parent.iterdir():
            shutil.copyfile(path, folder / path.name)
        path = folder / original.name
        mutate = mutated_bytes if path.suffix in _BINARY else mutated_text
        path.write_bytes(mutate(path.read_bytes(), rng))
        return path

    def open(self, path: Path) -> str:
        sentence = ""
        try:
            read = imported_matrices(
                read_model(path.with_name("mesh.inp"), outlines=True), self.stiffness, self.mass
            )
            for matrix in (read.stiffness, read.mass):
                if not np.isfinite(matrix.data).all() or matrix.shape != (read.dofs.n_dofs,) * 2:
                    raise WrongAnswerError("a matrix has numbers that are not finite, or another shape")
        except FayingError as error:
            sentence = str(error)
        study = path.with_name("broken.toml")
        study.write_text(
            'name = "broken"\n[[bodies]]\nname = "body"\nmodel = { path = "mesh.inp", '
            f'stiffness_file = "{self.stiffness.name}", mass_file = "{self.mass.name}" }}\n'
        )
        said, findings = faying("check", study)
        if sentence and "error" not in findings + said:
            raise WrongAnswerError(f"check finds no error where reading says: {sentence}")
        return sentence or said
