"""File ▸ Export motion as FMU."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from faying.analyses.motion import Motion
from faying.project.stage import target_of
from faying.session import Session
from faying.session.fmu import why_no_inputs, write_fmu
from faying_app.actions import Action, actions
from faying_app.context import Context, counted_findings
from faying_app.output_file import ask_for_output, writing


@actions.register("export_fmu")
class ExportFmu(Action):
    """Write the selected motion for co-simulation."""

    title = "Export motion as FMU…"
    menu = "File"
    order = 328
    icon = "system"
    meaning = (
        "Write the selected motion as a functional mock-up unit (FMI 2), which another program steps: it sets loads "
        "and drives with a load history from outside, and reads motions, gaps and pressures."
    )
    entities = ("analysis",)

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        motion = _motion(context)
        if motion is None:
            return "Select the motion of a system in the tree."
        loose = [name for name in _bodies(context, motion) if context.computed.reduced(name) is None]
        return f"Body {loose[0]!r} has not been reduced yet: run the motion first." if loose else ""

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        motion = _motion(context)
        assert motion is not None  # as why_disabled has told
        without = why_no_inputs(context.project, motion.name)
        if without and not _asked(context, without):
            return
        path = ask_for_output(context, "Export motion as FMU", motion.name, [("FMU", (".fmu",))])
        if path is None:
            return
        computed = context.computed
        # All that it needs is there: nothing is computed while the window waits but the assembled start.
        with (
            writing(context, path) as written,
            Session(context.project, computed.store, base=computed.base) as session,
        ):
            write_fmu(session, motion.name, path, replace=True)
            context.refresh_findings()
            if found := context.findings_of([target_of(motion)]):
                written.more = f"Its motion has {counted_findings(found)}: see Findings."


def _asked(context: Context, without_inputs: str) -> bool:
    """Return whether an FMU that can only be watched is to be written."""
    box = QMessageBox(context.window.widget)
    box.setIcon(QMessageBox.Icon.Information)
    box.setWindowTitle("Export motion as FMU")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText("This FMU has no inputs.")
    box.setInformativeText(without_inputs)
    button = QMessageBox.StandardButton
    box.setStandardButtons(button.Ok | button.Cancel)
    box.button(button.Ok).setText("Write it")
    return bool(box.exec() == button.Ok)


def _motion(context: Context) -> Motion | None:
    chosen = context.value(context.entity) if context.entity_kind == "analysis" else None
    return chosen if isinstance(chosen, Motion) else None


def _bodies(context: Context, motion: Motion) -> tuple[str, ...]:
    systems = {system.name: system for system in context.project.systems}
    return tuple(systems[motion.system].body_names()) if motion.system in systems else ()
