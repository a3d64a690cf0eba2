"""The error for an element without volume or length."""

from faying.errors import ModelError


class ElementShapeError(ModelError):
    """An element is so distorted that its volume or length is not positive everywhere.

    Attributes:
        index: its position among the given elements; callers that know the deck's element number report that instead.
        problem: the end of a sentence that begins with the element's name.
    """

    def __init__(self, index: int, problem: str) -> None:
        super().__init__(f"Element {index} (counted from 0) {problem}.", "Repair the mesh there.")
        self.args = (index, problem)
        self.index, self.problem = index, problem
