"""What the README says is so: its study can be read, its script's names exist, its commands are there."""

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

import faying
from faying.cli import system
from faying.cli.commands import commands
from faying.project.findings import find_findings
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.testing.plates import write_plate_deck

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found
    return found.group(1)


def test_the_study_is_right(tmp_path):
    shutil.copy(files("faying_resources") / "examples" / "friction_bar_19k.inp", tmp_path)
    (tmp_path / "study.toml").write_text(_block("toml"), encoding="utf-8")
    project = read_study(tmp_path / "study.toml")
    assert project.analyses[0].loads[0].force == pytest.approx((0.0, 0.0, 100.0))
    findings = find_findings(project, ArtifactStore(tmp_path / "store"), tmp_path, compute=True)
    assert not [f for f in findings if f.severity == "error"]


def test_the_script_takes_a_deck_to_pressures_and_a_picture(tmp_path, monkeypatch, capsys):
    """As it stands, on a small deck with the same sets and surfaces."""
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


def test_what_the_readme_says_of_solutions_exists():
    paragraph = README[README.index("`faying.read` opens") : README.index("## Where things are")]
    methods = set(re.findall(r"`(\w+)`", paragraph)) - {"build"} | {"apply"}
    known = set(dir(faying.Session)) | set(dir(faying.Solution)) | set(dir(faying.SystemSolution))
    assert len(methods) > 12 and methods <= known
    for path in re.findall(r"`(faying\.\w+\.[\w.]+)`", paragraph):
        module, _, name = path.rpartition(".")
        assert hasattr(import_module(module), name), path


def test_every_command_is_described():
    for name, command in commands.items():
        assert f"`faying {name}" in README, name
        assert command.summary


@pytest.mark.parametrize("name", list(commands))
def test_options_that_are_named_are_there(name):
    """In the rows of the table of commands, and wherever a command is written out."""
    parser = argparse.ArgumentParser()
    commands[name]().declare(parser)
    known = {option for argument in parser._actions for option in argument.option_strings}
    written = [line for line in README.splitlines() if line.startswith(f"| `faying {name}")]
    written += [text for text in re.findall(r"`([^`\n]*)`", README) if f"faying {name} " in text]
    named = {option for text in written for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)}
    assert written and named <= known


def test_every_layer_is_in_the_map():
    folders = [p.name for p in (ROOT / "core" / "faying").iterdir() if (p / "__init__.py").exists()]
    assert not [name for name in folders if f"core/faying/{name}" not in README]


def test_pictures_and_files_exist():
    for path in re.findall(r"\]\(([^)#]+)\)", README):
        assert path.startswith("http") or (ROOT / path).is_file(), path
    assert "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/faying demo friction-bar" in README
    assert 'pip install -e ".[test]" && .venv/bin/python -m pytest' in README


def test_the_packages_that_ci_installs_are_named():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    from faying.cli.system import WINDOW_LIBRARIES

    for package in WINDOW_LIBRARIES.values():
        assert package in README, package
        assert package in script, package


def test_the_law_to_be_added_passes_the_contracts_of_its_family(tmp_path):
    """The law and its test as they stand, as somebody's own package."""
    law, test = (block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "Cubic" in block)
    (tmp_path / "test_cubic.py").write_text(f"{law}\n\n{test}", encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout
    passed = re.search(r"(\d+) passed", found.stdout)
    assert passed and int(passed.group(1)) >= 5 and "skipped" not in found.stdout
