"""Decks without densities: statics does without, and what needs the mass says so in the words of the format."""

import numpy as np
import pytest

from faying.cli import main
from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.densities import require_densities
from faying.fem.model import Material
from faying.session import read
from support.boxes import STEEL, box
from support.plate_deck import STUDY, write_study

UNREDUCED = STUDY.replace('kind = "static"', 'kind = "unreduced_static"')


def solved(folder, text, **deck):
    folder.mkdir()
    return read(write_study(folder, text, **deck)).solve("press")


def test_unreduced_statics_knows_of_no_mass(tmp_path):
    heavy = solved(tmp_path / "heavy", UNREDUCED)
    light = solved(tmp_path / "light", UNREDUCED, density=None)
    assert heavy.curve("tip uz")[-1] < -1e-4
    np.testing.assert_allclose(light.curve("tip uz"), heavy.curve("tip uz"), rtol=1e-12)
    np.testing.assert_allclose(light.field("pressure"), heavy.field("pressure"), rtol=1e-9, atol=1e-12)


def test_the_same_from_the_command_line(tmp_path, capsys):
    study = write_study(tmp_path, UNREDUCED, density=None)
    assert main(["run", str(study)]) == 0
    assert main(["check", str(study)]) == 0
    said = capsys.readouterr().out
    assert "note" in said and "no density of material 'STEEL'" in said and "*DENSITY" in said


def test_a_reduction_names_the_density_that_it_lacks(tmp_path, capsys):
    study = write_study(tmp_path, density=None)
    assert main(["check", str(study)]) == 1
    assert "error" in (said := capsys.readouterr().out) and "no density of material 'STEEL'" in said
    with pytest.raises(
        ModelError, match="'STEEL' has no density, which the reduction of body 'plates' needs"
    ):
        read(study).solve("press")


def test_without_any_analysis_it_is_a_warning(tmp_path, capsys):
    study = write_study(tmp_path, STUDY.split("[[analyses]]")[0], density=None)
    assert main(["check", str(study)]) == 0
    assert any(
        line.startswith("warning") and "no density" in line for line in capsys.readouterr().out.splitlines()
    )


@pytest.mark.parametrize(
    ("load", "needs"),
    [
        ('{ kind = "gravity", name = "push", acceleration = [0.0, 0.0, -9810.0] }', True),
        ('{ kind = "rotation", name = "push", angular_velocity = 10.0 }', True),
        (
            '{ kind = "pressure", name = "push", surface = { kind = "deck_surface", name = "UPPER" }, pressure = 1.0 }',
            False,
        ),
    ],
)
def test_loads_on_the_mass_need_one_and_others_do_not(tmp_path, load, needs):
    text = UNREDUCED.replace("reduction =", f"loads = [{load}]\nreduction =", 1)
    text = text.replace("loads = [{ interface", 'body_loads = [{ load = "push" }]\nloads = [{ interface')
    study = write_study(tmp_path, text, density=None)
    project = read(study)
    if not needs:
        assert project.solve("press").curve("tip uz")[-1] != 0.0
        return
    with pytest.raises(ModelError, match=r"Load 'push': Material 'STEEL' has no density"):
        project.solve("press")
    errors = [each.sentence for each in project.check() if each.severity == "error"]
    assert errors and all("push" in sentence for sentence in errors)


def test_inertia_relief_needs_one(tmp_path):
    study = write_study(tmp_path, UNREDUCED.replace('support = "hold"', 'support = ""'), density=None)
    with pytest.raises(ModelError, match="inertia relief without a support needs"):
        read(study).solve("press")


def test_nastran_decks_hear_of_their_own_card(tmp_path, capsys):
    (tmp_path / "cube.bdf").write_text(
        "BEGIN BULK\nMAT1,1,2.1+5,,.3\nPSOLID,1,1\nCHEXA,1,1,1,2,3,4,5,6,+\n+,7,8\n"
        + "".join(
            f"GRID,{1 + i},,{x}.,{y}.,{z}.\n"
            for i, (x, y, z) in enumerate(
                [(0, 0, 0), (9, 0, 0), (9, 9, 0), (0, 9, 0), (0, 0, 9), (9, 0, 9), (9, 9, 9), (0, 9, 9)]
            )
        )
        + "ENDDATA\n"
    )
    (tmp_path / "cube.toml").write_text(
        'name = "c"\nunits = "mm-t-s"\n[[bodies]]\nname = "c"\nmodel = { path = "cube.bdf" }\n'
    )
    main(["check", str(tmp_path / "cube.toml")])
    said = capsys.readouterr().out
    assert "RHO of MAT1" in said and "*DENSITY" not in said


def test_matrices_need_none_but_refuse_a_negative_one():
    light = box("hex8", (2, 1, 1), (2.0, 1.0, 1.0), Material("LIGHT", 210000.0, 0.3, 0.0))
    heavy = box("hex8", (2, 1, 1), (2.0, 1.0, 1.0), STEEL)
    assert assemble(light).mass.nnz == 0 or not assemble(light).mass.data.any()
    np.testing.assert_array_equal(assemble(light).stiffness.toarray(), assemble(heavy).stiffness.toarray())
    require_densities(heavy, "anything")
    with pytest.raises(ModelError, match="'LIGHT' has no density, which weight needs"):
        require_densities(light, "weight")
    with pytest.raises(ModelError, match="negative"):
        assemble(box("hex8", (1, 1, 1), (1.0, 1.0, 1.0), Material("ODD", 210000.0, 0.3, -1e-9)))
