"""Opening: projects, studies, decks, examples, by whatever way the user names them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog

from faying.errors import FayingError, ReadError
from faying.examples import examples
from faying.fem.cad_files import GEOMETRY_ENDINGS, is_geometry
from faying.fem.condensed import names_in
from faying.fem.left_out import cases_left_out, in_short, left_out
from faying.fem.model import FeModel
from faying.fem.readers import model_endings
from faying.fem.unit_guess import likely_units
from faying.input_files import is_file
from faying.project import edits
from faying.project.deck import deck_path, with_digests
from faying.project.first_guess import asked_frequencies, guessed_analyses, with_guesses
from faying.project.next_steps import in_words, next_steps
from faying.project.recovery import Recoverable
from faying.project.specs import BodySpec, ModelSpec, Project
from faying.project.stage import Target
from faying.project.stages.model import added_to_deck
from faying.project.study import read_study
from faying_app.context import Context
from faying_app.look.counts import counted
from faying_app.tasks.leaving import may_leave
from faying_app.tasks.runner import Task

_GEOMETRY = " ".join(f"*{ending}" for ending in GEOMETRY_ENDINGS)
_LATER = 15  # ms in which the window looks at mouse and keyboard
CAD_FILES = f"CAD files ({_GEOMETRY})"


def openable_files() -> str:
    """Return what a file dialog offers to open."""
    return f"Projects, studies, decks and CAD files (*.faying *.toml {_models()} {_GEOMETRY});;All files (*)"


def deck_files() -> str:
    """Return what a file dialog offers to import."""
    return f"FE decks ({_models()});;CAD files ({_GEOMETRY});;All files (*)"


def _models() -> str:
    return " ".join(f"*{ending}" for ending in model_endings())


def open_path(context: Context, path: Path) -> None:
    """Open a project or study, or import a deck, by the ending of its name."""
    kind = path.suffix.lower()
    if kind in model_endings() or is_geometry(path):
        import_deck(context, path)
    elif kind in (".faying", ".toml"):
        open_project(context, path)
    else:
        context.show_error(ReadError(path, None, "Faying does not know this kind of file.",
                                     "Choose a project (.faying), a study (.toml) or a deck "
                                     f"({', '.join(model_endings())})."))  # fmt: skip


def open_project(context: Context, path: Path) -> None:
    """Open a project file or a study in place of the present project."""
    if not may_leave(context):
        return
    context.tasks.cancel()
    context.computed.release()
    try:
        if path.suffix.lower() == ".toml":
            project = with_digests(read_study(path), path.absolute().parent)
            context.session.new(project)
        else:
            context.session.open(path)
    except FayingError as error:
        context.show_error(error)
        return
    context.settings.remember_file(path)
    context.settings.last_folder = path.absolute().parent
    context.show_session()
    context.say(f"Opened {path.name}.")
    read_models(context)


def recover(context: Context, lost: Recoverable) -> None:
    """Go on with a lost session."""
    context.tasks.cancel()
    context.computed.release()
    try:
        context.session.recover(lost)
    except FayingError as error:
        context.show_error(error)
        return
    context.show_session()
    context.say(f"Recovered {context.project.name!r} as it was at {lost.changed:%H:%M}.")
    read_models(context)


def new_project(context: Context) -> None:
    """Begin an empty project."""
    if may_leave(context):
        context.tasks.cancel()
        context.computed.release()
        context.session.new()
        context.show_session()


def open_example(context: Context, kind: str) -> None:
    """Begin a project from an example."""
    if not may_leave(context):
        return
    try:
        project = examples[kind]().build()
    except FayingError as error:
        context.show_error(error)
        return
    context.tasks.cancel()
    context.computed.release()
    context.session.new(project)
    context.show_session()
    context.say(f"Opened the example {project.name}.")
    read_models(context)


def read_models(context: Context, done: Callable[[Task], None] | None = None) -> None:
    """Read the decks of all bodies in the background, as far as that was not done before."""
    targets = [Target("model", body.name) for body in context.project.bodies]
    missing = [t for t in targets if context.computed.state(t).kind in ("missing", "stale")]
    if missing:
        context.tasks.run("Read the model", missing, context.project, done)


def read_again(context: Context, before: Project, after: Project) -> None:
    """Read the models of bodies that are new, or whose couplings, materials, … were edited: they must not vanish.

    An import adds what it guesses from the deck, so that the model of the body is not the one that was read before. A
    deck that was chosen in the form is read, too; one that is not there is what the check of the project tells.
    """
    if context.computed.store is not context.session.store:
        return  # another project is being opened: its models are read then
    known, now = (
        {body.name: (body.model, added_to_deck(project, body)) for body in project.bodies}
        for project in (before, after)
    )
    changed = [body for body in after.bodies if now[body.name] != known.get(body.name)]
    if any(is_file(deck_path(body.model, context.computed.base)) for body in changed):
        read_models(context, lambda task: _guess_of_matrices(context))


def _guess_of_matrices(context: Context) -> None:
    """Take over interfaces, joints and loads that a file of condensed matrices names, once it can be read."""
    for i, body in enumerate(context.project.bodies):
        model = context.computed.model(body.name)
        if body.model.is_condensed and model is not None and not (body.interfaces or body.joints):
            guessed = with_guesses(body, model)
            names = ("interfaces", "joints", "preloads", "loads")
            values = {name: getattr(guessed, name) for name in names}
            context.apply(
                f"Take over what {Path(body.model.path).name} names", edits.set_values(("bodies", i), values)
            )


def import_deck(context: Context, path: Path) -> None:
    """Read a deck in the background; then add a body, with what can be guessed from the deck, as one edit.

    A CAD file is meshed first.
    """
    if is_geometry(path):
        context.window.mesh_cad(path)
        return
    name = edits.unused_name(context.project, ("bodies",), path.stem)
    body = BodySpec(name=name, model=ModelSpec(path=str(path.absolute())))
    trial = with_digests(edits.add_body(body)(context.project), context.computed.base)
    body = trial.bodies[-1]

    def read(task: Task) -> None:
        if task.state == "failed" and body.model.is_condensed:
            # Its matrices have names of their own, which the form of the model asks for.
            if context.apply(f"Import {path.name}", edits.add_body(body)):
                context.selection.select(("bodies", len(context.project.bodies) - 1, "model"))
            return
        if task.state != "done":
            return
        computed = context.computed
        model = computed.pipeline.value(
            trial, Target("model", name), computed.store, task.base, computed.memory
        )
        # Reading takes a while: the window looks at mouse and keyboard before it goes on.
        QTimer.singleShot(_LATER, context, partial(take, model))

    def take(model: object) -> None:
        guessed = with_guesses(body, model) if isinstance(model, FeModel) else body
        if body.model.is_condensed:  # in the form, to be changed there
            guessed = guessed.with_(model=body.model.with_(matrices=names_in(path)))
        taken = [each.name for each in context.project.analyses]
        cases = guessed_analyses(guessed, model, taken) if isinstance(model, FeModel) else ()

        add = edits.add_body(guessed, cases) if cases else edits.add_body(guessed)
        if context.apply(f"Import deck {path.name}", add):
            context.selection.select(("bodies", len(context.project.bodies) - 1, "model"))
            context.settings.remember_file(path)
            context.settings.last_folder = path.absolute().parent
            context.say(_told_of_import(path, guessed, model, len(cases)))
            begins = (
                len(context.project.bodies) == 1 and not context.project.systems
            )  # else numbers have units
            if isinstance(model, FeModel) and begins:
                _guess_units(context, model)
                context.first_deck.emit(path.name, model)

    context.tasks.run(f"Import {path.name}", [Target("model", name)], trial, read)


def _told_of_import(path: Path, body: BodySpec, model: object, n_cases: int) -> str:
    """Return what an import guessed and lost, and what comes next with the actions that give it."""
    told = f"Imported {path.name}: {counted(len(body.interfaces), 'interface node')} and "
    told += f"{counted(len(body.joints), 'joint')} guessed"
    told += f", {counted(n_cases, 'analysis')} of the deck's load cases." if n_cases else "."
    if not isinstance(model, FeModel):
        return told
    if asked := asked_frequencies(model):
        told += f" Natural frequencies ({asked}) are in the panel Basis quality, interface nodes at rest."
    if cases := cases_left_out(model):
        told += f" Left out: {in_short(cases, 1)}."
    if lost := left_out(model):
        told += f" Left out (see Findings): {in_short(lost, 1)}."
    steps = next_steps(body, model, bool(n_cases))
    line = in_words(steps, [step.in_window for step in steps])
    return f"{told} {line[:1].upper()}{line[1:]}." if line else told


def _guess_units(context: Context, model: FeModel) -> None:
    """Let the project count in the units of its first deck, if materials and size tell them; one undo takes it back."""
    likely = likely_units(model)
    if len(likely) == 1 and context.project.units not in likely:
        edit = edits.set_value(("units",), likely[0])
        if context.apply(f"Count in {likely[0]} like the deck", edit):
            context.say(f"Materials and size look like {likely[0]}: the project counts in these units now.")


def ask_for_file(context: Context, title: str, kinds: str, then: Callable[[Context, Path], None]) -> None:
    """Ask for an existing file and do something with it."""
    chosen, _ = QFileDialog.getOpenFileName(context.window.widget, title, str(context.folder()), kinds)
    if chosen:
        then(context, Path(chosen))
