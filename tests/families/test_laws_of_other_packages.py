"""Laws that another distribution adds through the entry points faying.contact_laws and faying.friction_laws."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

LAWS = '''
from typing import ClassVar

import numpy as np

from faying.joints.contact_laws import ContactLaw, contact_laws
from faying.joints.friction_laws import friction_laws
from faying.joints.friction_laws.coulomb import Coulomb
from faying.params import parameter


@contact_laws.register("cubic")
class Cubic(ContactLaw):
    """Pressure grows with the third power of the penetration."""

    kind: ClassVar[str] = "cubic"
    title: ClassVar[str] = "Cubic"
    factor: float = parameter(1e6, title="Factor", gt=0.0, meaning="Pressure per penetration cubed.")

    def pressure(self, gap):
        depth = np.maximum(-gap, 0.0)
        return self.factor * depth**3, -3.0 * self.factor * depth**2

    def closing_gap(self):
        return 0.0


@friction_laws.register("greasy")
class Greasy(Coulomb):
    """Coulomb's with half the limit."""

    kind: ClassVar[str] = "greasy"
    title: ClassVar[str] = "Greasy"
'''

USE = """
import numpy as np
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.project.specs import JointSpec
from faying.params import build

surface = {"kind": "deck_surface", "name": "A"}
joint = build(JointSpec, {"name": "j", "master": surface, "slave": surface,
    "contact_law": {"kind": "cubic", "factor": 8.0}, "friction_law": {"kind": "greasy", "friction_coefficient": 0.1}})
assert joint.model_dump()["contact_law"] == {"kind": "cubic", "factor": 8.0}
print(joint.contact_law.pressure(np.array([-0.5]))[0][0], joint.friction_law.title, "cubic" in list(contact_laws))
"""


def distribution(folder: Path, entry: str) -> Path:
    """Write what an installer leaves of a small package in a folder of the search path."""
    (folder / "shop_laws.py").write_text(LAWS, encoding="utf-8")
    metadata = folder / f"{entry}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {entry.replace('_', '-')}\nVersion: 1.0\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text(
        f"[faying.contact_laws]\nshop = {entry}\n\n[faying.friction_laws]\nshop = {entry}\n", encoding="utf-8"
    )
    return folder


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    program = f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )


def test_another_package_adds_laws(tmp_path: Path) -> None:
    outcome = run(distribution(tmp_path, "shop_laws"), USE)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.split() == ["1.0", "Greasy", "True"]


def test_packages_that_cannot_be_imported_take_nothing_down(tmp_path: Path) -> None:
    """None is there, and others raise anything; all in one process, which goes on."""
    failing = {
        "shop_expired": "raise RuntimeError('licence expired')",
        "shop_exits": "import sys; sys.exit(3)",
        "shop_divides": "1 / 0",
        "shop_unfinished": "x =",
    }
    for name, source in failing.items():
        (distribution(tmp_path, name) / f"{name}.py").write_text(source + "\n", encoding="utf-8")
    code = (
        "from faying.joints.contact_laws import contact_laws; print('linear_penalty' in list(contact_laws))"
    )
    outcome = run(distribution(tmp_path, "shop_lawz"), code)
    assert outcome.stdout.split() == ["True"] and outcome.returncode == 0
    for name in ("shop_lawz", *failing):
        assert f"the contact law members of {name} cannot be loaded" in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_a_law_that_leaves_out_what_its_family_asks_for_is_told_by_name(tmp_path: Path) -> None:
    """Its first user got the traceback of a class that cannot be instantiated."""
    folder = distribution(tmp_path, "shop_laws")
    source = folder / "shop_laws.py"
    source.write_text(source.read_text().replace("def closing_gap", "def closes_at"), encoding="utf-8")
    outcome = run(
        folder, "from faying.joints.contact_laws import contact_laws; print('cubic' in list(contact_laws))"
    )
    assert outcome.stdout.split() == ["False"] and outcome.returncode == 0
    assert "the contact law 'cubic' leaves out closing_gap" in outcome.stderr
    assert "Traceback" not in outcome.stderr


DIGESTS = """
import json, sys
from pathlib import Path
from faying.joints.contact_laws import contact_laws
from faying.project.code import Code, installed_code
list(contact_laws)
for content in (None, "0 1", "0 1", "0 2"):
    if content is not None:
        Path(sys.path[0], "grease.csv").write_text(content)
    print(json.dumps(Code(installed_code()._root).digests(["shop_laws"])))
"""


def test_a_data_file_that_a_law_names_counts_in_the_key(tmp_path: Path) -> None:
    folder = distribution(tmp_path, "shop_laws")
    with (folder / "shop_laws.py").open("a") as file:
        file.write('DATA_FILES = ("grease.csv",)\n')
    outcome = run(folder, DIGESTS)
    assert outcome.returncode == 0, outcome.stderr
    found = [json.loads(line) for line in outcome.stdout.splitlines()]
    missing, first, same, other = (each["shop_laws: grease.csv"] for each in found)
    assert missing == "missing" and first == same != other
    assert len({each["shop_laws"] for each in found}) == 1


TESTS = """
from faying.testing import ContactLawContract

class TestCubic(ContactLawContract):
    kinds = ("cubic",)
"""


@pytest.mark.parametrize("slope", ["-3.0", "3.0"])
def test_another_package_tests_its_law_with_three_lines(tmp_path: Path, slope: str) -> None:
    """A law with the right derivative passes the family's contract, one with the wrong sign does not."""
    distribution(tmp_path, "shop_laws")
    source = tmp_path / "shop_laws.py"
    source.write_text(source.read_text(encoding="utf-8").replace("-3.0", slope), encoding="utf-8")
    (tmp_path / "own.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport pytest\nsys.exit(pytest.main(sys.argv[1:]))"
    words = [
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        "-c",
        str(tmp_path / "own.ini"),
        str(tmp_path),
    ]
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
    )
    if slope == "-3.0":
        assert done.returncode == 0 and "7 passed" in done.stdout, done.stdout
    else:
        assert done.returncode == 1 and "test_derivative_by_differences" in done.stdout, done.stdout
