"""Results as files and plots; shared by ``faying export`` and `faying.session.solution`."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.errors import ModelError
from faying.exporters import ExportContent, ExportSettings, SystemContent, exporter_for, exporters
from faying.exporters.cuts import read_cuts
from faying.exporters.output import is_true
from faying.exporters.systems import ShownContent, moved_system, name_of_run, write_content
from faying.plot import Plot
from faying.progress import Progress
from faying.project.outputs import check_output, writing
from faying.results.curve_key import CurveKey
from faying.results.curves import (
    OF_FE_MODEL,
    Curve,
    CurveDifference,
    CurveScales,
    CurveView,
    axis_curve,
    curve_difference,
    curve_plot,
    laid_over,
    run_title,
    scaled_plot,
    stored_curve,
    without_noise,
)
from faying.results.fields import fields
from faying.results.formula import find_field
from faying.results.largest_curve import LargestCurve
from faying.results.places import PlaceCurve, history_at
from faying.results.results import Results
from faying.session.computed_project import ComputedProject
from faying.units import UnitSystemName, read_quantity


def write_fields(
    session: ComputedProject,
    path: Path,
    analysis: str,
    settings: ExportSettings,
    *,
    frame: int | None = None,
    frames: str = "",
    minus: str = "",
    beside: Sequence[str] = (),
    curves: Sequence[str] = (),
    over: str = "",
    replace_others: bool = False,
    content: ShownContent | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a field of an analysis as picture, film or table.

    Args:
        session: has the results.
        path: the file; its ending determines the format.
        analysis: name of the analysis.
        settings: display settings; their frames are ignored.
        frame: the frame, from the end if negative; None for all frames, or the last one if the file holds only one.
        frames: a range of frames, "10:200", "10:200:5", "5 ms:20 ms" (`chosen_frames`); "" for all.
        minus: another analysis, whose field is subtracted; "" for none.
        beside: other analyses of the same body or system, shown next to this one on the same scale.
        curves: names of curves drawn below pictures and films, with a marker at the current frame.
        over: curve on the abscissa; "" for time or load.
        replace_others: whether to replace files that Faying did not write or that have changed since.
        content: the contents to show, if they are known already.
        progress: that of the session by default.

    Raises:
        FayingError: when the field, frame or analysis is not there, or the file must not or cannot be written.
        Cancelled: leaves no file behind.
    """
    progress, endings, reads = (
        progress or session.progress,
        tuple(f".{kind}" for kind in exporters),
        session.reads(),
    )
    # Errors that can be found before results are loaded.
    check_output(path, (*endings, ".toml"), reads, replace=replace_others or settings.series)
    if settings.field:
        find_field(settings.field)
    read_cuts(settings.section, session.project.units)
    exporter = exporter_for(path)
    every = exporter.many_frames or settings.series
    if frames and frame is not None:
        raise ModelError("Both one frame and a range of frames are given.", "Give one of the two.")
    if frames and not every:
        raise ModelError(
            f"{path.name} shows a single frame, no range of frames.",
            "Choose it by its number (frame), or write a film, a table, or a picture of each (series).",
        )
    exporter.prepare()
    if not settings.field and moved_system(session.project, analysis) is None:
        raise ModelError("A field is needed.", f"Give one of: {', '.join(fields)}.")
    shown = content or session.shown(analysis, progress)
    if minus:
        if isinstance(shown, SystemContent):
            raise ModelError(
                f"Analysis {analysis!r} moves a whole system, whose fields are not compared.",
                "Compare fields of a body.",
            )
        other = session.shown_body(minus, progress=progress)
        shown = replace(shown, minus=(minus, other.body_context))
    shown = _with_others(session, shown, analysis, beside)
    if curves:
        shown = replace(shown, curves=_running_curves(session, analysis, curves, over))
    count = shown.n_frames
    if frames:
        chosen = chosen_frames(frames, _values_of(shown), session.project.units, analysis)
    elif frame is not None or not every:
        chosen = (frame_number(frame if frame is not None else -1, count, analysis),)
    else:
        chosen = tuple(range(count))
    settings = replace(settings, frames=chosen)
    with writing(*exporter.files(settings, path), endings=endings, reads=reads, replace=replace_others):
        write_content(exporter, shown, settings, path, progress)


