"""Names in decks and studies by somebody else are text wherever they come out: in tables and in reports."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from faying.cli import main
from faying.cli.terminal import TerminalProgress
from faying.csv_cells import text_cell
from faying.exporters.report_parts.turning_view import program
from faying.project.findings import find_findings
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from support.plate_deck import write_study

TAG = "<img src=x onerror=alert(1)><script>alert(2)<script>\"'&"
FORMULA = '=HYPERLINK("file:evil")'


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        (FORMULA, f"'{FORMULA}"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|' C calc'!A0", "'+cmd|' C calc'!A0"),
        ("-x face", "'-x face"), ("\t=1", "'\t=1"), ("-1.5e-3", "-1.5e-3"), ("+2", "+2"), ("-inf", "-inf"),
        ("lap joint", "lap joint"), ("", ""), ("a=b", "a=b"),
    ],
)  # fmt: skip
def test_texts_are_no_formulas(text, cell):
    assert text_cell(text) == cell


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A computed project whose names are what somebody else may have thought of."""
    folder = tmp_path_factory.mktemp("named")
    study = write_study(folder)
    text = study.read_text()
    text = text.replace('"Plates"', json.dumps(TAG)).replace('name = "lap"', f"name = {json.dumps(FORMULA)}")
    names = dict.fromkeys(re.findall(r'^name = "(\w+)"', text, re.MULTILINE))
    for name in names:
        text = text.replace(f'"{name}"', json.dumps(f"{name} {TAG}"))
    study.write_text(f"note = {json.dumps(TAG)}\n" + text)
    assert main(["run", str(study)]) == 0
    return study.with_suffix(".faying")


def test_a_report_holds_no_tags_of_others(named, tmp_path):
    page = tmp_path / "page.html"
    assert main(["report", str(named), "--no-pictures", "--to", str(page)]) == 0
    tags = _Tags()
    # The views that turn have our own script, and data in which no tag can begin.
    text = page.read_text(encoding="utf-8").replace(f"<script>{program()}</script>", "")
    tags.feed(re.sub(r'<script type="application/json">[^<]*</script>', "", text))
    assert "script" not in tags.found and "onerror" not in tags.attributes
    assert "&lt;script" in page.read_text(encoding="utf-8")


def test_a_table_holds_no_formulas_of_others(named, tmp_path):
    for words in (["--field", "pressure"], ["--pairs"]):
        table = tmp_path / f"{words[0]}.csv"
        assert main(["export", str(named), *words, "--to", str(table)]) == 0
        with table.open(encoding="utf-8") as stream:
            cells = {cell for row in csv.reader(stream) for cell in row}
        assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]
    with (tmp_path / "--field.csv").open(encoding="utf-8") as stream:
        assert any(f"'{FORMULA}" in row for row in csv.reader(stream))


def _texts(words):
    """Return all texts in lists and tables, one behind the other."""
    if isinstance(words, dict):
        words = [*words.values()]
    return "".join(_texts(item) for item in words) if isinstance(words, list) else str(words)


ORDER = "lap\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.mark.parametrize("words", [["info"], ["info", "--json"], ["check"]])
def test_a_name_gives_no_orders_to_the_terminal(tmp_path, words, capsys):
    study = write_study(tmp_path)
    text = study.read_text().replace('"Plates"', json.dumps(ORDER))
    study.write_text(text.replace('name = "lap"', f"name = {json.dumps(ORDER)}"))
    code = main([words[0], str(study), *words[1:]])
    told = "".join(capsys.readouterr())
    assert code == 0 and "]0;owned" in told
    assert "\\u001b" in told or "\\x1b" in told  # a quoted name is escaped already
    assert not set(told) & set("\x1b\x07\x9b\u202e")
    if "--json" in words:
        assert ORDER in _texts(json.loads(told))


def test_errors_and_progress_give_no_orders(tmp_path, capsys):
    assert main(["info", str(tmp_path / f"{ORDER.replace('/', '')}.faying")]) == 1
    progress = TerminalProgress()
    progress.report(0.0, f"static {ORDER}: begins")
    progress._stage_begin -= 1.0
    progress.finish()
    told = capsys.readouterr().err
    assert told.count("]0;owned") == 2 and not set(told) & set("\x1b\x07\x9b\u202e")


def _elsewhere(project: Project, folder: Path, store: Path):
    found = find_findings(project, ArtifactStore(store), folder, compute=True)
    return [f for f in found if f.check == "files_elsewhere"]


def test_what_a_deck_includes_from_elsewhere_is_told(tmp_path, capsys):
    folder = tmp_path / "from somebody"
    (folder / "sub").mkdir(parents=True)
    study, secret = write_study(folder), tmp_path / "secret.txt"
    assert _elsewhere(read_study(study), folder, tmp_path / "store") == []
    secret.write_text("** nothing of yours\n")
    (folder / "sub" / "near.inp").write_text("** beside\n")
    (folder / "linked.inp").symlink_to(secret)
    deck = folder / "plates.inp"
    whole = deck.read_text()
    deck.write_text(whole + "*INCLUDE, INPUT=sub/near.inp\n")
    assert _elsewhere(read_study(study), folder, tmp_path / "store") == []
    for name in ("../secret.txt", str(secret), "linked.inp"):
        deck.write_text(whole + f"*INCLUDE, INPUT={name}\n")
        (found,) = _elsewhere(read_study(study), folder, tmp_path / "store")
        assert found.severity == "warning" and found.entity == ("bodies", 0, "model")
        assert "plates.inp includes what is not in its folder" in found.sentence
        assert ("linked.inp" if name == "linked.inp" else "secret.txt") in found.sentence
    assert main(["check", str(study)]) == 0
    assert "includes what is not in its folder" in capsys.readouterr().out


def test_what_a_study_reads_from_elsewhere_is_noted(tmp_path):
    folder, other = tmp_path / "from somebody", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    study = write_study(folder)
    (folder / "plates.inp").rename(other / "plates.inp")
    study.write_text(study.read_text().replace("plates.inp", "../other/plates.inp"))
    (found,) = _elsewhere(read_study(study), folder, tmp_path / "store")
    assert found.severity == "note" and str(other / "plates.inp") in found.sentence
