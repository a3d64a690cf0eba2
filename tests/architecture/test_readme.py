"""The README is short and right: its study can be read, its script runs, its files are there."""

import re
import shutil
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from faying.cli import system
from faying.project.findings import find_findings
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.testing.plates import write_plate_deck

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return found


def test_it_is_one_page():
    assert len(README.splitlines()) <= 150


def test_the_study_is_right(tmp_path):
    shutil.copy(files("faying_resources") / "examples" / "friction_bar_19k.inp", tmp_path)
    (tmp_path / "study.toml").write_text(_block("toml"), encoding="utf-8")
    project = read_study(tmp_path / "study.toml")
    assert project.analyses[0].loads[0].force == pytest.approx((0.0, 0.0, 100.0))
    findings = find_findings(project, ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    assert not [f for f in findings if f.severity == "error"]


def test_the_script_takes_a_deck_to_pressures_and_a_picture(tmp_path, monkeypatch, capsys):
    """Unchanged, on a small deck with the same sets and surfaces."""
    script, deck = _block("python"), tmp_path / "friction_bar_19k.inp"
    write_plate_deck(deck)
    text = deck.read_text(encoding="utf-8")
    for own, named in (
        ("HOLD", "REF_MOUNT"), ("TIP", "REF_LOAD"), ("LOWER", "JOINT_SLAVE"), ("UPPER", "JOINT_MASTER"),
    ):  # fmt: skip
        assert named in script
        text = re.sub(rf"\b{own}\b", named, text)
    deck.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if not system.graphics_renderer()[0]:
        script = "".join(line for line in script.splitlines(keepends=True) if ".picture(" not in line)
    names = {}
    exec(compile(script, "README.md", "exec"), names)
    assert names["pressure"].shape == (len(names["bar"].find_pairs()),)
    assert "MPa," in capsys.readouterr().out and (tmp_path / "friction_bar.faying").exists()
    assert ".picture(" not in script or (tmp_path / "pressure.png").read_bytes().startswith(b"\x89PNG")
    study = tomllib.loads(_block("toml"))
    assert f'"{study["bodies"][0]["name"]}"' in script and f'"{study["analyses"][0]["name"]}"' in script


def test_pictures_and_files_exist():
    paths = re.findall(r"\]\(([^)#]+)\)", README)
    assert "resources/faying_resources/manual/index.md" in paths
    for path in paths:
        assert path.startswith("http") or (ROOT / path).is_file(), path
    assert "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/faying demo friction-bar" in README
    assert 'pip install -e ".[test]" && .venv/bin/python -m pytest' in README
