"""What editors and shells get: a schema of studies, completion, help, all mistakes at once, numbers in JSON."""

import json
import shutil
import subprocess
import tomllib

import pytest

from faying.cli import main
from faying.cli.commands import commands
from faying.cli.json_text import json_text
from faying.errors import ModelError
from faying.examples import examples
from faying.params import fields_of
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import BodySpec
from faying.project.study_schema import study_schema
from support.plate_deck import STUDY, write_plate_deck, write_study

SCHEMA = study_schema()


def fits(value, schema):
    """Return whether a value is what a schema says, as far as studies' schemas go; JSON Schema's own words."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema or "oneOf" in schema:
        found = sum(fits(value, each) for each in schema.get("anyOf") or schema["oneOf"])
        return found == 1 if "oneOf" in schema else found > 0
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kind = schema.get("type")
    if kind == "object":
        known = schema["properties"]
        return (
            isinstance(value, dict) and set(schema.get("required", ())) <= set(value) <= set(known)
            and all(fits(item, known[name]) for name, item in value.items())
        )  # fmt: skip
    if kind == "array":
        if not isinstance(value, (list, tuple)):
            return False
        first = schema.get("prefixItems")
        if first is not None and len(first) != len(value):
            return False
        return all(fits(item, first[i] if first else schema["items"]) for i, item in enumerate(value))
    numbers = {"integer": int, "number": (int, float), "string": str, "boolean": bool}
    if kind and (not isinstance(value, numbers[kind]) or (kind != "boolean" and isinstance(value, bool))):
        return False
    low, high = schema.get("minimum", -float("inf")), schema.get("maximum", float("inf"))
    above, below = schema.get("exclusiveMinimum", -float("inf")), schema.get("exclusiveMaximum", float("inf"))
    return kind not in ("integer", "number") or (low <= value <= high and above < value < below)


@pytest.mark.parametrize(
    "name", ["friction-bar", "bolted-lap", "slider-crank", "flexible-pendulum", "conrod-static"]
)
def test_examples_are_what_the_schema_says(name):
    words = project_to_dict(examples[name]().build(quick=True), complete=True)
    assert fits(words, SCHEMA), name
    words["bodies"][0]["mdoel"] = {}
    assert not fits(words, SCHEMA)


def test_the_schema_knows_every_parameter_with_its_meaning_and_numbers_with_units():
    body = SCHEMA["$defs"]["specs.BodySpec"]
    for name, field, _ in fields_of(BodySpec):
        assert body["properties"][name]["title"] == field.title
        assert field.description in body["properties"][name]["description"]
    assert body["required"] == ["name", "model"]
    assert fits(tomllib.loads(STUDY), SCHEMA)
    law = {"kind": "linear_penalty", "stiffness": "5 N/mm^3"}
    assert fits(law, body_joint("contact_law")) and not fits(
        {**law, "kind": "linear"}, body_joint("contact_law")
    )


def body_joint(name):
    return SCHEMA["$defs"]["specs.JointSpec"]["properties"][name]


@pytest.mark.needs("jsonschema")
def test_the_schema_is_one_and_a_study_is_valid():
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(tomllib.loads(STUDY))


def test_the_command_writes_it(tmp_path, capsys):
    assert main(["schema", "--to", str(tmp_path / "study.json")]) == 0
    assert "#:schema study.json" in capsys.readouterr().out
    assert json.loads((tmp_path / "study.json").read_text(encoding="utf-8")) == json.loads(json.dumps(SCHEMA))


def test_all_mistakes_of_a_study_are_told_at_once(tmp_path, capsys):
    text = STUDY.replace('kind = "deck_surface"', 'kind = "deck_surfac"', 1).replace(
        "load_steps = 3", "load_stesp = 3"
    )
    write_study(tmp_path, text + '[[bodies]]\nname = "bar"\nmodel = { path = "bar.inp" }\nweak_ties = 2.0\n')
    assert main(["check", str(next(tmp_path.glob("*.toml")))]) == 1
    told = capsys.readouterr().err
    for words in ("'deck_surface'?", "'load_stesp'. Did you mean 'load_steps'?", "weak_ties"):
        assert words in told
    assert told.count("\n  ") == int(told.split(" parameters are wrong")[0].split()[-1])
    # One alone is told as ever, and nothing is told that follows from another mistake.
    with pytest.raises(ModelError, match=r"^bodies\[0\]\.expected_mass: '5 m' is not a mass"):
        project_from_dict({"bodies": [{"name": "b", "model": {"path": "b.inp"}, "expected_mass": "5 m"}]})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["check", "x.toml", "--jsn"], ["usage: faying check", "--jsn", "Did you mean '--json'?"]),
        (["run", "x.toml", "y.toml"], ["usage: faying run", "unrecognized arguments: y.toml"]),
    ],
)
def test_a_wrong_option_shows_the_help_of_its_command(capsys, words, told):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert all(each in error for each in told)


def test_completion_knows_all_commands_and_options(tmp_path, capsys):
    scripts = {}
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        scripts[shell] = capsys.readouterr().out
        for name, command in commands.items():
            assert name in scripts[shell], (shell, command)
    assert "        export)" in scripts["bash"] and "--matrices" in scripts["bash"]
    assert "__fish_seen_subcommand_from export" in scripts["fish"]
    assert "x=12mm, z=50%;" in scripts["fish"] and "%%" not in scripts["fish"]
    if shutil.which("bash"):
        (tmp_path / "my plates.toml").touch()
        asked = scripts["bash"] + (
            '\nCOMP_WORDS=(faying export --ma); COMP_CWORD=2; _faying; echo "${COMPREPLY[@]}"'
            '\nCOMP_WORDS=(faying che); COMP_CWORD=1; _faying; echo "${COMPREPLY[@]}"'
            '\nCOMP_WORDS=(faying --verbose expo); COMP_CWORD=2; _faying; echo "${COMPREPLY[@]}"'
            '\nCOMP_WORDS=(faying --verbose export --ma); COMP_CWORD=3; _faying; echo "${COMPREPLY[@]}"'
            '\nCOMP_WORDS=(faying info my); COMP_CWORD=2; _faying; echo "${#COMPREPLY[@]}"'
            "\ncomplete -p faying"
        )
        done = subprocess.run(
            ["bash", "-c", asked], capture_output=True, text=True, timeout=30, check=True, cwd=tmp_path
        )
        words = ["--matrices", "check", "export", "--matrices", "0", "complete -o default -F _faying faying"]
        assert done.stdout.splitlines() == words  # the shell itself completes names of files, with blanks


def test_what_is_no_number_is_null_in_json(capsys):
    """For strict readers such as JavaScript's and jq: NaN and Infinity are no JSON."""
    found = {"a": [1.5, float("nan"), (2, float("-inf"))], "b": {"c": float("inf"), "d": None, "e": "NaN"}}
    assert json.loads(json_text(found), parse_constant=pytest.fail) == {
        "a": [1.5, None, [2, None]],
        "b": {"c": None, "d": None, "e": "NaN"},
    }


def test_json_has_numbers_with_their_units_beside(tmp_path, capsys):
    write_plate_deck(tmp_path / "plates.inp")
    write_study(tmp_path, STUDY)
    study, project = next(tmp_path.glob("*.toml")), tmp_path / "out.faying"
    assert main(["run", str(study), "--until", "model", "--out", str(project)]) == 0
    capsys.readouterr()
    assert main(["info", str(project), "--json"]) == 0
    body = json.loads(capsys.readouterr().out)["bodies"][0]
    assert isinstance(body["mass"]["value"], float) and body["mass"]["unit"] == "t"
    assert len(body["centre"]["value"]) == 3 and body["centre"]["unit"] == "mm"
    assert main(["info", str(project)]) == 0
    assert f"mass {body['mass']['value']:.6g} t" in capsys.readouterr().out
