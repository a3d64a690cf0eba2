"""Migrations: the table of a project in an older schema is brought to the present one. One step, one file.

A member is a function ``table -> table`` registered under the schema number it starts from, as text:
``@migrations.register("1")`` turns the table of a project in schema 1 into one in schema 2.
"""

from collections.abc import Callable
from typing import Any

from faying.errors import ModelError
from faying.registry import Registry

PlainDict = dict[str, Any]
migrations: Registry[Callable[[PlainDict], PlainDict]] = Registry("migration", __name__)


def migrated(table: PlainDict, version: int, wanted: int) -> PlainDict:
    """Return the table of a project in schema `wanted`.

    Args:
        table: as read, in schema `version`; stays as it is.
        version: schema that it was written in.
        wanted: schema that is understood here.

    Raises:
        ModelError: when it is newer, or too old for the steps that there are.
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
        table = migrations[str(number)](table)
    return table
