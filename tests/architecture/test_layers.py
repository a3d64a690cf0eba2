"""The house stays as it was built: imports point one way, the core is blind and mute."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(p for top in ("core", "app", "resources") for p in (ROOT / top).rglob("*.py"))
CORE = sorted((ROOT / "core").rglob("*.py"))
WINDOW_PACKAGES = (
    "PySide6",
    "shiboken6",
    "vtk",
    "vtkmodules",
    "pyvista",
    "pyvistaqt",
    "matplotlib",
    "imageio",
)


def test_there_are_sources():
    assert len(CORE) > 40


def test_import_contracts():
    """The contracts of pyproject.toml hold (import-linter)."""
    pytest.importorskip("importlinter", reason="import-linter comes with the extra 'dev'")
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "broken" in done.stdout and "0 broken" in done.stdout


def test_core_imports_neither_qt_nor_vtk():
    """Every module of the core, imported in a clean process, brings no window package along."""
    modules = [".".join(p.relative_to(ROOT / "core").with_suffix("").parts) for p in CORE]
    modules = [m.removesuffix(".__init__") for m in modules if not m.endswith("__main__")]
    code = f"""
import importlib, sys
for name in {modules!r}:
    importlib.import_module(name)
print([p for p in {WINDOW_PACKAGES!r} if p in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_only_the_scene_imports_vtk():
    for path in (ROOT / "app").rglob("*.py"):
        if "scene" in path.parts:
            continue
        brought = {name.split(".")[0] for name in _imports(path)}
        assert not brought & {"vtk", "vtkmodules", "pyvista", "pyvistaqt"}, path


def test_names_say_what_things_are():
    """No class or module is a Manager, Helper, Util or Handler; every module begins with a docstring."""
    empty = re.compile(r"manager|helper|util(?!i[sz]ation)|handler", re.IGNORECASE)
    wrong = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        wrong += [] if text.lstrip().startswith(('"""', 'r"""')) else [f"{path} has no docstring"]
        wrong += [str(path)] if empty.search(path.stem) else []
        # A text may say so, a name may not; most files do not say it at all, and need not be parsed.
        may_be = empty.search("\n".join(re.findall(r"\b(?:class|def)\s+(\w+)", text)))
        for node in ast.walk(ast.parse(text)) if may_be else ():
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and empty.search(node.name):
                wrong.append(f"{path}:{node.lineno}: {node.name}")
    assert not wrong


def test_no_silent_broad_except():
    """`except:` and `except Exception: pass` hide programming errors."""
    may_be = re.compile(r"\bexcept\s*(:|\(?\s*(Base)?Exception\b)")
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if may_be.search(text) else ():
            if isinstance(node, ast.ExceptHandler):
                assert node.type is not None, f"{path}:{node.lineno}: bare except"
                broad = isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
                silent = all(isinstance(s, ast.Pass | ast.Continue) for s in node.body)
                assert not (broad and silent), f"{path}:{node.lineno}: hides every error"


def test_families_discover_their_members():
    """Every module of a family's package that defines a member of it is found without a list of names."""
    from faying.analyses import Analysis, analyses
    from faying.cli.commands import Command, commands
    from faying.examples import Example, examples
    from faying.exporters import Exporter, exporters
    from faying.fem.elements import ElementKind, element_kinds
    from faying.fem.readers import ModelReader, readers
    from faying.fem.selections import SurfaceSelection, surface_selections
    from faying.joints.contact_laws import ContactLaw, contact_laws
    from faying.joints.friction_laws import FrictionLaw, friction_laws
    from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
    from faying.reduction.methods import ReductionMethod, reduction_methods
    from faying.results.fields import Field, fields
    from faying.studies import Study, studies

    for base, family in (
        (Analysis, analyses), (Command, commands), (Example, examples), (Exporter, exporters),
        (ElementKind, element_kinds), (ModelReader, readers), (SurfaceSelection, surface_selections),
        (ContactLaw, contact_laws), (FrictionLaw, friction_laws), (JointModeMethod, joint_mode_methods),
        (ReductionMethod, reduction_methods), (Field, fields), (Study, studies),
    ):  # fmt: skip
        members = {member for _, member in family.items()}
        assert members, family.family
        assert all(issubclass(member, base) for member in members)
        concrete = {
            c
            for c in _subclasses(base)
            if not c.__abstractmethods__
            and c.__module__.startswith(f"{family.package}.")
            and "._" not in f"{c.__module__}.{c.__name__}"
        }
        assert concrete <= members, f"{concrete - members} are no registered {family.family}"


def _subclasses(base: type) -> set[type]:
    return {c for direct in base.__subclasses__() for c in {direct, *_subclasses(direct)}}


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_one_place_opens_hdf5_files_for_reading():
    """It follows no links to elsewhere; all others open files to write them."""
    reading = re.compile(r"h5py\.File\((?![^()]*\"w\")")
    found = [path.name for path in SOURCES if reading.search(path.read_text(encoding="utf-8"))]
    assert found == ["hdf_files.py"]
