"""Studies of statements: what is shipped is what the code says, and verdicts are what they claim to be."""

import json
from importlib.resources import files

import numpy as np
import pytest

from faying.cli import main
from faying.cli.commands import demo
from faying.cli.study_demo import write_tables
from faying.examples import examples
from faying.examples.friction_bar_deck import NARROW_HOLES, WIDE_HOLES, write_friction_bar
from faying.fem.mass_properties import mass_properties
from faying.fem.readers import read_model
from faying.project.outputs import file_name
from faying.studies import friction_bar_convergence as bars
from faying.studies import recorded, statement_studies, text_of
from faying.studies.statements import Agreement, Statement, alike, between, every, less, more, statement_table

KINDS = sorted(statement_studies())
SHIPPED = files("faying_resources") / "studies"
HOLDS, DOES_NOT, UNDECIDED = Agreement.HOLDS, Agreement.DOES_NOT, Agreement.UNDECIDED


def statements_of(study):
    module = __import__(study.__module__, fromlist=["STATEMENTS"])
    return module.STATEMENTS


@pytest.mark.parametrize("kind", KINDS)
def test_shipped_tables_are_those_of_the_code(kind):
    """Same rows, same statements, same verdicts, from the numbers of a recorded run."""
    study = statement_studies()[kind]
    shipped = (SHIPPED / f"{kind.replace('-', '_')}.md").read_text(encoding="utf-8")
    assert shipped == text_of(study(), recorded(kind))
    rows = study().tables(recorded(kind))["Statements"].rows
    assert [row[:2] for row in rows] == [(s.said, s.where) for s in statements_of(study)]
    assert {verdict for row in rows for verdict in row[3::2]} <= {str(verdict) for verdict in Agreement}


@pytest.mark.parametrize("kind", KINDS)
def test_each_table_becomes_a_file_of_a_name_that_every_system_takes(kind, tmp_path):
    """Titles have units with a slash, colons, and what Windows forbids."""
    tables = statement_studies()[kind]().tables(recorded(kind))
    write_tables(kind, tables, tmp_path)
    names = [path.name for path in tmp_path.iterdir()]
    assert len(names) == len(tables)
    assert all(name == file_name(name) and name.startswith(f"{kind}-") for name in names)


