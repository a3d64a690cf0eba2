"""Joints as tables of a study file."""

from typing import Any

import tomli_w

from faying.project.specs import JointSpec


def joint_table(joint: JointSpec) -> str:
    """Return a joint as a table for a study file: a line for each decision that differs from its default."""
    values = joint.model_dump(mode="json", exclude_defaults=True)
    for role in ("master", "slave"):
        values[role] = {"kind": getattr(joint, role).kind, **values[role]}
    lines = [f"{name} = {_inline(value)}" for name, value in values.items()]
    return "\n".join(["[[bodies.joints]]", *lines]) + "\n"


def _inline(value: Any) -> str:
    """Return a value as TOML in one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_inline(inner)}' for name, inner in value.items())} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_inline(inner) for inner in value)}]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")
