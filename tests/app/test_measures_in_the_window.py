"""Measures, stops and friction in joints are added and edited in the window, as constraints and forces are."""

import pytest

from faying.multibody.controllers import controllers
from faying.multibody.forces import forces
from faying.multibody.measures import measures
from faying.project import edits
from faying_app.actions import actions
from faying_app.entities import kind_of
from faying_app.forms.project_host import ProjectFormHost
from support.windows import choose, settle, trigger

pytestmark = pytest.mark.window
SYSTEM = ("systems", 0)


def swing_in(qtbot, window):
    """Build a part on a hinge with a spring."""
    trigger(qtbot, window, "add_system")
    choose(qtbot, window, "add_part", "Rigid part by mass and inertia")
    choose(qtbot, window, "add_constraint", "Revolute")
    choose(qtbot, window, "add_force", "Spring and damper")
    settle(qtbot)


def test_every_kind_of_measure_and_force_is_added_by_the_menu(qtbot, window):
    swing_in(qtbot, window)
    context = window.context
    for kind, cls in measures.items():
        if kind not in ("contact_force", "coordinate"):  # nothing touches or deforms
            choose(qtbot, window, "add_measure", cls.title)
            assert kind_of(context.entity) == "measure"
            assert context.project.systems[0].measures[-1].kind == kind
    for kind, cls in forces.items():
        choose(qtbot, window, "add_force", cls.title)
        assert context.project.systems[0].forces[-1].kind == kind
    settle(qtbot, 600)
    assert not [f for f in context.findings if f.severity == "error"], context.findings
    system = context.project.systems[0]
    assert next(m for m in system.measures if m.kind == "over_time").measure
    assert (
        next(f for f in system.forces if f.kind == "joint_friction").constraint == system.constraints[0].name
    )
    tree = window.docks.panels["project"].model
    assert tree.find((*SYSTEM, "measures", 0)) is not None


def test_a_measure_of_a_contact_is_offered_with_a_contact(qtbot, window):
    swing_in(qtbot, window)
    action = actions["add_measure"]()
    offered = [choice.title for choice in action.choices(window.context)]
    assert not {"Contact force", "Flexible coordinate"} & set(offered) and "Distance" in offered


def test_forms_offer_what_a_measure_can_name(qtbot, window):
    swing_in(qtbot, window)
    choose(qtbot, window, "add_measure", "Force element")
    settle(qtbot)
    context, path = window.context, (*SYSTEM, "measures", 0)
    host = ProjectFormHost(context)
    assert host.names("force", (*path, "force")) == [context.project.systems[0].forces[0].name]
    offered = host.names("force_quantity", (*path, "quantity"))
    assert "axial force" in offered and "power" in offered and "angle" not in offered
    form = window.docks.panels["properties"].form
    assert {row.path[-1] for row in form.all_rows()} >= {"name", "force", "quantity", "component"}


def test_an_actuator_follows_a_measure_by_its_form(qtbot, window):
    swing_in(qtbot, window)
    choose(qtbot, window, "add_measure", "Distance")
    choose(qtbot, window, "add_force", "Actuator")
    settle(qtbot)
    context, panel = window.context, window.docks.panels["properties"]
    path, measure = context.entity, context.project.systems[0].measures[0].name
    editor = next(row.editor for row in panel.form.all_rows() if row.path[-1] == "measure")
    assert editor.box.currentText() == ""
    editor.box.setCurrentIndex(editor.box.findText(measure))
    editor.box.activated.emit(editor.box.currentIndex())
    settle(qtbot)
    assert context.value(path).measure == measure
    law = {"kind": "polynomial", "coefficients": (0.0, 2.0)}
    context.apply("Characteristic", edits.set_value((*path, "characteristic"), law))
    settle(qtbot, 600)
    assert {row.path[-2:] for row in panel.form.all_rows()} >= {("characteristic", "coefficients")}
    assert not [f for f in context.findings if f.severity == "error"], context.findings
    # Its own force is not known before it follows.
    choose(qtbot, window, "add_measure", "Force element")
    own = {"force": context.value(path).name, "quantity": "axial force", "name": "pull"}
    for name, value in own.items():
        context.apply("Set", edits.set_value((*context.entity, name), value))
    context.apply("Set", edits.set_value((*path, "measure"), "pull"))
    settle(qtbot, 600)
    errors = [f for f in context.findings if f.severity == "error"]
    assert any("cannot follow the measure 'pull'" in f.sentence and f.entity == path for f in errors)


def test_every_kind_of_controller_is_added_and_moves_an_actuator(qtbot, window):
    swing_in(qtbot, window)
    context, action = window.context, actions["add_controller"]()
    assert not action.choices(context), "there is nothing to control yet"
    choose(qtbot, window, "add_measure", "Distance")
    for kind, cls in controllers.items():
        choose(qtbot, window, "add_controller", cls.title)
        assert kind_of(context.entity) == "controller"
        assert context.value(context.entity).kind == kind
        assert context.value(context.entity).input == context.project.systems[0].measures[0].name
    pid = next(k for k, each in enumerate(context.project.systems[0].controllers) if each.kind == "pid")
    path = (*SYSTEM, "controllers", pid)
    context.selection.select(path)
    settle(qtbot)
    panel, tree = window.docks.panels["properties"], window.docks.panels["project"].model
    rows = {row.path[-1] for row in panel.form.all_rows()}
    assert rows >= {"input", "set_point", "proportional", "lower", "upper", "sample_time"}
    assert tree.find(path) is not None
    name = context.value(path).name
    choose(qtbot, window, "add_force", "Actuator")
    host = ProjectFormHost(context)
    assert name in host.names("measure", (*context.entity, "measure"))
    context.apply("Follow", edits.set_value((*context.entity, "measure"), name))
    settle(qtbot, 600)
    errors = [f for f in context.findings if f.severity == "error"]
    # The first controllers of kind state space have no output yet.
    assert [f.sentence for f in errors if "has no output" not in f.sentence] == []
    context.apply("Rename", edits.rename(path, "governor"))
    settle(qtbot)
    assert context.project.systems[0].forces[-1].measure == "governor"