def chosen_frames(text: str, values: np.ndarray, units: UnitSystemName, name: str) -> tuple[int, ...]:
    """Return the numbers of the frames in a range "first:last" or "first:last:every".

    Args:
        text: numbers from 0, or from the end if negative; or times with a unit, "5 ms:20 ms". Both ends are optional.
        values: (n,) times or loads of all frames.
        units: of the values.
        name: of the analysis, for messages.

    Raises:
        ModelError: when the text is no range, or there are no such frames.
    """
    words = [word.strip() for word in text.split(":")]
    hint = "Write such as 10:200, 10:200:5 or 5 ms:20 ms."
    if not 2 <= len(words) <= 3:
        raise ModelError(f"{text!r} is no range of frames.", hint)
    frame_number(0, len(values), name)

    def place(word: str, at_end: bool) -> int:
        if not word:
            return len(values) - 1 if at_end else 0
        if _is_whole(word):
            return frame_number(int(word), len(values), name)
        wanted = read_quantity(word, "time", units)
        found = int(np.searchsorted(values, wanted, side="right" if at_end else "left"))
        return min(max(found - at_end, 0), len(values) - 1)

    step = words[2] if len(words) == 3 else "1"
    if not step.isdigit() or int(step) == 0:
        raise ModelError(f"{step!r} is no number of frames from one to the next.", hint)
    first, last = place(words[0], at_end=False), place(words[1], at_end=True)
    if last < first:
        raise ModelError(f"In {text!r} the last frame comes before the first.", hint)
    return tuple(range(first, last + 1, int(step)))


def _is_whole(word: str) -> bool:
    return word.removeprefix("-").isdigit()


def _values_of(shown: ShownContent) -> np.ndarray:
    frames = shown.frames
    return np.asarray(frames.values)


def _with_others(
    session: ComputedProject, shown: ShownContent, analysis: str, names: Sequence[str]
) -> ShownContent:
    """Return the contents with other analyses next to them.

    Raises:
        ModelError: when one is of another body or system.
    """
    others = [session.shown(name) for name in names]
    if isinstance(shown, SystemContent):
        systems = [other for other in others if isinstance(other, SystemContent)]
        if len(systems) == len(others) and all(other.system.name == shown.system.name for other in systems):
            return replace(shown, beside=tuple(systems))
    else:
        bodies = [other for other in others if isinstance(other, ExportContent)]
        if len(bodies) == len(others) and all(
            other.model.nodes.shape == shown.model.nodes.shape for other in bodies
        ):
            return replace(shown, beside=tuple(bodies))
    raise ModelError(
        f"{', '.join(names)} cannot be shown next to {analysis}: they are of another body or system.",
        "Choose analyses of the same one.",
    )


def _running_curves(session: ComputedProject, analysis: str, names: Sequence[str], over: str) -> Plot:
    """Return the curves that are drawn below a picture; each has a value for every frame.

    Below true fields stored curves are those of the run, and others follow from the true fields.
    """
    plot = curves_drawn(session, name_of_run(session.project, analysis), names, over, fields_of=analysis)
    return replace(plot, series=tuple(replace(series, points=False) for series in plot.series))


def frame_number(frame: int, count: int, name: str) -> int:
    """Return the number of a frame, which counts from the end when negative.

    Raises:
        ModelError: when there is no such frame.
    """
    if not count:
        raise ModelError(f"{name} has no frames yet.", "Run the analysis first.")
    if not -count <= frame < count:
        raise ModelError(f"{name} has no frame {frame}.", f"Its frames are 0 to {count - 1}.")
    return frame % count


def field_curve(
    session: ComputedProject,
    results: Results,
    analysis: str,
    name: CurveKey | str,
    style: int = 0,
    fields_of: str = "",
) -> Curve | None:
    """Return the curve of a field, "gear.el 47823 von_mises" or "largest pressure in lap"; None for stored curves.

    Arguments as of `shown_curves`. True fields are named in the curve's name.

    Raises:
        ModelError: when there is no such part, place or field, or the field needs more than the place.
    """
    if isinstance(name, CurveKey) or name in results.curve_names:
        return None
    wanted = PlaceCurve.read(name) or LargestCurve.read(name)
    if wanted is None:
        return None
    if wanted.part and moved_system(session.project, analysis) is None:
        raise ModelError(
            f"Analysis {analysis!r} is of a single body, so it has no part {wanted.part!r}.",
            f"Leave it out: {replace(wanted, part='').name}.",
        )
    field, content = find_field(wanted.field), session.shown_body(fields_of or analysis, part=wanted.part)
    context, progress = content.body_context, session.progress
    if isinstance(wanted, PlaceCurve):
        values = history_at(field, context, wanted.places(content.model), progress)[:, 0]
    else:
        values = wanted.values(field, context, progress)
    of_fe_model = OF_FE_MODEL if fields_of not in ("", analysis) and is_true(field, content) else ""
    return Curve(f"{wanted.name}{of_fe_model}", values, field.quantity_over(context.frames.axis), style)


def shown_curves(
    session: ComputedProject, results: Results, names: Sequence[CurveKey | str], analysis: str, over: str = "",
    fields_of: str = "",
) -> tuple[Curve, tuple[Curve, ...]]:  # fmt: skip
    """Return the curve that others are over (time or load without a name), and these.

    Args:
        session: has the results.
        results: of the analysis, for stored curves.
        names: of the curves.
        analysis: its name.
        over: the curve that they are over; "" for time or load.
        fields_of: name under which fields are evaluated, "press (true fields)"; that of the analysis by default.

    Raises:
        ModelError: when there is no such curve.
    """

    def curve(name: CurveKey | str, style: int = 0) -> Curve:
        found = field_curve(session, results, analysis, name, style, fields_of)
        return found or stored_curve(results, name, style)

    chosen = tuple(curve(name, i) for i, name in enumerate(names))
    return curve(over) if over else axis_curve(results), chosen


def curves_drawn(
    session: ComputedProject, analysis: str, names: Sequence[str], over: str = "", view: CurveView = "values",
    minus: str = "", scales: CurveScales | None = None, also: Sequence[str] = (), fields_of: str = "",
) -> Plot:  # fmt: skip
    """Return curves of an analysis as a plot.

    Args:
        session: has the results.
        analysis: its name.
        names: of the curves.
        over: the curve that they are drawn over; "" for time or load.
        view: how they are drawn.
        minus: another analysis, whose curves are subtracted; "" for none.
        scales: how axes count; evenly by default.
        also: other analyses, such as measured points, whose curves of the same kind are laid over.
        fields_of: as of `shown_curves`.

    Raises:
        ModelError: when the analysis has no results or no such curve, or a curve has no such view.
    """
    with ExitStack() as opened:
        results, *others = (
            opened.enter_context(closing(session.results(name))) for name in (analysis, *also)
        )
        axis, chosen = shown_curves(session, results, names, analysis, over, fields_of)
        if minus:
            chosen = tuple(found.curve for found in curve_differences(session, analysis, names, minus))
        else:
            chosen = tuple(without_noise(results, curve) for curve in chosen)
        units = session.project.units
        plot = curve_plot(run_title(analysis, results), axis, chosen, units, view)
        plot = laid_over(plot, dict(zip(also, others, strict=True)), units)
        return scaled_plot(plot, scales) if scales is not None else plot


def curve_differences(
    session: ComputedProject, analysis: str, names: Sequence[str], minus: str
) -> tuple[CurveDifference, ...]:
    """Return curves of an analysis minus those of another one, each with mean and largest absolute value.

    Raises:
        ModelError: when one of them has no results or no such curve, or they have no time in common.
    """
    with closing(session.results(analysis)) as results, closing(session.results(minus)) as others:
        over, chosen = shown_curves(session, results, names, analysis)
        other_over, other = shown_curves(session, others, names, minus)
        pairs = zip(chosen, other, strict=True)
        return tuple(curve_difference(over, one, other_over, two, minus) for one, two in pairs)
