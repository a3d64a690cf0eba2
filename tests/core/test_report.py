"""What is written of a computed project from the command line, opened again by other programs."""

import base64
import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import imageio.v3 as imageio
import numpy as np
import pytest

import faying
from faying import __version__
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.step_kinds.cycle import Cycle
from faying.analyses.step_kinds.load import LoadChange
from faying.analyses.step_kinds.tighten import Tighten
from faying.analyses.steps import Steps
from faying.cli import main, system
from faying.exporters.output import at_nodes
from faying.exporters.report_parts.comparison import _rows
from faying.exporters.report_parts.printing import find_browser, with_pages
from faying.exporters.report_parts.result_section import _numbers
from faying.exporters.report_parts.sentences import settings_of, step_sentences
from faying.exporters.report_parts.sources import ReportedRun
from faying.exporters.report_parts.turning_view import program
from faying.fem.skin import find_skin
from faying.results.fields import fields
from faying.results.key_results import KeyResult
from support.computed_plates import computed_plates


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return computed_plates(tmp_path_factory.mktemp("report"))


class Page(HTMLParser):
    """Collects headings, cells and pictures, and notes tags that are not closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.images, self.wrong = [], {}, [], []

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.images.append(dict(attributes))
        elif tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, text):
        if self.open and text.strip():
            self.texts.setdefault(self.open[-1], []).append(text)


def test_the_report_is_one_file_with_all_of_the_project(project, tmp_path):
    drawn = bool(system.graphics_renderer()[0])
    target = tmp_path / "report.html"
    assert main(["report", str(project), "--to", str(target)]) == 0
    page = Page()
    page.feed(target.read_text(encoding="utf-8"))
    assert not page.wrong and not page.open
    headings = [re.sub(r"^[\d.]+\u2002", "", text) for tag in ("h1", "h2", "h3") for text in page.texts[tag]]
    assert headings == [
        "Plates", "Contents", "Summary", "Model", "Results", "Method and basis", "Appendix",
        "Body plates", "press", "twist", "shake", "Findings", "Settings", "Records of the runs", "Versions",
    ]  # fmt: skip
    assert len(page.texts["a"]) == len(headings) - 2  # each section is in the contents
    cells = page.texts["td"] + page.texts["p"]
    for wanted in ("302", "108", "55", "lap", "Iterations", "STEEL"):
        assert any(wanted in cell for cell in cells), wanted
    assert any("Coulomb" in cell and "friction coefficient 0.2" in cell for cell in cells)
    made_with = [text for text in page.texts["p"] if text.startswith("Made with")]
    assert len(made_with) == 3 and all(f"Faying {__version__}, " in text for text in made_with)
    assert all("NumPy" in text and "sparse solver" in text and "platform" in text for text in made_with)
    # Every picture is in the file, and another program reads it.
    kinds = [image["src"].split(";")[0] for image in page.images]
    assert kinds.count("data:image/svg+xml") == 6  # what moves and what the joint carries, of three runs
    assert kinds.count("data:image/png") == (4 if drawn else 0)  # the model, and each run
    for image in page.images:
        coded = base64.b64decode(image["src"].split(",", 1)[1])
        if "svg" in image["src"][:20]:
            assert ElementTree.fromstring(coded).tag.endswith("svg")
        else:
            assert imageio.imread(coded, extension=".png").std() > 10
    assert not re.search(r'(src|href)="(?!data:|#)', target.read_text(encoding="utf-8"))


@pytest.mark.slow  # seconds, and not what decides alone
def test_the_report_says_what_one_asks_for_with_units_and_without_paths(project, tmp_path):
    target, template = tmp_path / "report.html", tmp_path / "own.html"
    words = ["report", str(project), "--to", str(target), "--no-pictures", "--force"]
    assert main([*words, "--author", "A. <Tester>", "--revision", "C", "--paper", "letter"]) == 0
    text = target.read_text(encoding="utf-8")
    assert "A. &lt;Tester&gt;" in text and "<dd>C</dd>" in text and "size: letter" in text
    assert "@bottom-right { content: counter(page)" in text
    assert str(project.parent) not in text
    press = faying.read(project).solve("press")
    part = text.split("press</h3>")[1].split("<h3>")[0]
    largest = max(press.field("pressure", frame=i).max() for i in range(press.n_frames))
    for title, number in (
        ("Largest pressure in lap", largest),
        ("Normal force in lap", press.curve("lap normal force")[-1]),
    ):
        value, unit = (
            re.search(rf"<td>{title}</td><td[^>]*>([^<]*)</td>", part)[1].replace("\u202f", "").rsplit(" ", 1)
        )
        assert float(value.replace("−", "-")) == pytest.approx(number, rel=1e-3)
        assert unit == ("N" if "force" in title else "N/mm²")
    assert "with friction False" not in text and " frames.<" not in text
    # A company's own page.
    assert main(["report", "--write-template", str(template)]) == 0
    own = template.read_text(encoding="utf-8").replace(
        "<header>", "<header><b>ACME test department, 5 $$</b>"
    )
    template.write_text(own, encoding="utf-8")
    assert main([*words, "--template", str(template)]) == 0
    assert "<b>ACME test department, 5 $</b>" in target.read_text(encoding="utf-8")
    template.write_text(own.replace("$author", "$writer"), encoding="utf-8")
    assert main([*words, "--template", str(template)]) == 1


def test_a_report_is_printed_on_numbered_pages(project, tmp_path, monkeypatch, capsys):
    words = ["report", str(project), "--no-pictures", "--paper", "letter", "--revision", "C"]
    # Without a browser it is a sentence, at once.
    monkeypatch.setenv("FAYING_BROWSER", "no-such-browser")
    assert main([*words, "--to", str(tmp_path / "none.pdf")]) == 1
    assert "No browser" in capsys.readouterr().err and not (tmp_path / "none.pdf").exists()
    monkeypatch.delenv("FAYING_BROWSER")
    if not find_browser():
        pytest.skip("no browser here that prints")
    target = tmp_path / "report.pdf"
    assert main([*words, "--to", str(target)]) == 0
    page = target.read_bytes()
    assert page.startswith(b"%PDF-") and len(re.findall(rb"/Type\s*/Page\b", page)) >= 4
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", page)
    assert [float(size) for size in box.groups()] == pytest.approx(
        [612.0, 792.0], abs=2.0
    )  # letter, in points
    assert b"/Outlines" in page


def test_contents_are_told_the_pages_on_which_headings_were_printed():
    page = (
        '<ol><li class="level1"><a href="#a">1 A</a></li><li class="level2"><a href="#b">1.1 B</a></li></ol>'
    )
    printed = (
        b"7 0 obj\n<</Type /Page\n/Parent 9 0 R>>\nendobj\n12 0 obj\n<</Type /Page\n>>\nendobj\n"
        b"9 0 obj\n<</Type /Pages\n/Kids [7 0 R 12 0 R]>>\n<</a [7 0 R /XYZ 0 499.9 0]\n/b [12 0 R /XYZ 0 3 0]>>"
    )
    counted = with_pages(page, printed)
    assert "1 A</a><span>1</span></li>" in counted and "1.1 B</a><span>2</span></li>" in counted
    assert with_pages(page, b"%PDF-1.4 of another program") == page


def test_numbers_of_several_joints_stand_in_a_row_each(tmp_path):
    """A run with many joints has a table of them, not a list of shares; steps are told in sentences."""
    numbers = tuple(
        KeyResult(f"{measure} in {joint}", value, quantity, joint=joint, measure=measure)
        for joint in ("lap", "head")
        for measure, value, quantity in (("Normal force", 5.0, "force"), ("Closed", 1.0, ""))
    )
    moved = KeyResult("Displacement of tip along x", 0.5, "length")
    run = ReportedRun(analysis=None, numbers=(moved, *numbers))
    results, joints, note = _numbers(run, "mm-t-s")
    assert "Displacement of tip along x" in results and "Normal force in" not in results
    heads = '<th>Joint</th><th class="number">Normal force</th><th class="number">Closed</th></tr>'
    assert heads in joints and not note
    assert joints.count("<tr>") == 3 and "<td>head</td>" in joints
    # One joint needs no table of its own.
    (one, _) = _numbers(ReportedRun(analysis=None, numbers=(moved, *numbers[:2])), "mm-t-s")
    assert "Normal force in lap" in one
    steps = Steps(
        name="s", body="b", support="m",
        steps=(
            Tighten(bolt="left", force=16500.0), LoadChange(loads=(LoadSpec(interface="tip", force=(0.0, -2.0, 0.0)),)),
            LoadChange(), Cycle(loads=(LoadSpec(interface="tip", force=(7.0, 0.0, 0.0)),), cycles=3, steady=0.0),
        ),
    )  # fmt: skip
    assert step_sentences(steps, "mm-t-s") == [
        "Step 1: bolt left is tightened to 16500 N, and locked.",
        "Step 2: 2 N along −y at tip.",
        "Step 3: loads are taken off.",
        "Step 4: 7 N along +x at tip, 3 cycles between −1 and 1 times that.",
    ]


def test_reduced_and_unreduced_differ_by_shares_of_the_largest_of_the_run():
    """A displacement that has gone back to nothing is not "83 %" off."""
    mine = [KeyResult("Displacement of tip along z", -0.0001, "length"), KeyResult("Closed", 0.4, "")]
    its = [KeyResult("Displacement of tip along z", -0.0007, "length"), KeyResult("Closed", 0.401, "")]
    most = [KeyResult("Displacement of tip along z", -0.4, "length")]
    ((title, *_, away),) = _rows(mine, its, most, "mm-t-s")
    assert title.endswith("along z") and away.text == "+0.15 %"
    ((*_, away), *_) = _rows(its[:1], [replace(its[0], value=-0.000700001)], most, "mm-t-s")
    assert away.text == "less than 0.001 %"


def test_settings_are_told_with_directions_and_what_they_mean():
    load = LoadSpec(interface="tip", force=(0.0, -20000.0, 0.0))
    told = {
        s.title: s for s in settings_of(Static(name="a", body="rod", support="end", loads=(load,)), "mm-t-s")
    }
    assert told["Loads"].text == "20000 N along −y at tip"
    assert "Zero leaves them to the program" in told["Load steps"].meaning
    assert {s.title: s.text for s in settings_of(load, "mm-t-s")}["Moment"] == "none"
    # A step that tightens has a force without direction.
    steps = (Tighten(bolt="left", force=16500.0), LoadChange(loads=(load,)))
    row = {s.title: s for s in settings_of(Steps(name="s", body="b", support="m", steps=steps), "mm-t-s")}
    assert row["Steps"].text == ("bolt left is tightened to 16500 N, and locked; 20000 N along −y at tip")


def test_curves_are_exported_as_table_drawing_and_page(project, tmp_path):
    curves = ["export", str(project), "--analysis", "shake", "--curves", "tip uz, lap normal force"]
    for kind in ("csv", "svg", "pdf", "png"):
        assert main([*curves, "--to", str(tmp_path / f"x.{kind}"), "--size", "600x400"]) == 0
    with (tmp_path / "x.csv").open(encoding="utf-8") as stream:
        heads, *rows = csv.reader(stream)
    assert heads == ["Time [s]", "tip uz: Displacement [mm]", "lap normal force: Force [N]"]
    assert len(rows) == 41
    assert imageio.imread(tmp_path / "x.png").shape[:2] == (400, 600)
    page = (tmp_path / "x.pdf").read_bytes()
    assert page.startswith(b"%PDF-") and page.rstrip().endswith(b"%%EOF")
    # Text stays text: as letters of a font that the page brings, and of families that every program has.
    assert b"/FontFile2" in page and b"/ToUnicode" in page
    drawing = ElementTree.parse(tmp_path / "x.svg")
    texts = [
        text for text in drawing.iter("{http://www.w3.org/2000/svg}text") if "".join(text.itertext()).strip()
    ]
    assert any("tip uz" in "".join(text.itertext()) for text in texts)
    families = {part.get("font-family") for part in drawing.iter() if part.get("font-family")}
    assert families and all(
        family.endswith("sans-serif") and "Sans Serif" not in family for family in families
    )
    box = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", page)
    assert float(box[1]) / float(box[2]) == pytest.approx(1.5, rel=0.01)
    loop = [
        *curves[:4],
        "--curves",
        "lap normal force",
        "--over",
        "tip uz",
        "--to",
        str(tmp_path / "loop.csv"),
    ]
    assert main(loop) == 0
    assert (tmp_path / "loop.csv").read_text(encoding="utf-8").startswith("tip uz [mm],")
    spectrum = [*curves[:4], "--curves", "tip uz", "--as", "spectrum", "--to", str(tmp_path / "s.csv")]
    assert main(spectrum) == 0
    frequency, amplitude = np.loadtxt(tmp_path / "s.csv", delimiter=",", skiprows=1).T
    assert frequency[1] == pytest.approx(1 / 0.0041, rel=0.01) and (amplitude >= 0).all()


def test_a_wrong_curve_lists_those_there_are(project, tmp_path, capsys):
    words = ["export", str(project), "--curves", "nose", "--to", str(tmp_path / "x.csv")]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "no curve 'nose'" in said and "lap closed share" in said


def test_the_difference_of_two_analyses_is_a_field(project, tmp_path):
    tables = []
    for more in ([], ["--minus", "twist"]):
        target = tmp_path / f"x{len(more)}.csv"
        words = ["export", str(project), "--analysis", "press", "--field", "pressure", "--to", str(target)]
        assert main([*words, *more]) == 0
        tables.append(np.genfromtxt(target, delimiter=",", skip_header=1)[:, 6:])
    other = tmp_path / "twist.csv"
    main(["export", str(project), "--analysis", "twist", "--field", "pressure", "--to", str(other)])
    twist = np.genfromtxt(other, delimiter=",", skip_header=1)[:, 6:]
    np.testing.assert_allclose(tables[1], tables[0] - twist, atol=1e-6 * np.abs(twist).max())


def test_a_series_of_pictures_without_background(project, tmp_path):
    if not system.graphics_renderer()[0]:
        pytest.skip("no OpenGL here")
    words = ["export", str(project), "--analysis", "press", "--field", "von_mises", "--size", "320x240"]
    assert main([*words, "--series", "--transparent", "--to", str(tmp_path / "f.png")]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["f_0000.png", "f_0001.png", "f_0002.png"]
    pictures = [imageio.imread(tmp_path / name) for name in names]
    assert all(p.shape == (240, 320, 4) for p in pictures)
    assert (pictures[0][..., 3] == 0).mean() > 0.3  # nothing behind the body
    assert np.abs(pictures[0].astype(int) - pictures[2]).max() > 40


def test_the_versions_of_what_is_not_installed_are_left_out(monkeypatch):
    """The core alone has neither VTK nor Qt."""
    from faying.exporters.report_parts import method_and_appendix

    monkeypatch.setattr(method_and_appendix, "_LIBRARIES", ("numpy", "atlantis"))
    told = method_and_appendix._versions()
    assert "numpy" in told and "atlantis" not in told


def views_of(path):
    """Return the data of all views of a page that turn."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    return [json.loads(each) for each in found]


