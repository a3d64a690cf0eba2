"""Every decision that a study file knows can be made in the window: no parameter without an editor, no member without
a choice."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QComboBox, QLabel

from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.params import Spec
from faying.project.paths import value_at
from faying.project.specs import Project
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.methods import reduction_methods
from faying_app.entities import _KINDS
from faying_app.forms.declaration import Declaration, declarations
from faying_app.forms.editors import editor_for
from faying_app.panels.properties import HIDDEN
from support.windows import plates_in, settle, trigger

# Chosen in the picture.
PICKED = {("FacetSelection", "facets")}


def specs(kind: type[Spec], seen: set[type[Spec]]) -> Iterator[type[Spec]]:
    """Yield every kind of spec that a project may hold, families and their members included."""
    if kind in seen:
        return
    seen.add(kind)
    yield kind
    for d in declarations(kind):
        for inner in inner_kinds(d):
            yield from specs(inner, seen)


def inner_kinds(d: Declaration) -> list[type[Spec]]:
    family = d.family or d.item_family
    if family is not None:
        return [member for _, member in family.items()]
    inner = d.annotation if d.is_spec else d.item_spec
    return [] if inner is None else [inner]


def test_every_parameter_has_an_editor():
    kinds = list(specs(Project, set()))
    assert len(kinds) > 100
    without = {
        (kind.__name__, d.name)
        for kind in kinds
        for d in declarations(kind)
        # Of a group of parameters that there may be none of, no form can make one.
        if (d.is_spec and d.optional)
        or (not inner_kinds(d) and editor_for(d).__name__ in ("AnythingEditor", "ItemsEditor")
        and d.item not in (int, float, str, bool | int | float | str))
    }  # fmt: skip
    assert without <= PICKED, f"no form can set {sorted(without - PICKED)}"


def test_what_a_form_leaves_out_is_a_line_of_the_tree():
    at = {kind: path for path, kind in _KINDS.items()}
    for kind, names in HIDDEN.items():
        for name in names:
            path = (*at[kind], name)
            assert path in _KINDS or (*path, 0) in _KINDS, (kind, name)


@pytest.mark.parametrize("family", [reduction_methods, joint_mode_methods, contact_laws, friction_laws],
                         ids=lambda family: family.family)  # fmt: skip
def test_methods_and_laws_say_when_to_choose_them(family):
    silent = [kind for kind, member in family.items() if not member.advice]
    assert not silent
    assert all(member.advice.endswith(".") for _, member in family.items())


@pytest.mark.window
def test_methods_laws_and_surfaces_are_chosen_where_they_are_shown(qtbot, window, tmp_path):
    """The lines of the tree that stand for one member of a family offer the others, also where there is none yet."""
    plates_in(qtbot, window, tmp_path)
    context = window.context
    body = ("bodies", 0)
    for path, kind in (
        ((*body, "reduction"), "guyan"),
        ((*body, "joint_modes"), "equilibrium_snapshots"),
        ((*body, "joints", 0, "contact_law"), "exponential"),
        ((*body, "joints", 0, "friction_law"), "dahl"),
        ((*body, "joints", 0, "friction_law"), None),
        ((*body, "joints", 0, "master"), "facing"),
    ):
        context.selection.select(path)
        settle(qtbot, 50)
        combo = top_chooser(window)
        offered = [combo.itemData(i) for i in range(combo.count())]
        if kind == "facing":  # it needs a facet that a click gives
            assert kind in offered
            continue
        assert kind in offered and len(offered) > 3
        choose_in(combo, kind)
        settle(qtbot, 50)
        chosen = getattr(value_at(context.project, path), "kind", None)
        assert chosen == kind
        panel = window.docks.panels["properties"]
        advice = getattr(type(value_at(context.project, path)), "advice", "")
        assert not advice or any(advice == label.text() for label in panel.findChildren(QLabel))
    trigger(qtbot, window, "undo")
    trigger(qtbot, window, "undo")
    settle(qtbot, 50)
    assert context.project.bodies[0].joints[0].contact_law.kind == "exponential"


def top_chooser(window) -> QComboBox:
    panel = window.docks.panels["properties"]
    return next(box for box in panel.findChildren(QComboBox) if box.isVisible())


def choose_in(combo: QComboBox, kind: str | None) -> None:
    index = combo.findData(kind)
    combo.setCurrentIndex(index)
    combo.activated.emit(index)
