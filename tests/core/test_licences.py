"""What the program needs may be passed on with it: permissive licences, and Qt's, loaded at run time."""

import pytest

from faying.cli import main
from faying.cli.licences import LINKED, NEITHER, PERMISSIVE, UNCHANGED, kind_of_licence, required_licences


def test_everything_that_is_required_has_a_licence_that_the_program_can_rely_on() -> None:
    found = {each.package: each for each in required_licences()}
    assert {"numpy", "scipy", "h5py", "pydantic", "vtk", "matplotlib"} <= set(
        found
    )  # the last through pyvista
    assert not [each for each in found.values() if each.kind == NEITHER]
    assert [name for name, each in found.items() if each.kind == LINKED] == [
        "pyside6-essentials",
        "shiboken6",
    ]
    assert [name for name, each in found.items() if each.kind == UNCHANGED] == [
        "certifi"
    ]  # a list of certificates


@pytest.mark.parametrize(
    ("package", "text", "kind"),
    [
        ("a", "MIT", PERMISSIVE), ("a", "BSD 3-Clause License", PERMISSIVE), ("a", "Apache-2.0 OR GPL-3.0", PERMISSIVE),
        ("a", "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", PERMISSIVE), ("a", "MIT AND GPL-3.0-only", NEITHER),
        ("a", "GPL-3.0-or-later", NEITHER), ("a", "LGPL-3.0-only", NEITHER), ("a", "Proprietary", NEITHER),
        ("a", "not declared", NEITHER), ("shiboken6", "LGPL-3.0-only OR GPL-2.0-only", LINKED),
        ("shiboken6", "GPL-3.0-only", NEITHER), ("a", "MPL-2.0 AND MIT", UNCHANGED), ("a", "MITX", NEITHER),
    ],
)  # fmt: skip
def test_what_kind_a_licence_is(package: str, text: str, kind: str) -> None:
    assert kind_of_licence(package, text) == kind


def test_doctor_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--licences"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (numpy,) = (line for line in lines if line.startswith("numpy "))
    assert "BSD-3-Clause" in numpy and numpy.endswith(PERMISSIVE)


def test_doctor_fails_where_one_cannot_be_relied_on(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr("faying.cli.licences.declared", lambda found: "GPL-3.0-only")
    assert main(["doctor", "--licences"]) == 1
    assert NEITHER in capsys.readouterr().out
