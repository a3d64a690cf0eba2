"""File ▸ Open example."""

from functools import partial

from faying.examples import examples
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.tasks import opening


@actions.register("open_example")
class OpenExample(ChoosingAction):
    """Begin with a complete example."""

    title = "Open example"
    menu = "File"
    order = 130
    icon = "example"
    meaning = "Begin with a complete example project."
    offers_files = True

    def choices(self, context: Context) -> list[Choice]:
        """Offer all examples."""
        return [
            Choice(example.title, partial(opening.open_example, context, kind), tooltip=example.summary)
            for kind, example in examples.items()
        ]
