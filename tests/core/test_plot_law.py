"""``faying plot-law``: tables and pictures of laws, matched to one another."""

import csv
import os
import subprocess
import sys

import numpy as np
import pytest

from faying.cli import main
from faying.cli.commands.plot_law import read_law
from faying.errors import ModelError
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws


def table(path):
    rows = list(csv.reader(path.open(encoding="utf-8")))
    return rows[0], np.array(rows[1:], float)


def test_pressures_meet_at_the_point(tmp_path, capsys):
    words = ["linear_penalty", "linear_penalty:stiffness=7 N/mm^3", "--match", "2.5um:1MPa"]
    assert main(["plot-law", *words, "--to", str(tmp_path / "laws.csv")]) == 0
    heads, numbers = table(tmp_path / "laws.csv")
    assert heads == ["Gap [µm]", "Linear penalty: Pressure [MPa]", "Linear penalty 2: Pressure [MPa]"]
    at = np.argmin(np.abs(numbers[:, 0] + 2.5))
    assert numbers[at] == pytest.approx([-2.5, 1.0, 1.0])
    assert numbers[0, 0] == -5.0
    assert numbers[-1] == pytest.approx([1.0, 0.0, 0.0])
    assert "linear_penalty: stiffness = 400" in capsys.readouterr().out


def test_loops_in_other_units(tmp_path):
    law = "coulomb:friction_coefficient=0.15,sticking_stiffness=1000,sliding_stiffness=50"
    words = [law, "--slip", "0.5um", "--pressure", "1 N/mm^2", "--length-unit", "nm", "--stress-unit", "kPa"]
    assert main(["plot-law", *words, "--to", str(tmp_path / "loop.csv")]) == 0
    heads, numbers = table(tmp_path / "loop.csv")
    assert heads[0] == "Slip [nm]"
    assert heads[1].startswith("Coulomb, three parameters: 0.205")
    assert numbers[:, 0].max() == pytest.approx(500.0)
    assert numbers[:, 1].max() == pytest.approx(175.0)


def test_loops_are_matched_in_their_work(tmp_path, capsys):
    words = ["coulomb", "coulomb:sticking_stiffness=2000", "--slip", "1um", "--match", "0.1 J/m^2"]
    assert main(["plot-law", *words, "--to", str(tmp_path / "loop.csv")]) == 0
    assert capsys.readouterr().out.count("friction_coefficient =") == 2
    heads, numbers = table(tmp_path / "loop.csv")
    last = numbers[np.argmax(numbers[:, 0]) :]  # the cycle from one turning point to the next on that side
    for column in (1, 2):
        # MPa · µm are J/m².
        assert np.trapezoid(last[:, column], last[:, 0]) == pytest.approx(0.1, rel=1e-6)
        assert "0.1 J/m² per cycle" in heads[column]


@pytest.mark.parametrize("ending", ["png", pytest.param("svg", marks=pytest.mark.slow)])
def test_pictures_without_a_screen(tmp_path, ending):
    path = tmp_path / f"laws.{ending}"
    hidden = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = subprocess.run(
        [sys.executable, "-m", "faying", "plot-law", "linear_penalty", "--match", "2.5um:1MPa", "--to", str(path)],
        capture_output=True, text=True, timeout=120, check=False, env=hidden,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    if ending == "png":
        import imageio.v3 as imageio

        picture = imageio.imread(path)
        assert picture.shape[:2] == (640, 960)
        assert picture[..., :3].std() > 8
    else:
        text = path.read_text(encoding="utf-8")
        assert "<polyline" in text or "<path" in text
        assert "Pressure [MPa]" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["linear_penalty"], "--to"),
        (["linear_penalty", "--to", "a.docx"], "Known are: .csv, .pdf, .png, .svg, .unv."),
        (["linear", "--to", "a.csv"], "no contact or friction law called 'linear'"),
        (["linear_penalty:stiff=3", "--to", "a.csv"], "no parameter 'stiff'"),
        (["linear_penalty:stiffness", "--to", "a.csv"], "name=value"),
        (["linear_penalty:stiffness=3,stiffness=4", "--to", "a.csv"], "'stiffness' is given twice"),
        (["linear_penalty:stiffness=-3", "--to", "a.csv"], "greater than 0"),
        (["linear_penalty:stiffness=3 MPa", "--to", "a.csv"], "not a contact stiffness"),
        (["linear_penalty:stiffness=1:2", "--to", "a.csv"], "not a contact stiffness"),
        (["linear_penalty", "coulomb", "--to", "a.csv"], "do not share axes"),
        (["linear_penalty", "--match", "1um", "--to", "a.csv"], "2.5um:1MPa"),
        (["linear_penalty", "--match", "1um:0MPa", "--to", "a.csv"], "above zero"),
        (["coulomb", "--slip", "0um", "--to", "a.csv"], "greater than 0"),
        (["coulomb", "--slip", "nan", "--to", "a.csv"], "'nan' is not a length"),
        (["linear_penalty", "--penetration=-1um", "--to", "a.csv"], "greater than 0"),
        (["linear_penalty", "--penetration", "nan", "--to", "a.csv"], "'nan' is not a length"),
        (["linear_penalty", "--opening", "nan", "--to", "a.csv"], "'nan' is not a length"),
        (["linear_penalty", "--opening", "-1um", "--to", "a.csv"], "greater than or equal to 0"),
        (["linear_penalty", "--match", "1um:inf", "--to", "a.csv"], "'inf' is not a stress"),
        (["coulomb", "--cycles", "0", "--to", "a.csv"], "cycles"),
        (["linear_penalty", "--stress-unit", "mm", "--to", "a.csv"], "not a stress"),
    ],
)
def test_what_is_wrong_is_said(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["plot-law", *words]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert sentence in error
    assert list(tmp_path.iterdir()) == []


def test_without_laws_all_of_them_are_listed(capsys):
    assert main(["plot-law"]) == 0
    shown = capsys.readouterr().out
    for kind, law in [*contact_laws.items(), *friction_laws.items()]:
        assert f"{kind}: {law.title}" in shown
        assert all(f"    {name}: " in shown for name in law.model_fields)
    assert "gaps: Gaps [mm], default 0.0:-0.0001" in shown  # as they are given


def test_a_folder_that_is_not_there(tmp_path, capsys):
    assert main(["plot-law", "linear_penalty", "--to", str(tmp_path / "no" / "a.csv")]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_values_without_a_unit_count_in_the_chosen_system():
    assert read_law("linear_penalty:stiffness=4e11", "m-kg-s").stiffness == 4e11
    assert read_law("linear_penalty:stiffness=400 N/mm^3", "m-kg-s").stiffness == pytest.approx(4e11)
    with pytest.raises(ModelError, match="Known are"):
        read_law("", "mm-t-s")
