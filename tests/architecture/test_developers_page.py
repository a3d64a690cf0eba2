"""The manual's developers' page and its pages about scripts and installing name things that exist."""

import re
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import faying
from faying.cli.system import WINDOW_LIBRARIES

ROOT = Path(__file__).parents[2]
MANUAL = files("faying_resources") / "manual"
PAGE = (MANUAL / "developers.md").read_text(encoding="utf-8")


def test_every_layer_is_in_the_map():
    folders = [p.name for p in (ROOT / "core" / "faying").iterdir() if (p / "__init__.py").exists()]
    assert not [name for name in folders if f"core/faying/{name}" not in PAGE]
    for path in re.findall(r"`((?:core|app|resources|tests|\.ci)/[\w./]+)`", PAGE):
        assert (ROOT / path).exists(), path


def test_the_law_to_be_added_passes_the_contracts_of_its_family(tmp_path):
    """The page's law and its test, as somebody's own package."""
    law, test = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "test_cubic.py").write_text(f"{law}\n\n{test}", encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout
    passed = re.search(r"(\d+) passed", found.stdout)
    assert passed and int(passed.group(1)) >= 5 and "skipped" not in found.stdout


def test_what_the_page_about_scripts_names_exists():
    page = (MANUAL / "scripts.md").read_text(encoding="utf-8")
    known = set(dir(faying.Session)) | set(dir(faying.Solution)) | set(dir(faying.SystemSolution))
    methods = set(re.findall(r"`([a-z_]+)`", page))
    assert len(methods) > 12 and methods <= known
    paths = re.findall(r"`(faying(?:\.\w+)*\.\w+)[`(]", page)
    assert len(paths) > 6
    for path in paths:
        module, _, name = path.rpartition(".")
        assert hasattr(import_module(module), name), path


def test_the_packages_that_ci_installs_are_named():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    page = (MANUAL / "installing.md").read_text(encoding="utf-8")
    for package in WINDOW_LIBRARIES.values():
        assert package in page and package in script, package