def test_pictures_of_bodies_turn(project, tmp_path):
    """Skin, displacements and pressures of the page are those of the results, to the steps they are coded in."""
    path = tmp_path / "report.html"
    assert main(["report", str(project), "--to", str(path)]) == 0
    (first, *_) = views_of(path)
    with faying.read(project) as opened:
        content = opened.shown_body(first["title"])
        rows = find_skin(content.model).surface.nodes
        moved = content.body_context.displacement(content.n_frames - 1)[rows]
        joint = next(iter(content.pairs))
        slaves, wanted = at_nodes(content, fields["pressure"](), joint, content.n_frames - 1)
    size = len(rows)
    places = np.frombuffer(base64.b64decode(first["places"]), "<u2").reshape(size, 3)
    places = np.array(first["low"]) + places * first["size"] / 65535
    np.testing.assert_allclose(places, content.model.nodes[rows], atol=first["size"] / 65535)
    shown = np.frombuffer(base64.b64decode(first["moved"][-1]), "<i2").reshape(size, 3) * first["far"] / 32767
    np.testing.assert_allclose(shown, moved, atol=first["far"] / 32767)
    pressure = next(field for field in first["fields"] if field["title"] == "Pressure")
    steps = np.frombuffer(base64.b64decode(pressure["values"][-1]), "u1")
    on_skin = np.isin(rows, slaves)
    assert (steps[~on_skin] == 255).all() and (steps[on_skin] < 255).all()
    low, high = float(pressure["low"]), float(pressure["high"])
    np.testing.assert_allclose(
        low + steps[on_skin] * (high - low) / 254, wanted[np.argsort(slaves)], atol=(high - low) / 200
    )
    triangles = np.frombuffer(base64.b64decode(first["triangles"]), "<u4")
    assert triangles.max() == size - 1
    assert path.stat().st_size < 10e6
    assert "http://" not in program() and "https://" not in program()  # all of it is in the page
