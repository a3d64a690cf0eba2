"""Pages of the manual that are notebooks: their cells run, and print what the pages say."""

import re

import pytest

from faying.cli.executed import cells, executed, is_notebook, run
from faying.errors import FayingError
from faying.manual import Page, pages

TOY = """# Toy

```python
x = 3.0
print("x is", x)
open("line.svg", "w").write("<svg/>")
```

```output
x is 2.0
```

Between.

```python
y = 2 * x
```

```python
print(y)
print("ready")
```

```output
0
```
"""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def test_cells_run_in_order_and_their_outputs_and_pictures_are_shown(tmp_path):
    page = Page("toy", TOY)
    assert is_notebook(page) and not is_notebook(Page("other", "```python\nprint(1)\n```\n"))
    assert [cell.output for cell in cells(page)] == ["x is 2.0\n", "", "0\n"]
    text = executed(page, tmp_path, "runs/toy")
    assert "```output\nx is 3.0\n```\n" in text and "```output\n6.0\nready\n```\n" in text
    assert "x is 2.0" not in text and "![line](runs/toy/line.svg)" in text and "\nBetween.\n" in text
    assert text.count("```") == 10


def test_a_cell_that_fails_is_named(tmp_path):
    broken = Page("toy", TOY.replace("y = 2 * x", "y = 2 * z"))
    with pytest.raises(FayingError, match=r"'toy'.* cell 2: NameError"):
        run(broken, tmp_path)


def test_there_are_two_notebooks_at_least():
    assert len([page for page in pages().values() if is_notebook(page)]) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, page in pages().items() if is_notebook(page)])
def test_notebooks_print_what_their_pages_say(name, tmp_path):
    """The same words, and numbers that differ by 3 % at most, as other processors round in another way."""
    page = pages()[name]
    for cell, printed in zip(cells(page), run(page, tmp_path), strict=True):
        assert NUMBER.sub("#", printed).strip() == NUMBER.sub("#", cell.output).strip()
        found, said = (list(map(float, NUMBER.findall(text))) for text in (printed, cell.output))
        assert found == pytest.approx(said, rel=0.03)
        assert all((tmp_path / picture).stat().st_size > 1000 for picture in cell.pictures)
