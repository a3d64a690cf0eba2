"""Load vectors of superelements in every format."""

import random
from pathlib import Path

import numpy as np

from faying.errors import FayingError
from faying.fem.load_vectors import read_load_vectors
from fuzz.guard import WrongAnswerError
from fuzz.mutations import mutated_bytes, mutated_text
from fuzz.subjects import Subject, register

_FORCES = ((1, 1, 2.0, -3.0), (1, 2, 1e3, 0.0), (4, 3, 0.0, 5.5e-7), (90001, 1, 7.0, 1.0))


@register
class LoadVectorFiles(Subject):
    name = "load vectors"
    share = 1

    def prepare(self, folder: Path) -> list[Path]:
        table = np.array(_FORCES)
        archive, text, punched = (folder / f"loads{ending}" for ending in (".npz", ".txt", ".pch"))
        np.savez(archive, loads=table[:, 2:], dofs=table[:, :2].astype(int))
        lines = [f"{node}, {component}, {a!r}, {b!r}" for node, component, a, b in _FORCES]
        text.write_text("\n".join(["* forces", *lines]) + "\n")
        cards = [f"{'DMIG':<8}{'P2G':<8}{0:>8}{9:>8}{2:>8}{0:>8}{'':8}{2:>8}"]
        for column in (1, 2):
            cards.append(f"{'DMIG*':<8}{'P2G':<16}{column:>16}{0:>16}{'':16}*")
            cards += [f"{'*':<8}{row[0]:>16}{row[1]:>16}{row[1 + column]:>16.9E}" for row in _FORCES]
        punched.write_text("\n".join(cards) + "\n")
        return [archive, text, punched]

    def break_file(self, original: Path, rng: random.Random, folder: Path) -> Path:
        path = folder / original.name
        mutate = mutated_bytes if path.suffix == ".npz" else mutated_text
        path.write_bytes(mutate(original.read_bytes(), rng))
        return path

    def open(self, path: Path) -> str:
        try:
            read = read_load_vectors(path)
        except FayingError as error:
            return str(error)
        if not np.isfinite(read.vectors).all() or read.vectors.shape[0] != len(read.dofs):
            raise WrongAnswerError("forces are not finite, or not as many as degrees of freedom")
        return ""
