"""The report's chapter about method and basis, and its appendix: findings, settings, records, versions."""

import html
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from faying.exporters.report_parts.markup import Section, paragraph, table
from faying.exporters.report_parts.sentences import basis_sentences, listed, plain, settings_of
from faying.exporters.report_parts.sources import ReportSources
from faying.project.checks import entity_text
from faying.project.specs import BodySpec
from faying.results.verdicts import percent
from faying.units import unit_text
from faying.version import __version__

_LIBRARIES = ("numpy", "scipy", "h5py", "vtk", "PySide6-Essentials")
_TOLD_ELSEWHERE = (
    "warnings",
    "steps",
    "contacts",
    "error_estimate",
    "no_error_estimate",
    "mounted_error",
    "largest_last_correction",
    "energy_balance",
    "missed_constraint",
    "beyond_tables",
    "events",
    "unstable_equilibria",
)  # of the records, already in tables or shown with the results


def method_text(sources: ReportSources) -> str:
    """Return method and basis of each body, and how well the basis matches the FE model's frequencies."""
    parts = []
    for body in sources.project.bodies:
        basis = sources.value("basis", body.name)
        pairs = [sources.value("pairs", body.name, joint.name) for joint in body.contact_joints]
        count = sum(len(found) for found in pairs if found is not None)
        parts.append(
            f"<h4>Body {html.escape(body.name)}</h4>" + paragraph(basis_sentences(body, basis, count))
        )
        parts.append(_quality(sources, body))
    return "\n".join(parts) or paragraph("The project has no flexible body: all parts are rigid.")


def appendix_sections(sources: ReportSources) -> list[Section]:
    """Return the sections of the appendix."""
    return [
        Section("findings", "Findings", _findings(sources), 2),
        Section("settings", "Settings", _settings(sources), 2),
        Section("records", "Records of the runs", _records(sources), 2),
        Section("versions", "Versions", _versions(), 2),
    ]


def _quality(sources: ReportSources, body: BodySpec) -> str:
    units = sources.project.units
    quality, unit = sources.value("quality", body.name), unit_text("frequency", units)
    if quality is None:
        return paragraph(
            "How well the basis meets the frequencies of the FE model was not measured.", "muted"
        )
    words = ""
    if quality.highest_frequency:
        step = f"{quality.admissible_step:.2g} {unit_text('time', units)}"
        words = paragraph(
            f"Its highest frequency is {quality.highest_frequency:.4g} {unit}, for time steps of {step}."
        )
    rows = [
        (i + 1, f"{full:.5g}", f"{reduced:.5g}", percent(difference), f"{quality.assurance[i, i]:.4f}")
        for i, (full, reduced, difference) in enumerate(
            zip(
                quality.full_frequencies,
                quality.reduced_frequencies,
                quality.frequency_differences,
                strict=False,
            )
        )
    ]
    heads = ("Mode", f"Full model [{unit}]", f"Reduced [{unit}]", "Difference", "Modal assurance")
    return words + table(heads, rows)


def _findings(sources: ReportSources) -> str:
    rows = [
        (f.severity, entity_text(sources.project, f.entity), f"{f.sentence} {f.hint}".strip())
        for f in sources.findings
    ]
    return table(("Severity", "Where", "What"), rows) or paragraph("The checks found nothing.")


def _settings(sources: ReportSources) -> str:
    parts, project = [], sources.project
    things: list[tuple[str, Any]] = [(f"Reduction of {b.name}", b.reduction) for b in project.bodies]
    things += [
        (f"Joint modes of {b.name}", b.joint_modes) for b in project.bodies if b.joint_modes is not None
    ]
    things += [(f"Analysis {a.name}", a) for a in project.analyses]
    for title, spec in things:
        rows = [(s.title, s.text, s.meaning) for s in settings_of(spec, project.units)]
        made = table(("Setting", "Value", "What it is"), rows)
        parts.append(f"<h4>{html.escape(title)}</h4>" + (made or paragraph("As the program's defaults.")))
    return "\n".join(parts)


def _records(sources: ReportSources) -> str:
    """Return the entries of the runs' records that no other table shows."""
    parts = []
    for run in sources.runs:
        told = run.results.report if run.results is not None else {}
        rows = [
            (name.replace("_", " ").capitalize(), plain(value, sources.project.units))
            for name, value in told.items()
            if name not in _TOLD_ELSEWHERE and value not in ({}, [], "")
        ]
        if rows:
            parts.append(f"<h4>{html.escape(run.analysis.name)}</h4>{table((), rows)}")
    return "\n".join(parts) or paragraph("There are none.")


def _versions() -> str:
    used = [f"Faying {__version__}", f"Python {platform.python_version()}"]
    for name in _LIBRARIES:
        with suppress(PackageNotFoundError):  # the core alone does not have the window's packages
            used.append(f"{name} {version(name)}")
    return paragraph(f"This report was written with {listed(used)} on {platform.platform()}.")
