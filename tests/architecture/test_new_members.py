"""A new member of each family is one file in its folder; no list anywhere has to be changed.

The file is put into a copy of the program, and all tests that run for the new kind have to pass there.
"""

import importlib.util
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import faying
from faying.registry import Registry

ROOT = Path(__file__).parents[2]
TOPS = {"faying": "core", "faying_app": "app"}
# Of each family, the member that the new one is made like (otherwise the first), and what it has of its own.
LIKE = {
    "faying.analyses": ("static", ""),
    "faying.analyses.step_kinds": ("load", ""),
    "faying.cli.commands": ("check", ""),
    "faying.exporters": ("csv", 'extensions = (".new",)'),
    "faying.exporters.bodies": ("abaqus", 'extensions = (".new",)'),
    "faying.exporters.plots": ("csv", 'extensions = (".new",)'),
    "faying.fem.elements": ("hex8_full", 'labels = ("NEW8",)'),
    "faying.fem.materials": ("isotropic", "example = classmethod(lambda _: {'youngs_modulus': 2e5, 'density': 8e-9})"),
    "faying.fem.matrix_files": ("abaqus", 'extensions = (".new",)'),
    "faying.fem.mesh_makers": ("plate", ""),
    "faying.fem.readers": ("abaqus", 'extensions = (".new",)'),
    "faying.fem.selections": ("sphere", "example = classmethod(lambda _: {'centre': (20, 5, 0), 'radius': 12.0})"),
    "faying.fem.writers": ("abaqus", 'extensions = (".new",)'),
    "faying.joints.contact_laws": ("linear_penalty", ""),
    "faying.joints.friction_laws": ("coulomb", ""),
    "faying.multibody.forces": ("point_force", ""),
    "faying.multibody.part_kinds": ("rigid", "example = classmethod(lambda _: {'mass': 2.0})"),
    "faying.project.stages": ("quality", 'name, order = "brand_new", 999'),
    "faying.reduction.body_loads": ("gravity", "example = classmethod(lambda _: {'acceleration': (0, 0, -9810.0)})"),
    "faying.reduction.joint_modes": ("weighted_pod", ""),
    "faying.reduction.methods": ("craig_bampton", ""),
    "faying.reduction.preload_loads": (
        "node_force", "example = classmethod(lambda _: {'interface': 'tip', 'force': (1, 2, 3)})",
    ),
    "faying.results.fields": ("gap", ""),
    "faying.solvers.integrators": ("hht", ""),
}  # fmt: skip
# Where members are tried by kind; all of the tests would take minutes to collect.
TRIED = ("tests/families", "tests/core/test_stages.py", "tests/app/test_window_contracts.py")
# Examples and studies bring recorded numbers, the manual's pages links.
ALONE = ("faying.examples", "faying.studies", "faying.manual")


def families() -> dict[str, tuple[str, Registry]]:
    """Return name and registry of each family by package."""
    packages = [faying]
    if importlib.util.find_spec("faying_app") is not None:
        packages.append(importlib.import_module("faying_app"))
    found = {}
    for top in packages:
        for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
            if module.ispkg and ".testing" not in module.name:
                for name, value in vars(importlib.import_module(module.name)).items():
                    if isinstance(value, Registry) and value.package == module.name:
                        found[module.name] = (name, value)
    return found


def new_member(package: str, name: str, family: Registry) -> str:
    """Return the file of a member that is like another one, under its own kind and title."""
    kind, own = LIKE.get(package, (next(iter(family)), ""))
    member = family[kind]
    other = f"from {member.__module__} import {member.__qualname__} as Other"
    head = (
        f'"""A new member."""\n\n{other}\nfrom {package} import {name}\n\n\n@{name}.register("brand_new")\n'
    )
    if not isinstance(member, type):
        return (
            f'{head}def brand_new(*args):\n    """Return the same as the other."""\n    return Other(*args)\n'
        )
    title = 'title = "Brand new"' if getattr(member, "title", "") else ""
    lines = [f"    {line}\n" for line in (title, own) if line]
    return f'{head}class BrandNew(Other):\n    """A new kind."""\n\n' + "".join(lines)


@pytest.mark.slow
def test_a_file_in_its_folder_is_all_that_a_new_member_needs(tmp_path):
    for top in ("core", "app", "resources", "tests"):
        # With the machine code of the kernels, which is cached next to their sources.
        shutil.copytree(ROOT / top, tmp_path / top, ignore=shutil.ignore_patterns("*.pyc", "test-home*"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    written = 0
    for package, (name, family) in families().items():
        if package not in ALONE:
            folder = tmp_path.joinpath(TOPS[package.split(".")[0]], *package.split("."))
            (folder / "brand_new.py").write_text(new_member(package, name, family), encoding="utf-8")
            written += 1
    assert written > 35
    path = os.pathsep.join(str(tmp_path / top) for top in ("core", "app", "resources"))
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *TRIED, "-k", "brand_new"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout[-4000:]
    passed = re.search(r"(\d+) passed", found.stdout)
    assert passed and int(passed[1]) > 200, found.stdout[-400:]


def test_no_test_keeps_a_list_of_the_members_of_a_family():
    names = "|".join(name for name, _ in families().values())
    listed = re.compile(
        rf"[}})\]] == (?:set|sorted|list)\((?:{names})\)|(?:set|sorted|list)\((?:{names})\) == [{{(\[]"
    )
    for file in (ROOT / "tests").rglob("test_*.py"):
        assert not listed.search(file.read_text(encoding="utf-8")), file
