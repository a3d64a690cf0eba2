"""Migrations: plain words of an older schema are brought to the present one, step by step. One step, one file.

A member is a function ``words -> words`` registered under the schema number it starts from, as text:
``@migrations.register("1")`` turns words of schema 1 into words of schema 2.
"""

from collections.abc import Callable
from typing import Any

from faying.errors import ModelError
from faying.registry import Registry

PlainDict = dict[str, Any]
migrations: Registry[Callable[[PlainDict], PlainDict]] = Registry("migration", __name__)


def migrated(words: PlainDict, version: int, wanted: int) -> PlainDict:
    """Return the words of a project in schema `wanted`.

    Args:
        words: as read, in schema `version`; stay as they are.
        version: schema that they were written in.
        wanted: schema that is understood here.

    Raises:
        ModelError: when they are newer, or too old for the steps that there are.
    """
    if version > wanted:
        raise ModelError(
            f"The project was written by a newer Faying (schema {version}; this one reads up to {wanted}).",
            "Install the newer version to open it.",
        )
    for number in range(version, wanted):
        if str(number) not in migrations:
            raise ModelError(
                f"There is no way from project schema {number} to {number + 1}.",
                "Open the project with an older Faying and save it as a study file.",
            )
        words = migrations[str(number)](words)
    return words
