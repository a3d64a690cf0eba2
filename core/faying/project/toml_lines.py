"""The line of a study file that gives a parameter, for error messages: parsers of TOML do not keep it."""

import re
import tomllib
from bisect import bisect_left
from typing import Any

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]', re.DOTALL
)
_PART = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


class TomlLines:
    """Lines of a text that is valid TOML.

    Args:
        text: of the file.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        # Statements begin at the first line, and after each end of line outside of brackets and texts.
        self._starts, depth = [0], 0
        for token in _TOKEN.finditer(text):
            if token[0] in ("[", "{"):
                depth += 1
            elif token[0] in ("]", "}"):
                depth -= 1
            elif token[0] == "\n" and depth == 0:
                self._starts.append(token.end())
        self._starts.append(len(text))

    def line(self, place: str) -> int:
        """Return the number, from 1, of the line where the statement begins that gives a parameter.

        Args:
            place: of the parameter, such as "analyses[0].loads[1].force"; of a missing one the table is taken.
        """
        path = [int(number) if number else name for number, name in _PART.findall(place)]
        while path and not _has(self._text, path):
            path.pop()
        # The first statement after which it is there: statements only add.
        count = bisect_left(
            range(len(self._starts)), True, key=lambda k: _has(self._text[: self._starts[k]], path)
        )
        return self._text.count("\n", 0, self._starts[max(count - 1, 0)]) + 1


def _has(text: str, path: list[Any]) -> bool:
    value: Any = tomllib.loads(text)
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True
