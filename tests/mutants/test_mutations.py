"""The mutants are what they claim: one small change each, which is Python, and none in what is only read by people."""

import ast

from mutants.mutations import mutations

TEXT = '''"""Of 3 < 4."""
ratio: int = parameter(0, ge=1)

def limited(x, rows):
    """Return it, if it is < 0.5."""
    rows.clear()
    for k in range(len(rows) - 1):
        if not rows[k] or x <= 0.5:
            rows[k] = -x
            continue
        x += 2
    if x is None:
        raise ValueError(f"{x + 1}" + 3)
    return rows
'''


def test_each_mutation_is_one_change() -> None:
    found = mutations(TEXT)
    assert {(m.line, m.before, m.after) for m in found} == {
        (6, "rows.clear()", "pass"),
        (7, "len(rows) - 1", "(len(rows) + 1)"),
        (7, "1", "2"),
        (8, "not rows[k] or x <= 0.5", "(not rows[k] and x <= 0.5)"),
        (8, "not rows[k]", "(rows[k])"),
        (8, "x <= 0.5", "(x < 0.5)"),
        (8, "0.5", "1.0"),
        (9, "rows[k] = -x", "pass"),
        (9, "-x", "(x)"),
        (10, "continue", "pass"),
        (11, "x += 2", "pass"),
        (11, "2", "3"),
        (12, "x is None", "(x is not None)"),
    }
    for mutation in found:
        ast.parse(mutation.text)
        changed = [
            (a, b) for a, b in zip(TEXT.splitlines(), mutation.text.splitlines(), strict=True) if a != b
        ]
        assert len(changed) == 1 and changed[0] == (TEXT.splitlines()[mutation.line - 1], changed[0][1])
