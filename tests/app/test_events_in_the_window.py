"""Events are added and edited in the window, as measures are; names in them follow renaming."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel

from faying.multibody.controllers import controllers
from faying.multibody.event_actions import event_actions
from faying.multibody.events import events
from faying.project import edits
from faying_app.entities import kind_of
from faying_app.forms.project_host import ProjectFormHost
from support.windows import choose, settle, trigger

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def swing_in(qtbot, window):
    """Build a part on a hinge with a spring and a measure."""
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Rigid part by mass and inertia")
    choose(qtbot, window, "add_constraint", "Revolute")
    choose(qtbot, window, "add_force", "Spring and damper")
    choose(qtbot, window, "add_measure", "Distance")
    settle(qtbot)


def test_every_kind_of_event_is_added_by_the_menu(qtbot, window):
    swing_in(qtbot, window)
    context = window.context
    for kind, cls in events.items():
        choose(qtbot, window, "add_event", cls.title)
        assert kind_of(context.entity) == "event"
        assert context.project.systems[0].events[-1].kind == kind
    settle(qtbot, 600)
    assert not [f for f in context.findings if f.severity == "error"], context.findings
    assert window.docks.panels["project"].model.find((*SYSTEM, "events", 2)) is not None


def test_the_form_of_an_event_has_its_actions(qtbot, window):
    """Constraints to release are ticked among those of the system, and follow a new name."""
    swing_in(qtbot, window)
    choose(qtbot, window, "add_event", "Crossing")
    context, path = window.context, (*SYSTEM, "events", 0)
    hinge = context.project.systems[0].constraints[0].name
    acts = [
        {"kind": kind, **cls.example()}
        for kind, cls in event_actions.items()
        if kind not in ("release", "switch")
    ]
    acts = [each for each in acts if "constraints" not in each]
    context.apply(
        "x", edits.set_value((*path, "actions"), [*acts, {"kind": "release", "constraints": [hinge]}])
    )
    settle(qtbot)
    host = ProjectFormHost(context)
    assert host.names("constraint", (*path, "actions", 0, "constraints")) == [hinge]
    form = window.docks.panels["properties"].form
    assert {row.path[-1] for row in form.all_rows()} >= {
        "name",
        "measure",
        "level",
        "direction",
        "times",
        "constraints",
    }
    context.apply("rename", edits.rename((*SYSTEM, "constraints", 0), "pivot"))
    assert context.project.systems[0].events[0].actions[-1].constraints == ("pivot",)
    context.apply("rename", edits.rename((*SYSTEM, "measures", 0), "reach"))
    assert context.project.systems[0].events[0].measure == "reach"


def test_the_condition_of_an_event_stands_before_its_actions(qtbot, window):
    swing_in(qtbot, window)
    choose(qtbot, window, "add_event", "Crossing")
    form = window.docks.panels["properties"].form
    level = next(row for row in form.all_rows() if row.path[-1] == "level")
    actions = next(label for label in form.findChildren(QLabel) if label.text().startswith("Actions ("))
    assert level.editor.mapTo(form, QPoint()).y() < actions.mapTo(form, QPoint()).y()


def test_a_new_controller_is_without_errors_and_its_menu_says_what_it_needs(qtbot, window):
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Rigid part by mass and inertia")
    settle(qtbot)
    action = window.menus.qt_actions["add_controller"]
    assert not action.isEnabled() and "Add a measure" in action.toolTip().replace("\n", " ")
    choose(qtbot, window, "add_constraint", "Revolute")
    choose(qtbot, window, "add_measure", "Distance")
    for _, cls in controllers.items():
        choose(qtbot, window, "add_controller", cls.title)
    settle(qtbot, 600)
    found = [f for f in window.context.findings if f.severity == "error"]
    assert not found, found
    assert {each.input for each in window.context.project.systems[0].controllers} == {"distance"}
