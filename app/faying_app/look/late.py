"""Modules that are imported when they are first used: what a window needs for its first curve is not for its start."""

import importlib.util
import sys
from typing import Any


def late(name: str) -> Any:
    """Return a module that loads itself on the first access to an attribute.

    Raises:
        ModuleNotFoundError: when there is no such module; that is found out at once.
    """
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
