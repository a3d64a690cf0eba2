"""The address of a cluster and who else can use it; without dask.distributed, which takes a second to import."""

import ipaddress
import json
from pathlib import Path
from urllib.parse import urlsplit

from faying.errors import FayingError


def address_of(place: str) -> str:
    """Return the address of a scheduler.

    Args:
        place: the address itself, or the scheduler file.

    Raises:
        FayingError: when it is neither.
    """
    if "://" in place:
        return place
    try:
        return str(json.loads(Path(place).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FayingError(
            f"{place!r} is neither the address of a scheduler nor a scheduler file ({type(error).__name__}).",
            "Give an address such as tcp://node7:8786, or the FILE of dask scheduler --scheduler-file FILE.",
        ) from error


def who_else_may_use(address: str) -> str:
    """Return a sentence on who else can run programs through a scheduler; "" on this machine alone or with TLS."""
    found = urlsplit(address)
    if found.scheme in ("tls", "inproc") or _is_this_machine(found.hostname or ""):
        return ""
    return (
        f"{address} is not protected: whoever reaches this port can read what is sent, and run programs on the "
        "cluster as its user. Keep it in a network of your own, or use tls:// (see Many machines in the manual)."
    )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"
