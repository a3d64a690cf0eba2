"""What pages of the manual and the README print can be typed: commands, parts of studies, scripts."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

import faying
from faying.cli import _parser
from faying.cli.manual_page import manual_folder, tutorial_files
from faying.params import Spec, family_of, fields_of
from faying.project.numbers import with_numbers
from faying.project.specs import Project

README = Path(__file__).parents[2] / "README.md"
_FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^ {4}(?:.* && )?(?:\.venv/bin/)?faying (.+)$|`faying ([^`]+)`", re.MULTILINE)


def written():
    """Return (name, text) of the pages that are written, and of the README."""
    pages = [(file.name, file.read_text(encoding="utf-8")) for file in sorted(manual_folder().glob("*.md"))]
    return [*pages, ("README.md", README.read_text(encoding="utf-8"))]


def blocks(text, language):
    return [body for _, found, body in _FENCED.findall(text) if found == language]


def specs() -> list[type[Spec]]:
    """Return every kind of spec that a study may hold."""
    found: dict[type[Spec], None] = {}

    def walk(kind):
        if isinstance(kind, type) and issubclass(kind, Spec):
            if kind not in found:
                found[kind] = None
                for _, field, _ in fields_of(kind):
                    family: Any = family_of(field)
                    walk(field.annotation)
                    for _, member in family.items() if family is not None else ():
                        walk(member)
        else:
            for part in get_args(kind):
                walk(part)

    walk(Project)
    return list(found)


def wrong(table, kinds) -> list[str]:
    """Return the keys of a table that no spec takes with their values; of parts of a table, the keys within it."""
    found = []
    for name, value in table.items():
        if any(takes(kind, name, value) for kind in kinds):
            continue
        inner = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
        within = [key for part in inner if isinstance(part, dict) for key in wrong(part, kinds)]
        unknown = not any(name in kind.model_fields for kind in kinds)
        if unknown or within or not inner or not all(isinstance(part, dict) for part in inner):
            found.append(f"{name}: {within or value}")
    return found


def takes(kind, name, value) -> bool:
    if name == "kind":
        return getattr(kind, "kind", None) == value
    if name not in kind.model_fields:
        return False
    try:
        given = with_numbers(kind, {name: value}, "mm-t-s")[name]
        TypeAdapter(kind.model_fields[name].rebuild_annotation()).validate_python(given)
    except (ValidationError, faying.FayingError):
        return False
    return True


def test_tables_of_studies_are_taken_as_they_are_printed():
    kinds = specs()
    tables = [(name, tomllib.loads(block)) for name, text in written() for block in blocks(text, "toml")]
    assert len(tables) > 10
    for name, table in tables:
        assert not wrong(table, kinds), name
    assert wrong({"bodies": [{"joints": [{"name": "lap", "treatment": "glued"}]}]}, kinds)
    assert wrong({"couse": {"kind": "input"}}, kinds) and wrong({"density": "3 kg"}, kinds)


def test_commands_can_be_typed_as_they_are_printed(capsys):
    """Lines of their own are parsed; of a command within a sentence its name and options are known."""
    parser, seen = _parser(), 0
    known = parser._subparsers._group_actions[0].choices
    for name, text in written():
        for line, inline in _COMMAND.findall(
            re.sub(r"\\\n *", "", text)
        ):  # a command may go on in the next line
            seen += 1
            words = shlex.split((line or inline).partition(" #")[0].partition(" && ")[0].replace("[", " "))
            if line:
                try:
                    parser.parse_args(words)
                except SystemExit:
                    pytest.fail(f"{name}: faying {line}\n{capsys.readouterr().err}")
            elif words[0] not in ("--version", "COMMAND"):
                options = {option.rstrip("]") for option in words if option.startswith("--")}
                assert words[0] in known, (name, inline)
                assert options <= set(known[words[0]]._option_string_actions), (name, inline)
    assert seen > 40


def test_options_that_tables_and_sentences_name_are_there():
    known = {"--version", "--verbose", "--help"}
    for command in _parser()._subparsers._group_actions[0].choices.values():
        known |= set(command._option_string_actions)
    others = {
        "developers.md",
        "many-machines.md",
        "architecture.md",
        "theory.md",
    }  # of pytest, dask, a script
    named = {
        (name, option)
        for name, text in written() if name not in others
        for code in re.findall(r"(?<!`)`(--[^`]+)`", text)
        for option in re.findall(r"(?:^|(?<= ))--[a-z][a-z-]*", code)
    }  # fmt: skip
    assert len(named) > 40 and not {(name, option) for name, option in named if option not in known}


def test_scripts_compile_and_their_files_are_there():
    for name, text in written():
        for block in blocks(text, "python"):
            compile(block, name, "exec")
    for file in tutorial_files():
        if file.suffix == ".py":
            compile(file.read_text(encoding="utf-8"), file.name, "exec")


def test_the_study_of_the_first_model_is_that_of_its_page():
    """What the page shows of it stands in the file that it brings."""
    (shown,) = blocks((manual_folder() / "first-model.md").read_text(encoding="utf-8"), "toml")
    study = (manual_folder() / "files" / "two_plates.toml").read_text(encoding="utf-8")
    for part in shown.split("\n\n"):
        assert part.strip() in study
    project = faying.read(manual_folder() / "files" / "two_plates.toml")
    assert not [finding for finding in project.check() if finding.severity == "error"]
