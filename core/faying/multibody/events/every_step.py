"""Every time step."""

from faying.multibody.events import Event, events


@events.register("every_step")
class EveryStep(Event):
    """It happens at the end of every time step, such as to store each as a frame."""

    def judge(self, side: int, value: float, since: float, time: float) -> tuple[int, bool]:
        """Return that it happens."""
        return side, True
