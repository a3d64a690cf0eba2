"""Computed project files: looked at, checked, and exported from."""

import random
import shutil
from pathlib import Path

from fuzz.mutations import mutate_hdf
from fuzz.subjects import Subject, faying, register
from support.plate_deck import STUDY, write_study

_SHORT = """
[[analyses]]
kind = "transient"
name = "shake"
body = "plates"
support = "hold"
duration = 2e-5
frames = 3
loads = [{ interface = "tip", force = [0.0, 0.0, -5.0] }]
"""


@register
class Projects(Subject):
    name = "projects"
    share = 5
    seconds = 60.0  # what is damaged is computed again

    def prepare(self, folder: Path) -> list[Path]:
        study = write_study(folder, STUDY.rstrip() + _SHORT)
        project = folder / "plates.faying"
        sentence, _ = faying("run", study, "--out", project)
        assert not sentence, sentence
        return [project]

    def break_file(self, original: Path, rng: random.Random, folder: Path) -> Path:
        path = folder / original.name
        shutil.copyfile(original, path)
        mutate_hdf(path, rng)
        return path

    def open(self, path: Path) -> str:
        said = [faying("info", path)[0], faying("check", path)[0]]
        said.append(faying("export", path, "--curves", "tip uz", "--to", path.with_name("curves.csv"))[0])
        said.append(
            faying(
                "export", path, "--field", "pressure", "--analysis", "press", "--to", path.with_name("p.csv")
            )[0]
        )
        said.append(faying("export", path, "--to", path.with_name("study.toml"))[0])
        return next((sentence for sentence in said if sentence), "")
