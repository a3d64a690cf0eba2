"""Mnemonics: the letter of a menu's entry that, typed with the menu open, chooses it. Each is used once in a menu."""

from collections.abc import Sequence


def mnemonics(titles: Sequence[str]) -> list[str]:
    """Return a letter or digit of each title, "" where none is left, each at most once.

    Beginnings of words are preferred. A title whose letters are all taken makes another one change to its next choice
    (augmenting paths, Kuhn 1955), so that as many as possible get one.
    """
    wishes = [_wishes(title) for title in titles]
    owner: dict[str, int] = {}

    def give(row: int, tried: set[str]) -> bool:
        free = [letter for letter in wishes[row] if letter not in owner]
        for letter in (*free, *wishes[row]):
            if letter in tried:
                continue
            tried.add(letter)
            if letter not in owner or give(owner[letter], tried):
                owner[letter] = row
                return True
        return False

    for row in range(len(titles)):
        give(row, set())
    found = [""] * len(titles)
    for letter, row in owner.items():
        found[row] = letter
    return found


def marked(text: str, letter: str) -> str:
    """Return a text for Qt with its mnemonic marked; ampersands in names stay ampersands."""
    at = text.lower().find(letter) if letter else -1
    for i in range(len(text)):
        if letter and text[i].lower() == letter and (i == 0 or not text[i - 1].isalnum()):
            at = i  # the beginning of a word, as it was chosen
            break
    if at < 0:
        return text.replace("&", "&&")
    return f"{text[:at].replace('&', '&&')}&{text[at:].replace('&', '&&')}"


def _wishes(title: str) -> list[str]:
    words = "".join(c if c.isalnum() and c.isascii() else " " for c in title.lower()).split()
    letters = [word[0] for word in words] + [c for word in words for c in word[1:]]
    return list(dict.fromkeys(letters))
