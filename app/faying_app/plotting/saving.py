"""Asking for a file and writing a plot into it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from faying.errors import FayingError
from faying.exporters.plots import PictureSettings, plot_writer_for, plot_writers
from faying.plot import Plot
from faying_app.context import Context
from faying_app.look.theme import current_theme
from faying_app.output_file import ask_for_output, writing


def ask_for_plot(
    context: Context, title: str, parent: QWidget, tell: Callable[[FayingError], None] | None = None
) -> Path | None:
    """Ask for the file of a plot; None when it is not to be written."""
    kinds = [(writer.title, (f".{kind}",)) for kind, writer in plot_writers.items()]
    kinds.sort(key=lambda kind: kind[1] != (".svg",))  # a drawing serves best
    name = title.lower().replace(" ", "_")
    return ask_for_output(context, "Export curves", name, kinds, parent=parent, tell=tell)


def ask_and_save(context: Context, plot: Plot, parent: QWidget) -> None:
    """Ask for a file and write a plot as large as the widget that shows it."""
    path = ask_for_plot(context, plot.title, parent)
    if path is None:
        return
    settings = PictureSettings((parent.width(), parent.height()), current_theme().dark)
    with writing(context, path):
        plot_writer_for(path).write(plot, path, settings)
