"""Run ▸ Run all analyses."""

from faying.project.stage import target_of
from faying_app.actions import Action, actions
from faying_app.actions._checked_run import start_checked
from faying_app.actions._needs import an_analysis
from faying_app.context import Context


@actions.register("run_all")
class RunAll(Action):
    """Run all analyses that are not up to date."""

    title = "Run all analyses"
    menu = "Run"
    order = 210
    shortcut = "Shift+F5"
    icon = "run_all"
    meaning = "Run all analyses that are not up to date, one after the other."
    in_toolbar = True
    entities = ("analyses",)
    needs = (an_analysis,)

    def trigger(self, context: Context) -> None:
        """Queue them."""
        targets = [target_of(a) for a in context.project.computed_analyses]
        todo = [t for t in targets if context.computed.state(t).kind != "ready"]
        if not todo:
            context.say("All analyses are up to date.")
            return
        start_checked(context, "Run all analyses", todo, "tasks")
