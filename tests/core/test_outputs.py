"""No output takes the place of what the project reads from, or unasked of what Faying did not write."""

import os
import re

import numpy as np
import pytest

from faying.cli import main
from faying.errors import Cancelled
from faying.examples import ExampleRun
from faying.exporters.bodies import body_endings, body_writer_for
from faying.project import outputs
from faying.project.file_names import files_read
from faying.project.outputs import (
    OutputExists,
    check_output,
    file_name,
    is_own_output,
    remember_outputs,
    writing,
)
from faying.project.study import read_study
from support.plate_deck import write_study

MINE = "what I wrote in a week\n"


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    """The folder of a computed project whose deck includes another file."""
    folder = tmp_path_factory.mktemp("computed")
    study = write_study(folder)
    (folder / "more.inp").write_text("** included\n")
    deck = folder / "plates.inp"
    deck.write_text(deck.read_text() + "*INCLUDE, INPUT=more.inp\n")
    study.write_text("# why all is as it is\n" + study.read_text())
    assert main(["run", str(study)]) == 0
    return folder


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("ending", body_endings())
def test_a_reduced_body_is_exported_in_every_format(computed, home, tmp_path, ending):
    """Also where files of other endings belong to it, as the matrices of Abaqus."""
    target = tmp_path / f"plates{ending}"
    words = ["export", str(computed / "plates.faying"), "--body", "--to", str(target)]
    assert main(words) == 0 and target.stat().st_size > 0
    written = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert written <= {path.name for path in body_writer_for(target).files(target)}
    assert main(words) == 0  # Faying's own files are replaced


EXPORTS = [
    (["export", "P", "--field", "pressure", "--to"], "x.csv"),
    (["export", "P", "--field", "pressure", "--to"], "x.vtkhdf"),
    (["export", "P", "--model", "--to"], "x.inp"),
    (["export", "P", "--model", "--to"], "x.vtu"),
    (["export", "P", "--pairs", "--to"], "x.csv"),
    (["export", "P", "--pairs", "--to"], "x.vtu"),
    (["export", "P", "--curves", "tip uz", "--to"], "x.csv"),
    (["export", "P", "--matrices", "--to"], "folder/mass.npz"),
    (["export", "P", "--to"], "x.toml"),
    (["report", "P", "--no-pictures", "--to"], "x.html"),
    (["plot-law", "linear_penalty", "--to"], "x.csv"),
]


@pytest.mark.parametrize(("command", "name"), EXPORTS, ids=lambda value: "-".join(value[2:]) or value)
def test_what_others_wrote_or_changed_is_replaced_only_by_force(
    computed, home, tmp_path, capsys, command, name
):
    words = [str(computed / "plates.faying") if word == "P" else word for word in command]
    target = tmp_path / name
    if target.parent != tmp_path:
        target.parent.mkdir()
    words.append(str(target if target.parent == tmp_path else target.parent))
    target.write_text(MINE)
    assert main(words) == 1
    assert "Faying did not write it" in capsys.readouterr().err and target.read_text() == MINE
    assert main([*words, "--force"]) == 0 and target.read_bytes() != MINE.encode()
    assert main(words) == 0  # written by Faying
    with target.open("ab") as stream:
        stream.write(b"# my comment\n")
    changed = target.read_bytes()
    assert main(words) == 1 and target.read_bytes() == changed
    assert [path.name for path in target.parent.iterdir() if path.name.endswith(".saving")] == []


@pytest.mark.parametrize(
    ("command", "name", "sentence"),
    [
        (["report", "P", "--no-pictures", "--to"], "plates.faying", "files of this kind"),
        (["report", "P", "--no-pictures", "--to"], "plates.inp", "files of this kind"),
        (["export", "P", "--model", "--to"], "plates.inp", "reads from"),
        (["export", "P", "--model", "--to"], "more.inp", "reads from"),
        (["export", "P", "--model", "--to"], "plates.faying", "files of this kind"),
        (["export", "P", "--to"], "plates.toml", "did not write it"),
        (["export", "S", "--to"], "plates.toml", "reads from"),
        (["export", "P", "--field", "gap", "--to"], "plates.faying", "files of this kind"),
        (["export", "P", "--matrices", "--to"], "plates.inp", "is a file"),
        (["run", "S", "--out"], "plates.inp", "files of this kind"),
        (["run", "S", "--out"], "plates.toml", "files of this kind"),
        (["plot-law", "linear_penalty", "--to"], "plates.inp", "files of this kind"),
    ],
)
def test_inputs_stay(computed, home, capsys, command, name, sentence):
    project, study = str(computed / "plates.faying"), str(computed / "plates.toml")
    words = [{"P": project, "S": study}.get(word, word) for word in command]
    before = {path.name: path.read_bytes() for path in computed.iterdir()}
    assert main([*words, str(computed / name)]) == 1
    assert sentence in capsys.readouterr().err
    if sentence != "did not write it":
        assert main([*words, str(computed / name), "--force"]) == 1
    assert {path.name: path.read_bytes() for path in computed.iterdir()} == before


def test_a_law_stays_in_its_table(home, tmp_path, capsys):
    table = tmp_path / "law.csv"
    table.write_text("0, 0\n0.001, 10\n0.002, 40\n")
    words = ["plot-law", f"tabulated:path={table}", "--to", str(table), "--force"]
    assert main(words) == 1 and "reads from" in capsys.readouterr().err
    assert table.read_text().startswith("0, 0")


