"""What actions need, each said once: a function returns why it is not there, as a sentence; "" when it is."""

from faying_app.context import Context
from faying_app.entities import analysis_at, kind_of


def content(context: Context) -> str:
    """A body or a system."""
    return "" if context.project.bodies or context.project.systems else "The project is empty."


def a_body(context: Context) -> str:
    """A body that the selection belongs to."""
    return "" if context.selected_body() is not None else "Import a deck first."


def a_model(context: Context) -> str:
    """The model of that body."""
    body = context.selected_body()
    if body is None:
        return a_body(context)
    return "" if context.computed.model(body.name) is not None else "The model has not been read yet."


def joints(context: Context) -> str:
    """A joint of that body, selected or not."""
    body = context.selected_body()
    if body is None:
        return a_body(context)
    return "" if body.joints else f"Body {body.name!r} has no joint yet."


def a_joint(context: Context) -> str:
    """A joint, selected in the tree, or something of it."""
    selected = len(context.entity) >= 4 and context.entity[2] == "joints"
    return "" if selected else "Select a joint in the tree."


def a_surface(context: Context) -> str:
    """A surface that can be edited, selected in the tree."""
    if kind_of(context.entity) != "surface":
        return "Select the master or slave surface of a joint, or a contact surface, in the tree."
    return a_model(context)


def a_face(context: Context) -> str:
    """A face that was picked."""
    return "" if context.selection.faces else "Click a face in the 3D view first."


def something_chosen(context: Context) -> str:
    """A surface for something new."""
    if context.selection.faces or context.entity_kind == "deck_surface":
        return ""
    return "Click a face in the 3D view, or a surface of the deck in the tree, first."


def a_system(context: Context) -> str:
    """A multibody system to add to."""
    return "" if context.selected_system() is not None else "Add a multibody system first, or select one."


def parts(context: Context) -> str:
    """Parts of that system."""
    system = context.selected_system()
    if system is None:
        return a_system(context)
    return "" if system.parts else "Add a part to the system first."


def a_measure(context: Context) -> str:
    """A measure or controller of that system."""
    system = context.selected_system()
    if system is None or not system.parts:
        return parts(context)
    return (
        "" if system.measures or system.controllers else "Add a measure of the system first: it is the input."
    )


def an_analysis(context: Context) -> str:
    """An analysis, selected or not."""
    return "" if context.project.analyses else "There is no analysis yet: Model ▸ Add analysis."


def frames(context: Context) -> str:
    """Frames in the 3D view."""
    return "" if context.n_frames else "Select an analysis with results, or the modes of a reduced body."


def fields_of_all_frames(context: Context) -> str:
    """True fields of all frames where they are switched on: a film or table would mix two models."""
    analysis = analysis_at(context.project, context.entity)
    if progress := context.computed.true_fields_so_far(analysis):
        return (
            f"True fields are there for {progress}: run the analysis (F5) for the others, or switch them off."
        )
    return ""


def a_task(context: Context) -> str:
    """Something that is being computed."""
    return "" if context.tasks.is_busy else "Nothing is being computed."
