"""The recipe for conda-forge asks for what the project asks for."""

import re
import tomllib
from pathlib import Path

import pytest

from faying import __version__

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
OTHERWISE_NAMED = {"pyside6-essentials": "pyside6"}
LEFT_OUT = {"rslab", "pymetis"}


def _asked(lines):
    """Return the bounds of each package by its name, in lower case."""
    found = {}
    for line in lines:
        name, bounds = re.fullmatch(r"([\w-]+)\s*(.*)", line.partition(";")[0].strip()).groups()
        found[name.lower()] = bounds.replace(" ", "")
    return found


def test_the_recipe_has_the_dependencies_version_and_commands_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = yaml.safe_load((ROOT / "resources/conda-forge/recipe.yaml").read_text(encoding="utf-8"))
    wanted = {
        OTHERWISE_NAMED.get(name, name): bounds for name, bounds in _asked(project["dependencies"]).items()
    }
    found = _asked(recipe["requirements"]["run"])
    assert found.pop("python") == project["requires-python"]
    assert found == {name: bounds for name, bounds in wanted.items() if name not in LEFT_OUT}
    assert recipe["context"]["version"] == project["version"]
    commands = project["scripts"] | project["gui-scripts"]
    entries = recipe["build"]["python"]["entry_points"]
    assert dict(entry.split(" = ") for entry in entries) == commands
    assert recipe["about"]["license"] == project["license"]


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    resources = ROOT / "resources" / "faying_resources"
    assert yaml.safe_load((resources / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version
    assert __version__ == version
    assert f"\n## {version}\n" in (resources / "manual" / "changes.md").read_text(encoding="utf-8")
    assert f"version = {{{version}}}" in (resources / "manual" / "citing.md").read_text(encoding="utf-8")
