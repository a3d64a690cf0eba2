"""What the README says is so: its study can be read, its script's names exist, its commands are there."""

import ast
import re
import shutil
import tomllib
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from faying.cli.commands import commands
from faying.project.findings import find_findings
from faying.project.store import ArtifactStore
from faying.project.study import read_study

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


def test_the_script_imports_what_exists():
    tree = ast.parse(_block("python"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert len(imports) >= 5
    for node in imports:
        module = import_module(node.module)
        assert all(hasattr(module, alias.name) for alias in node.names)
    study = tomllib.loads(_block("toml"))
    text = _block("python")
    assert f'"{study["bodies"][0]["name"]}"' in text and f'"{study["analyses"][0]["name"]}"' in text


def test_every_command_is_described():
    for name, command in commands.items():
        assert f"`faying {name}" in README, name
        assert command.summary


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