def test_a_folder_that_cannot_be_made_is_said(tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    for place in ("file", "file/below"):
        assert main(["studies", "car-pendulum", "--to", str(tmp_path / place)]) == 1
        assert "cannot be made" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_every_statement_is_told_once_and_says_where_it_stands(kind):
    statements = statements_of(statement_studies()[kind])
    assert len({s.said for s in statements}) == len(statements)
    assert all(s.where for s in statements)


def test_near_a_limit_nothing_is_decided():
    assert less(0.9, 1.0) == HOLDS and less(1.1, 1.0) == DOES_NOT
    assert less(0.96, 1.0) == less(1.04, 1.0) == less(1.0, 1.0) == UNDECIDED
    assert less(float("nan"), 1.0) == UNDECIDED and less(0.0, 0.0) == UNDECIDED
    assert more(1.1, 1.0) == HOLDS and more(0.5, 1.0) == DOES_NOT
    assert between(1.0, 2.0, 3.0) == HOLDS and between(1.0, 3.1, 3.0) == UNDECIDED
    assert between(1.0, 4.0, 3.0) == DOES_NOT
    assert alike([1.0, 1.5]) == HOLDS and alike([1.0, 3.0]) == DOES_NOT and alike([1.0, 1.98]) == UNDECIDED
    assert every(HOLDS, UNDECIDED) == UNDECIDED and every(HOLDS, UNDECIDED, DOES_NOT) == DOES_NOT


def test_a_table_has_a_verdict_for_each_structure():
    said = Statement("x is below one", "figure 1", lambda x: (f"{x}", less(x, 1.0)))
    table = statement_table([said], {"one": 0.5, "other": 2.0})
    assert table.heads == ("statement", "where", "one", "verdict", "other", "verdict")
    assert table.rows == (("x is below one", "figure 1", "0.5", "holds", "2.0", "does not"),)


def test_statements_turn_over_with_the_numbers():
    """Exchange the errors of two methods in a record, and the order of convergence is another one."""
    record = recorded("friction-bar-convergence")
    bar = next(iter(record))
    before = bars.BarErrors(bars.curves_of(record[bar]), (9, 4, 3))
    errors = record[bar]["errors"]
    small = [[0.5 * e for e in curve] for curve in errors["weighted_pod"]["+100 N"]]
    errors["pod"]["+100 N"] = small
    errors["pod_of_forces"]["+100 N"] = [
        [3.0 * e for e in curve] for curve in errors["weighted_pod"]["+100 N"]
    ]
    after = bars.BarErrors(bars.curves_of(record[bar]), (9, 5, 2))
    said = {s.said: s.judge for s in bars.STATEMENTS}
    order = next(judge for text, judge in said.items() if "POD of TVDs converges fastest" in text)
    shapes = next(judge for text, judge in said.items() if text.startswith("of 16 trial vectors"))
    assert (order(before)[1], order(after)[1]) == (DOES_NOT, HOLDS)
    assert (shapes(before)[1], shapes(after)[1]) == (HOLDS, DOES_NOT)


def test_the_wide_bar_is_nearer_to_the_thesis_than_the_narrow_one():
    """Kind: published. With its holes far apart 20 joint modes bring the deflection within one percent."""
    record = recorded("friction-bar-convergence")
    found = {bar: bars.curves_of(of)["weighted_pod", "+100 N"].motion_at(20) for bar, of in record.items()}
    assert found["wide bar"] < 0.005 < 0.01 < found["narrow bar"]


def test_the_command_prints_what_is_recorded(capsys, tmp_path):
    assert main(["studies", "friction-bar-dynamics", "--to", str(tmp_path)]) == 0
    shipped = (SHIPPED / "friction_bar_dynamics.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == shipped + "\n"
    assert (tmp_path / "friction_bar_dynamics.md").read_text(encoding="utf-8") == shipped
    record = json.loads((tmp_path / "friction_bar_dynamics.json").read_text(encoding="utf-8"))
    assert record == recorded("friction-bar-dynamics")
    assert main(["studies"]) == 0
    listed = capsys.readouterr().out
    assert all(kind in listed for kind in KINDS)
    assert main(["studies", "friction-baar"]) == 1 and "friction-bar-dynamics" in capsys.readouterr().err
    assert main(["studies", "friction-bar-dynamics", "--quick"]) == 1


@pytest.mark.parametrize("kind", sorted(set(KINDS) & set(examples)))
def test_a_demo_is_the_example_where_a_study_bears_its_name(kind, monkeypatch, tmp_path):
    ran = []
    monkeypatch.setattr(demo, "_demonstrate_project", lambda words, folder: ran.append(words.name) or 0)
    monkeypatch.setattr(demo, "_demonstrate_study", lambda words, folder: pytest.fail("that is the study"))
    assert main(["demo", kind, "--out", str(tmp_path)]) == 0 and ran == [kind]


@pytest.mark.slow  # ten seconds and more: statics and motion of two coarse bars
def test_a_quick_study_is_measured_and_found_again(capsys, tmp_path):
    words = ["studies", "joint-treatments", "--measure", "--quick", "--to", str(tmp_path)]
    assert main(words) == 0
    first = (tmp_path / "joint_treatments.md").read_text(encoding="utf-8")
    assert main(words) == 0 and (tmp_path / "joint_treatments.md").read_text(encoding="utf-8") == first
    study = statement_studies()["joint-treatments"]()
    quick, whole = (
        study.tables(record)["Statements"].rows
        for record in (
            json.loads((tmp_path / "joint_treatments.json").read_text()),
            recorded("joint-treatments"),
        )
    )
    # A quick run ends before it knows the period; all that is static agrees with the finer mesh.
    assert [row[3] for row in quick if "step load" not in row[0]] == [
        row[3] for row in whole if "step load" not in row[0]
    ]


@pytest.mark.parametrize("holes", [WIDE_HOLES, NARROW_HOLES])
def test_the_generated_bar_weighs_what_two_sheets_with_holes_do(holes, tmp_path):
    """Kind: closed form. Midside nodes lie on the holes' circles, which quadratic edges follow to 1e-4 here."""
    write_friction_bar(tmp_path / "bar.inp", holes, 5.0)
    model = read_model(tmp_path / "bar.inp")
    expected = 7.85e-9 * (2 * 3 * (4000 - 36 * np.pi) + 54 * np.pi)
    assert mass_properties(model).mass == pytest.approx(expected, rel=1e-4)


def test_the_deck_of_the_wide_bar_is_what_the_program_writes(tmp_path):
    write_friction_bar(tmp_path / "again.inp", WIDE_HOLES, 3.4)
    shipped = files("faying_resources") / "examples" / "friction_bar_wide.inp"
    assert (tmp_path / "again.inp").read_text() == shipped.read_text()
