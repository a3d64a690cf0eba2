"""File ▸ Export as FMU or state space."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from faying.analyses.motion import Motion
from faying.analyses.state_space import StateSpaceAnalysis
from faying.exporters.state_spaces import write_state_space
from faying.project.stage import target_of
from faying.session import Session
from faying.session.fmu import why_no_inputs, write_fmu
from faying_app.actions import Action, actions
from faying_app.context import Context, counted_findings
from faying_app.output_file import ask_for_output, writing


@actions.register("export_fmu")
class ExportFmu(Action):
    """Write the selected motion for co-simulation, or the selected state space for control design."""

    title = "Export as FMU or state space…"
    menu = "File"
    order = 328
    icon = "system"
    meaning = (
        "Write the selected motion or state space as a functional mock-up unit (FMI 2), which another program steps: "
        "it sets loads and drives with a load history from outside, and reads motions, gaps and pressures. A state "
        "space needs no Python there, and is written for MATLAB and NumPy, too."
    )
    entities = ("analysis",)

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        chosen = _chosen(context)
        if isinstance(chosen, StateSpaceAnalysis):
            ready = context.computed.state(target_of(chosen)).kind == "ready"
            return "" if ready else f"State space {chosen.name!r} has no current results: run it first."
        motion = _motion(context)
        if motion is None:
            return "Select the motion of a system or a state space in the tree."
        loose = [name for name in _bodies(context, motion) if context.computed.reduced(name) is None]
        return f"Body {loose[0]!r} has not been reduced yet: run the motion first." if loose else ""

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        chosen = _chosen(context)
        if isinstance(chosen, StateSpaceAnalysis):
            _write_state_space(context, chosen.name)
            return
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


def _write_state_space(context: Context, name: str) -> None:
    kinds = [("FMU", (".fmu",)), ("MATLAB", (".mat",)), ("NumPy archive", (".npz",))]
    path = ask_for_output(context, "Export state space", name, kinds)
    if path is None:
        return
    computed = context.computed
    with (
        writing(context, path) as written,
        Session(context.project, computed.store, base=computed.base) as session,
    ):
        if path.suffix.lower() == ".fmu":
            written.more = write_fmu(session, name, path, replace=True)
        else:
            write_state_space(session.move(name).state_space(), path)


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


def _chosen(context: Context) -> object:
    return context.value(context.entity) if context.entity_kind == "analysis" else None


def _motion(context: Context) -> Motion | None:
    chosen = _chosen(context)
    return chosen if isinstance(chosen, Motion) else None


def _bodies(context: Context, motion: Motion) -> tuple[str, ...]:
    systems = {system.name: system for system in context.project.systems}
    return tuple(systems[motion.system].body_names()) if motion.system in systems else ()
