"""Asking for a file and writing a plot into it."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from faying.errors import FayingError
from faying.exporters.plots import PictureSettings, plot_writer_for, plot_writers
from faying.plot import Plot
from faying_app.context import Context
from faying_app.look.theme import current_theme


def ask_and_save(context: Context, plot: Plot, parent: QWidget) -> None:
    """Ask for a file and write a plot as large as the widget that shows it."""
    kinds = ";;".join(f"{writer.title} (*.{kind})" for kind, writer in reversed(plot_writers.items()))
    proposed = context.folder() / f"{plot.title.lower().replace(' ', '_')}.svg"
    chosen, kind = QFileDialog.getSaveFileName(parent, "Export curves", str(proposed), kinds)
    if not chosen:
        return
    path = Path(chosen)
    path = path if path.suffix else path.with_suffix(kind.rpartition("*")[2].rstrip(")"))
    settings = PictureSettings((parent.width(), parent.height()), current_theme().dark)
    try:
        plot_writer_for(path).write(plot, path, settings)
    except FayingError as error:
        context.show_error(error)
    else:
        context.say(f"Wrote {path.name}.")
