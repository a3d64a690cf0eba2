"""Study files: broken text, and well-formed text that says nonsense."""

import random
import shutil
from pathlib import Path

from fuzz.mutations import NUMBERS, mutated_text
from fuzz.subjects import Subject, faying, register
from support.computed_plates import _MORE as MORE
from support.plate_deck import STUDY, write_study

_FORMULAS = (
    "3**4000000", "(" * 150 + "t" + ")" * 150, "-" * 1500 + "t", "9**9**9**9**t", "'a'*999999999",
    "t if t else t.real.__class__", "*".join(["3**4000000"] * 80),
)  # fmt: skip
_VALUES = (
    *(text for text in NUMBERS if text), '""', '"\\u0000"', '"nan mm"', '"9**9**9**9 mm"', '"1e999 N"', "[]", "{}",
    "[[]]", "true", "1979-05-27", '"' + "x" * 100000 + '"', '"/dev/zero"', '"/dev/stdin"', '"."', '"3**4000000"',
    '"' + "(" * 200 + '"', '"' + "9" * 5000 + ' mm"', "[" * 400 + "]" * 400, "{ kind = " * 60 + "1" + " }" * 60,
    "0x" + "f" * 5000, "1_000", "inf", "-nan",
    *(f'{{ kind = "expression", formula = "{formula}" }}' for formula in _FORMULAS),
)  # fmt: skip


@register
class Studies(Subject):
    name = "studies"
    share = 6

    def prepare(self, folder: Path) -> list[Path]:
        return [
            write_study(_made(folder / "plain"), STUDY),
            write_study(_made(folder / "more"), STUDY.rstrip() + MORE),
        ]

    def break_file(self, original: Path, rng: random.Random, folder: Path) -> Path:
        for path in original.parent.iterdir():
            shutil.copyfile(path, folder / path.name)
        path = folder / original.name
        text = path.read_bytes()
        if rng.random() < 0.5:
            path.write_bytes(mutated_text(text, rng))
            return path
        lines = text.decode().splitlines()
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.choice([i for i, line in enumerate(lines) if " = " in line])
            start = rng.choice([i for i in range(len(lines[at])) if lines[at].startswith(" = ", i)])
            lines[at] = lines[at][: start + 3] + rng.choice(_VALUES) + lines[at][start + 3 :]
            if rng.random() < 0.9:  # the old value goes, as far as its end is easy to see
                lines[at] = lines[at][: start + 3] + rng.choice(_VALUES)
        path.write_text("\n".join(lines), "utf-8")
        return path

    def open(self, path: Path) -> str:
        said, _ = faying("info", path)
        later, _ = faying("check", path)
        return said or later


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder
