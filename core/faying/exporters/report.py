"""A report of a project as one HTML file: decisions, model, pairs, basis, runs, pictures, curves, findings."""

import base64
import html
import platform
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from faying.errors import FayingError
from faying.exporters import ExportContent, ExportSettings, exporter_for
from faying.exporters.earlier import EARLIER
from faying.exporters.output import replacing
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.exporters.systems import shown_content, telling_field, write_content
from faying.fem.mass_properties import mass_properties
from faying.params import Spec, fields_of
from faying.progress import PartialProgress, Progress
from faying.project.checks import entity_text
from faying.project.findings import find_findings
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import BodySpec, JointSpec, Project
from faying.project.stage import Target, target_of
from faying.project.store import ArtifactStore
from faying.results.bolt_table import texts_of
from faying.results.curves import Curve, axis_curve, curve_plot, curve_quantity, first_curves, run_title
from faying.results.results import Results
from faying.units import unit_text
from faying.version import __version__

ENDINGS = (".html", ".htm")
_PICTURE, _PLOT = (1280, 720), (900, 420)
_LIBRARIES = ("numpy", "scipy", "h5py", "vtk", "PySide6-Essentials")
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; max-width: 980px; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; } h2 { margin-top: 2em; border-bottom: 1px solid #c5ced8; } h3 { margin-bottom: 0.3em; }
table { border-collapse: collapse; margin: 0.6em 0 1em; } img { max-width: 100%; border: 1px solid #c5ced8; }
th, td { text-align: left; padding: 0.15em 1.2em 0.15em 0; vertical-align: top; border-bottom: 1px solid #e4eaf1; }
th { font-weight: 600; } .muted { color: #5b6672; } .error { color: #b3261e; } .warning { color: #8a5a00; }
@media print { h2 { break-before: auto; } img, table { break-inside: avoid; } }
"""


class Report:
    """Collects what there is of a project; computes nothing.

    Args:
        project: the decisions.
        store: has artifacts and results.
        base: folder from which relative deck paths count.
        pipeline, memory: in use; new ones by default.
        pictures: whether this machine can draw the 3D pictures.
    """

    def __init__(
        self,
        project: Project,
        store: ArtifactStore,
        base: Path,
        *,
        pipeline: Pipeline | None = None,
        memory: Memory | None = None,
        pictures: bool = True,
    ) -> None:
        from faying.project.stages import STAGES

        self._project, self._store, self._base = project, store, base
        self._pipeline, self._memory = pipeline or Pipeline(STAGES), memory or Memory()
        self._pictures = pictures

    def write(self, path: Path, progress: Progress) -> None:
        """Write the report as one file that needs no other.

        Raises:
            FayingError: when it cannot be written.
            Cancelled: leaves no file behind.
        """
        parts = [self._head()]
        parts += [self._body(body) for body in self._project.bodies]
        count = len(self._project.analyses)
        for i, analysis in enumerate(self._project.analyses):
            part = PartialProgress(
                progress, i / (count + 1), (i + 1) / (count + 1), f"report: {analysis.name}"
            )
            parts.append(self._analysis(analysis, part))
        progress.report(count / (count + 1), "report: findings")
        parts += [self._findings(), _versions()]
        title = html.escape(self._project.name)
        page = (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n"
        )
        with replacing(path) as beside:
            beside.write_text(page, encoding="utf-8")

    def _value(self, stage: str, body: str, item: str = "") -> Any:
        """Return an artifact that is there and up to date, else None."""
        target = Target(stage, body, item)
        if self._pipeline.state(self._project, target, self._store, self._base).status != "ready":
            return None
        return self._pipeline.value(self._project, target, self._store, self._base, self._memory)

    def _head(self) -> str:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        project = self._project
        note = f"<p>{html.escape(project.note)}</p>" if project.note else ""
        units = ", ".join(unit_text(q, project.units) for q in ("length", "mass", "time", "force", "stress"))
        return f'<h1>{html.escape(project.name)}</h1><p class="muted">{now}; units: {units}</p>{note}'

    def _body(self, body: BodySpec) -> str:
        model = self._value("model", body.name)
        parts = [f"<h2>Body {html.escape(body.name)}</h2>"]
        rows: list[Sequence[object]] = [("Deck", body.model.path)]
        units = self._project.units
        if model is not None:
            rows += [("Nodes", len(model.nodes)), ("Elements", len(model.element_ids))]
            try:
                found = mass_properties(model)
                rows.append(("Mass", f"{found.mass:.6g} {unit_text('mass', units)}"))
            except FayingError as error:
                rows.append(("Mass", str(error)))
            rows += [
                (
                    f"Material {m.name}",
                    f"E = {m.youngs_modulus}, ν = {m.poisson_ratio}, ρ = {m.density}",
                )
                for m in model.materials.values()
            ]
        rows.append(("Interface nodes", ", ".join(i.name for i in body.interfaces) or "none"))
        parts += [_table((), rows), self._joints(body), self._basis(body)]
        return "\n".join(parts)

    def _joints(self, body: BodySpec) -> str:
        rows = []
        units = self._project.units
        for joint in body.joints:
            if body.is_tied(joint):
                rows.append((joint.name, *self._tie(body, joint), "tied", ""))
                continue
            pairs = self._value("pairs", body.name, joint.name)
            found: Sequence[object] = ["not found yet", "", "", ""]
            if pairs is not None and len(pairs):
                gaps = f"{pairs.initial_gaps.min():.3g} to {pairs.initial_gaps.max():.3g}"
                found = [len(pairs), pairs.n_unpaired, f"{pairs.weights.sum():.5g}", gaps]
            friction = _words(joint.friction_law, units) if joint.friction_law is not None else "none"
            rows.append((joint.name, *found, _words(joint.contact_law, units), friction))
        length, area = unit_text("length", units), unit_text("area", units)
        heads = (
            "Joint",
            "Pairs",
            "Without pair",
            f"Area [{area}]",
            f"Initial gap [{length}]",
            "Contact",
            "Friction",
        )
        return f"<h3>Joints</h3>{_table(heads, rows)}" if rows else ""

    def _tie(self, body: BodySpec, joint: JointSpec) -> list[object]:
        """Return for the table of joints how many nodes are tied, and how many are not."""
        model = self._value("model", body.name)
        if model is None:
            return ["not found yet", "", "", ""]
        tie = model.ties[body.tied_joints.index(joint)]
        return [f"{len(tie.nodes)} nodes tied", len(tie.left_out), "", ""]

    def _basis(self, body: BodySpec) -> str:
        basis, quality = self._value("basis", body.name), self._value("quality", body.name)
        if basis is None:
            return "<h3>Reduction</h3><p>Not computed yet.</p>"
        vectors = ", ".join(f"{group.stop - group.start} {group.name}" for group in basis.groups)
        words = (
            f"<h3>Reduction</h3><p>{html.escape(_words(body.reduction, self._project.units))}: {vectors}.</p>"
        )
        if quality is None:
            return words + '<p class="muted">The quality of the basis was not measured (faying quality).</p>'
        unit = unit_text("frequency", self._project.units)
        if quality.highest_frequency:
            step = f"{quality.admissible_step:.2g} {unit_text('time', self._project.units)}"
            words += f"<p>Highest frequency {quality.highest_frequency:.4g} {unit}, time steps of {step}.</p>"
        rows = [
            (i + 1, f"{full:.5g}", f"{reduced:.5g}", f"{100 * difference:.3g}", f"{quality.assurance[i, i]:.4f}")
            for i, (full, reduced, difference) in enumerate(
                zip(
                    quality.full_frequencies, quality.reduced_frequencies, quality.frequency_differences,
                    strict=False,
                )
            )
        ]  # fmt: skip
        heads = ("Mode", f"Full model [{unit}]", f"Reduced [{unit}]", "Difference [%]", "Modal assurance")
        return words + _table(heads, rows)

    def _analysis(self, analysis: Any, progress: Progress) -> str:
        progress.report(0.0)
        state = self._pipeline.state(self._project, target_of(analysis), self._store, self._base)
        key = state.key
        place = self._store.results(key) if key else None
        old = place is None and bool(state.earlier)
        if old:
            key, place = state.earlier, self._store.results(state.earlier)
        words = html.escape(_words(analysis, self._project.units))
        parts = [f"<h2>Analysis {html.escape(analysis.name)}</h2><p>{words}</p>"]
        if place is None:
            return parts[0] + "<p>Not run yet.</p>"
        results = place.open()
        try:
            shown = results.n_frames > 0
            done = "" if results.complete else " The run was interrupted."
            done += f" They are out of date: {html.escape('; '.join(state.why))}." if old else ""
            parts.append(f"<p>{results.n_frames} frames.{done}</p>")
            for sentence, hint in results.doubts:
                parts.append(f'<p class="warning"><b>Doubtful.</b> {html.escape(f"{sentence} {hint}")}</p>')
            parts.append(
                _table(
                    (),
                    [
                        (key.replace("_", " ").capitalize(), _plain(v))
                        for key, v in results.report.items()
                        if key != "doubts"
                    ],
                )
            )
            parts.append(self._curves(analysis.name, results))
            if (recipe := self._store.recipe(key)) and recipe.made_with:
                parts.append(f'<p class="muted">Made with {html.escape(_plain(recipe.made_with))}.</p>')
        finally:
            results.close()
        progress.report(0.3)
        if shown:
            named = f"{analysis.name}{EARLIER}" if old else analysis.name
            parts += [self._bolts(named), self._picture(named, progress)]
        return "\n".join(parts)

    def _curves(self, name: str, results: Results) -> str:
        chosen = sorted(first_curves(results))
        if results.n_frames < 2 or not chosen:
            return ""
        curves = tuple(Curve(c, results.curve(c), curve_quantity(c), style) for style, c in enumerate(chosen))
        plot = curve_plot(run_title(name, results), axis_curve(results), curves, self._project.units)
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "curves.svg"
            try:
                plot_writer_for(target).write(plot, target, PictureSettings(_PLOT))
            except FayingError as error:
                return f'<p class="muted">{html.escape(str(error))}</p>'
            return _image(target, "image/svg+xml", f"Curves of {name}")

    def _bolts(self, analysis: str) -> str:
        """Return the table of bolts of a body's run; nothing where it has none."""
        try:
            content = shown_content(
                self._project,
                self._store,
                analysis,
                base=self._base,
                pipeline=self._pipeline,
                memory=self._memory,
            )
            rows = content.bolt_table() if isinstance(content, ExportContent) else ()
        except FayingError as error:
            return f'<p class="muted">No table of bolts: {html.escape(str(error))}</p>'
        return f"<h3>Bolts</h3>{_upright(*texts_of(rows, self._project.units))}" if rows else ""

    def _picture(self, analysis: str, progress: Progress) -> str:
        if not self._pictures:
            return '<p class="muted">No pictures can be drawn on this machine; faying doctor says why.</p>'
        try:
            content = shown_content(
                self._project, self._store, analysis, base=self._base, pipeline=self._pipeline,
                memory=self._memory,
            )  # fmt: skip
            field = telling_field(content)
            settings = ExportSettings(field, (content.n_frames - 1,), size=_PICTURE)
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "picture.png"
                write_content(exporter_for(target), content, settings, target, progress)
                named = f"{field.replace('_', ' ')} at the last frame" if field else "the last frame"
                return _image(target, "image/png", named)
        except FayingError as error:
            return f'<p class="muted">No picture: {html.escape(str(error))}</p>'

    def _findings(self) -> str:
        found = find_findings(
            self._project, self._store, self._base, pipeline=self._pipeline, memory=self._memory
        )
        rows = [
            (f.severity, entity_text(self._project, f.entity), f"{f.sentence} {f.hint}".strip())
            for f in found
        ]
        heads = ("Severity", "Where", "What")
        return f"<h2>Findings</h2>{_table(heads, rows)}" if rows else "<h2>Findings</h2><p>Nothing found.</p>"


def _versions() -> str:
    rows: list[Sequence[object]] = [("Faying", __version__), ("Python", platform.python_version())]
    rows += [(name, version(name)) for name in _LIBRARIES]
    rows.append(("System", platform.platform()))
    return f"<h2>Versions</h2>{_table((), rows)}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def line(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table>{line(heads, 'th') if heads else ''}{body}</table>" if body else ""


def _upright(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table with a column for each of few rows, whose many heads stand at the left."""
    first, *rest = zip(heads, *rows, strict=True)
    return _table([str(cell) for cell in first], rest)


def _image(path: Path, kind: str, caption: str) -> str:
    coded = base64.b64encode(path.read_bytes()).decode()
    text = html.escape(caption)
    return (
        f'<figure><img alt="{text}" src="data:{kind};base64,{coded}"><figcaption>{text}</figcaption></figure>'
    )


def _words(spec: Spec, units: Any) -> str:
    """Return a spec's decisions for people: "Coulomb: friction coefficient 0.15, …"."""
    words = []
    for name, field, extra in fields_of(type(spec)):
        value = getattr(spec, name)
        if name in ("name", "kind") or value in ("", (), None):
            continue
        unit = unit_text(str(extra.get("quantity", "")), units)
        words.append(f"{(field.title or name).lower()} {_plain(value)}{f' {unit}' if unit else ''}")
    title = str(getattr(spec, "title", "") or type(spec).__name__)
    return f"{title}: {', '.join(words)}" if words else title


def _plain(value: object) -> str:
    if isinstance(value, Spec):
        return "(" + ", ".join(f"{k} {_plain(v)}" for k, v in value.model_dump().items()) + ")"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_plain(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_plain(v) for v in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
