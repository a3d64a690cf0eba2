"""The report of a system: picture, reactions of constraints, torques of drives, stresses of its flexible parts."""

import html
import re

import pytest

from faying.cli import main, system
from faying.exporters.report_parts.template import style
from faying.results.key_results import KeyResult, agreeing_with
from faying.results.verdicts import verdict_of_run
from support.plate_deck import write_study

STUDY = """
name = "Arm"

[[bodies]]
name = "plates"
model.path = "plates.inp"
interfaces = [{ name = "hold", node_set = "HOLD" }, { name = "tip", node_set = "TIP" }]
reduction = { kind = "craig_bampton", vibration_modes = 2 }

[[systems]]
name = "arm"
gravity = [0.0, -9810.0, 0.0]
ground = [{ name = "wall", position = [0.0, 5.0, 0.0] }]
parts = [{ kind = "flexible", name = "beam", body = "plates", frame = "hold" }]
constraints = [
  { kind = "revolute", name = "hinge", first = "ground.wall", second = "beam.hold" },
  { kind = "prescribed_angle", name = "motor", first = "ground.wall", second = "beam.hold", amplitude = 0.0 },
]

[[analyses]]
kind = "motion"
name = "held"
system = "arm"
from_equilibrium = true
duration = 0.002
frames = 4
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arm")
    study = write_study(folder, STUDY)
    path = folder / "arm.faying"
    assert main(["run", str(study), "--out", str(path)]) == 0
    return path


def rows(page, heading):
    """Return the rows of the table below a heading, as texts."""
    table = page.partition(f"<h4>{heading}</h4>")[2].partition("</table>")[0]
    lines = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in re.findall(r"<tr>(.*?)</tr>", table)]
    return [[html.unescape(cell) for cell in line] for line in lines]


def test_a_system_is_shown_with_what_its_constraints_bear_and_its_drives_bring(project, tmp_path):
    target = tmp_path / "report.html"
    assert main(["report", str(project), "--to", str(target)]) == 0
    page = target.read_text(encoding="utf-8")
    # The hinge bears the weight, the motor its torque about the hinge: 20 mm from it to the middle of the plates.
    weight = 40.0 * 10.0 * 4.0 * 7.85e-9 * 9810.0
    heads, (name, kind, force, *_) = rows(page, "Reactions of constraints")
    assert (name, kind) == ("hinge", "Revolute")
    assert heads[:3] == ["Constraint", "Kind", "Largest force"]
    assert float(force.split()[0]) == pytest.approx(weight, rel=2e-3) and force.endswith(" N")
    heads, drive = rows(page, "Drives")
    told = dict(zip(heads, drive, strict=True))
    assert told["Drive"] == "motor" and told["Brings"] == "torque"
    assert float(told["Largest"].split()[0]) == pytest.approx(20.0 * weight, rel=5e-3)  # it holds the arm up
    assert told["Largest"] == told["Root mean square"]
    assert "Largest torque of motor" in page and "Von Mises stress at the end of held." in page
    assert all(
        "Largest moment" not in head for head in rows(page, "Reactions of constraints")[0]
    )  # round-off
    # Stresses of the flexible part, with node.
    cells = [html.unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", page)]
    at = (
        cells.index("Largest von Mises stress in beam") if "Largest von Mises stress in beam" in cells else -1
    )
    assert at >= 0, [cell for cell in cells if "ises" in cell]
    assert float(cells[at + 1].split()[0]) > 0.0 and cells[at + 2].startswith("node ")
    if system.graphics_renderer()[0]:
        assert "System arm at the start of held." in page and page.count('src="data:image/png') >= 2


def test_no_number_is_better_than_its_run():
    number = KeyResult("Largest pressure in lap", 1.0, "stress", verdict="good", why="estimated error 0.5 %")
    for lost, verdict in ((1e-3, "good"), (0.05, "acceptable"), (0.5, "doubtful")):
        report = {"energy_balance": {"turned over": 1.0, "taken by the integration": lost}}
        assert verdict_of_run(report, warned=False) == verdict
        assert verdict_of_run(report, warned=True) == "doubtful"
    assert verdict_of_run({}, warned=False) == ""
    assert agreeing_with(number, "good") is agreeing_with(number, "") is number
    assert agreeing_with(number, "doubtful").verdict == "doubtful"


def test_paragraphs_and_tables_keep_their_last_lines_together_in_print():
    rules = style("A4", "arm").partition("@media print")[2]
    assert "orphans: 3; widows: 3" in rules
    assert "tbody tr:first-child, tbody tr:nth-last-child(-n+2) { break-before: avoid; }" in rules
