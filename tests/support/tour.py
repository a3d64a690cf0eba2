"""A tour through the actions of the window: each is triggered as its menu entry does, and has to do something."""

from faying.project.deck import with_digests
from faying.project.study import study_of, study_text
from support.windows import choose, settle, trigger


class Tour:
    """Triggers actions and remembers which.

    Attributes:
        done: kinds of the actions that were triggered.
        edits: those of them that changed the project.
    """

    def __init__(self, qtbot, window, folder):
        self.qtbot, self.window, self.folder = qtbot, window, folder
        self.done, self.edits = set(), set()

    @property
    def context(self):
        return self.window.context

    def act(self, kind, choice=None):
        """Trigger an action; a project that it changes can be undone, redone, scripted and written as a study."""
        before, steps = self.context.project, len(self.context.document.history)
        self.do(kind, choice)
        after, document = self.context.project, self.context.document
        assert after != before, f"{kind} changes nothing"
        assert len(document.history) == steps + 1, f"{kind} is not one step"
        self.check_step(kind, before, after)
        return after

    def check_step(self, kind, before, after):
        """Check the last step of the history, which led from one project to another."""
        document = self.context.document
        step = document.history[document.position]
        assert step.label and step.edit is not None, f"{kind} cannot be written as a script"
        assert step.edit(before) == after, f"{kind} is not repeated by its script"
        study = study_of(study_text(after, None, self.context.computed.base), self.folder / "study.toml")
        assert with_digests(study, self.folder) == after, f"{kind} does not survive a study file"
        at = self.context.entity
        trigger(self.qtbot, self.window, "undo")
        assert self.context.project == before, f"{kind} is not undone"
        trigger(self.qtbot, self.window, "redo")
        assert self.context.project == after, f"{kind} is not done again"
        self.context.selection.select(at)
        settle(self.qtbot, 20)
        self.edits.add(kind)
        self.done |= {"undo", "redo"}

    def look(self, kind, choice=None):
        """Trigger an action that changes what is shown, and nothing else."""
        before, values = self.context.project, self.shown()
        self.do(kind, choice)
        assert self.context.project == before, f"{kind} changes the project"
        assert self.shown() != values, f"{kind} changes nothing that is seen"

    def shown(self):
        """Return all that view actions change."""
        scene, view = self.window.presenter.scene, self.context.view
        return view.values, view.playing, scene.camera, self.window.context.settings.theme

    def do(self, kind, choice=None):
        """Trigger an action, or an entry of its submenu."""
        if choice is None:
            trigger(self.qtbot, self.window, kind)
        else:
            choose(self.qtbot, self.window, kind, choice)
        settle(self.qtbot, 30)
        self.done.add(kind)
