"""What the forms of the real window tell of a member: the contact stiffness proposed, the steps that a run takes."""

import pytest
from PySide6.QtCore import Qt

from faying.joints.contact_stiffness import propose_stiffness
from faying.project import edits
from faying_app.forms.suggestion_line import SuggestionLine
from faying_app.law_editor.dialog import LawEditor
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window
JOINT = ("bodies", 0, "joints", 0)
LAW = (*JOINT, "contact_law")


def line_in(widget) -> SuggestionLine:
    """Return the one line that is seen."""
    (line,) = (line for line in widget.findChildren(SuggestionLine) if line.isVisible())
    return line


def proposal_of(context):
    joint, computed = context.value(JOINT), context.computed
    sides = (computed.surface("plates", joint, role) for role in ("master", "slave"))
    return propose_stiffness(computed.model("plates"), *sides, computed.pairs("plates", joint.name))


@pytest.fixture
def paired(qtbot, window, tmp_path):
    """The window with the joint selected and its pairs found."""
    plates_in(qtbot, window, tmp_path)
    window.context.selection.select(JOINT)
    settle(qtbot)
    panel = window.docks.panels["properties"]
    assert not any(
        line.isVisible() for line in panel.findChildren(SuggestionLine)
    )  # nothing to tell it from yet
    trigger(qtbot, window, "update_pairs")
    wait_idle(qtbot, window)
    return window


def test_one_click_in_the_form_takes_the_proposal_as_one_step(qtbot, paired):
    context, panel = paired.context, paired.docks.panels["properties"]
    proposal, before = proposal_of(context), context.value(LAW)
    steps = context.document.position
    line = line_in(panel)
    words = f"Proposed: {proposal.stiffness:g} N/mm³, from E and element size; penetrates {proposal.penetration:.2g} mm"
    assert line.text.text().startswith(words)
    now = proposal.pressure / before.stiffness
    assert line.text.text().endswith(f"at {proposal.pressure:.2g} N/mm², now {now:.2g} mm.")
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert context.value(LAW).stiffness == proposal.stiffness
    assert context.document.position == steps + 1
    assert context.document.undo_label == "Take the proposed contact stiffness"
    line = line_in(panel)
    assert line.text.text().startswith("As proposed")
    assert not line.button.isVisible()
    trigger(qtbot, paired, "undo")
    settle(qtbot)
    assert context.value(LAW) == before
    assert line_in(panel).button.isVisible()


def test_a_law_that_is_not_linear_follows_in_its_first_parameter(qtbot, paired):
    context, panel = paired.context, paired.docks.panels["properties"]
    context.apply("Choose", edits.replace_member(LAW, "power_function"))
    settle(qtbot)
    qtbot.mouseClick(line_in(panel).button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    proposal, law = proposal_of(context), context.value(LAW)
    reached = law.reference_pressure * (proposal.penetration / law.reference_penetration) ** law.exponent
    assert reached == pytest.approx(proposal.pressure, rel=1e-6)


def test_a_law_that_cannot_follow_says_why(qtbot, paired, tmp_path):
    context, panel = paired.context, paired.docks.panels["properties"]
    (tmp_path / "table.csv").write_text("0, 0\n-0.001, 1\n")
    context.apply("Choose", edits.replace_member(LAW, "tabulated"))
    context.apply("File", edits.set_value((*LAW, "path"), str(tmp_path / "table.csv")))
    settle(qtbot)
    steps, line = context.document.position, line_in(panel)
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert "gets there" in line.problem.text()
    assert context.document.position == steps


def test_the_law_editor_offers_it_and_the_project_waits_for_use(qtbot, paired):
    context, proposal = paired.context, proposal_of(paired.context)
    trigger(qtbot, paired, "edit_contact_law")
    settle(qtbot, 150)
    editor = paired.findChildren(LawEditor)[-1]
    before, steps = context.project, context.document.position
    qtbot.mouseClick(line_in(editor).button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert editor.laws.current.law.stiffness == proposal.stiffness
    assert context.project == before
    assert line_in(editor).text.text().startswith("As proposed")
    qtbot.mouseClick(editor._use_button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert context.value(LAW).stiffness == proposal.stiffness
    assert context.document.position == steps + 1


def test_the_form_of_a_friction_law_tells_how_stiff_it_sticks_and_gives_it_up(qtbot, paired):
    """The stiffness that follows is shown; one that was given can be left open again, as one step."""
    context, panel, at = paired.context, paired.docks.panels["properties"], (*JOINT, "friction_law")
    law = {"kind": "coulomb", "friction_coefficient": 0.2}
    context.document.apply("Friction", edits.set_value(at, law))
    settle(qtbot)
    follows = f"{0.7 / 0.85 * context.value(LAW).stiffness:.4g} N/mm³"
    texts = [line.text.text() for line in panel.findChildren(SuggestionLine) if line.isVisible()]
    assert f"Sticks with {follows}, which follows from the contact law (Mindlin)." in texts
    context.document.apply("Stiffness", edits.set_value(at, {**law, "sticking_stiffness": 1e4}))
    settle(qtbot)
    (line,) = (
        line
        for line in panel.findChildren(SuggestionLine)
        if line.isVisible() and line.text.text() == f"From the contact law {follows} would follow (Mindlin)."
    )
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    settle(qtbot)
    assert context.value(at).sticking_stiffness is None
    assert context.document.undo_label == "Let the sticking stiffness follow from the contact law"


def test_the_form_of_a_run_says_how_many_steps_it_takes_at_least(qtbot, window, tmp_path):
    plates_in(qtbot, window, tmp_path)
    context = window.context
    context.apply(
        "Add", edits.add_analysis({"kind": "transient", "name": "shake", "body": "plates", "support": "hold"})
    )
    context.selection.select(("analyses", 0))
    settle(qtbot)
    line = line_in(window.docks.panels["properties"])
    assert line.text.text().startswith("At least 200 time steps, which take 0.0 s at 0.1 ms each")
    context.apply("Longer", edits.set_value(("analyses", 0, "duration"), 1e6))
    settle(qtbot)
    line = line_in(window.docks.panels["properties"])
    assert line.text.text().startswith("At least 2e+09 time steps, which take 2 days")
    assert not line.button.isVisible()