def test_all_files_that_a_project_reads_are_known(tmp_path):
    study = write_study(tmp_path)
    deck = tmp_path / "plates.inp"
    deck.write_text(deck.read_text() + "*INCLUDE, INPUT=sub/first.inp\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "first.inp").write_text("*NODE, INPUT=../nodes.txt\n")
    (tmp_path / "nodes.txt").touch()
    for name in ("k.npz", "m.npz"):
        np.savez(tmp_path / name)
    np.save(tmp_path / "k_dofs.npy", np.zeros((1, 2), int))
    text = study.read_text().replace(
        'path = "plates.inp"', 'path = "plates.inp", stiffness_file = "k.npz", mass_file = "m.npz"'
    )
    (tmp_path / "law.csv").touch()
    text = re.sub(r"contact_law = .*", 'contact_law = { kind = "tabulated", path = "law.csv" }', text)
    study.write_text(text)
    assert "k.npz" in text and "law.csv" in text
    found = files_read(read_study(study), tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in found} == {
        "plates.inp", "sub/first.inp", "nodes.txt", "k.npz", "m.npz", "k_dofs.npy", "law.csv",
    }  # fmt: skip
    assert found[tmp_path / "nodes.txt"] == deck


def test_nothing_is_replaced_where_nobody_said_so(home, tmp_path):
    """By default; what Faying wrote itself stands in nobody's way."""
    path = tmp_path / "x.csv"
    path.write_text(MINE)
    with pytest.raises(OutputExists):
        check_output(path)
    with pytest.raises(OutputExists), writing(path):
        path.write_text("lost")
    assert path.read_text() == MINE
    with writing(path, replace=True):
        path.write_text("1")
    check_output(path)
    with writing(path):
        path.write_text("2")


def test_inputs_are_known_under_other_names(home, tmp_path):
    deck = tmp_path / "deck.inp"
    deck.touch()
    (tmp_path / "soft.inp").symlink_to(deck)
    os.link(deck, tmp_path / "hard.inp")
    (tmp_path / "sub").mkdir()
    for path in (deck, tmp_path / "soft.inp", tmp_path / "hard.inp", tmp_path / "sub" / ".." / "deck.inp"):
        with pytest.raises(outputs.FayingError, match="reads from"):
            check_output(path, (".inp",), [deck], replace=True)


def test_nothing_is_remembered_of_what_failed_and_the_list_ends_somewhere(home, tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    with pytest.raises(ZeroDivisionError), writing(path):
        path.write_text("half")
        raise ZeroDivisionError
    with pytest.raises(OutputExists):
        check_output(path)
    monkeypatch.setattr(outputs, "_MOST", 33 * 10)
    for i in range(25):
        path.write_text(f"table {i}")
        remember_outputs([path])
        check_output(path)
    assert (tmp_path / "home" / "written").stat().st_size <= 33 * 10
    monkeypatch.setenv("FAYING_HOME", str(path / "no folder"))
    remember_outputs([path])  # where nothing can be remembered, the user is asked
    with pytest.raises(OutputExists):
        check_output(path)


def test_a_demo_replaces_nothing_of_others(home, tmp_path, capsys):
    words = ["demo", "spinning-top", "--quick", "--no-window", "--out", str(tmp_path / "out")]
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "summary.json").write_text(MINE)
    assert main(words) == 1
    assert "summary.json" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["summary.json"]


def test_a_demo_takes_no_file_for_its_own_that_it_did_not_write(home, tmp_path, monkeypatch):
    """By force it may replace all of them; what it leaves alone, here as it ends early, stays the user's."""
    mine = tmp_path / "spinning-top-notes.csv"
    mine.write_text(MINE)

    def stops(run):
        (tmp_path / "spinning-top-angle.csv").write_text("time, angle\n")
        raise Cancelled("Interrupted.")

    monkeypatch.setattr(ExampleRun, "run_analyses", stops)
    words = ["demo", "spinning-top", "--quick", "--no-window", "--force", "--out", str(tmp_path)]
    assert main(words) == 130
    assert is_own_output(tmp_path / "spinning-top-angle.csv")
    assert not is_own_output(mine) and mine.read_text() == MINE


def test_a_file_that_is_not_written_stays_the_users(computed, home, tmp_path, capsys):
    """Of Abaqus' files damping is written only where there is some; the user's own of that name is never removed."""
    mine = tmp_path / "plates_damping.mtx"
    mine.write_text(MINE)
    for _ in range(2):
        words = ["export", str(computed / "plates.faying"), "--body", "--to", str(tmp_path / "plates.inp")]
        assert main([*words, "--force"]) == 0
        assert "plates_damping.mtx was there before" in capsys.readouterr().err
        assert mine.read_text() == MINE and not is_own_output(mine)


def test_names_of_projects_lead_to_no_other_folder():
    for name, kept in (
        ("/home/me/.bashrc", "homeme.bashrc"), ("../../x", "x"), ("..", "untitled"), ("a\nb\x00", "ab"),
        ("aux", "aux_"), ("Con.1", "Con_.1"), ("console", "console"), ("lpt9", "lpt9_"),
        ("Plates (v1.2), grün", "Plates (v1.2), grün"), ('C:\\"x"', "Cx"),
    ):  # fmt: skip
        assert file_name(name) == kept
