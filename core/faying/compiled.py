"""Kernels: loops over numbers that numba compiles to machine code, each written once.

A kernel is a function decorated with ``@compiled``. Importing and naming it costs nothing: numba, which takes a second
to load, and the machine code are loaded when a kernel is called for the first time. Kernels call each other by name.

Without numba, a kernel runs as Python code, slower. Where that is too slow, over the elements of a mesh or the pairs
of a joint, it names a twin in NumPy: ``@compiled(plain=twin)``. The tests run every kernel both ways.

Whoever runs Faying for the first time waits for the compiler: 0.2 s for a small kernel, again in each kernel that
calls it, and several times as long for one that multiplies or sums small arrays as such, slices them or broadcasts.
Loops over single numbers compile fast, as do arrays that the caller has allocated. What is called rarely belongs in
NumPy, for a whole stack at once.

Machine code is cached next to the source files, or in the user's cache folder where they are read-only, under a digest
of the kernel, all kernels that it calls and the constants in them, so that no outdated machine code runs. The settings
file of the current folder has no influence on the place (see `faying.foreign_settings`).
"""

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from hashlib import blake2b
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from faying.foreign_settings import without_settings_of_the_folder

P = ParamSpec("P")
R = TypeVar("R")
# LLVM's fast-math flags: sums may be reordered to use vector instructions; infinities and NaN keep their meaning.
_REORDER = {"reassoc", "contract", "nsz"}

all_kernels: "dict[str, Kernel[Any, Any]]" = {}
"""Every kernel of the modules that were imported, by module and name."""


class Kernel(Generic[P, R]):
    """A function that is compiled to machine code where numba is available.

    Attributes:
        source: the Python function.
        plain: the function to run without numba: `source`, or its twin.
        run: the function that a call runs; chosen by the first call.

    Args:
        source, plain: see above.
        signature: numba signature, for one compilation that accepts writeable and read-only arrays; "" compiles for
            each combination of argument types.
        reorder: whether sums may be taken in another order.
        nogil: whether the GIL is released, so that other threads run meanwhile.
    """

    def __init__(
        self, source: Callable[P, R], plain: Callable[P, R] | None, signature: str, reorder: bool, nogil: bool
    ) -> None:
        self.source, self.plain = source, plain or source
        self._signature, self._reorder, self._nogil = signature, reorder, nogil
        self.name = f"{source.__module__}.{source.__name__}"
        self.__doc__ = source.__doc__
        self.run: Callable[P, R] = self._first_run
        all_kernels[self.name] = self

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what the function returns."""
        return self.run(*args, **kwargs)

    @cached_property
    def machine(self) -> Callable[P, R] | None:
        """The machine code; None without numba, or without a folder to keep the code in."""
        numba = _numba()
        if numba is None:
            return None
        function = cast(FunctionType, self.source)
        # Numba's cache checks only the function's own file and would miss changes of the kernels that it calls, so
        # the machine code is cached under a name that includes the digest.
        function.__qualname__ = f"{function.__name__}_{self._digest()}"
        try:
            return cast(
                Callable[P, R],
                numba.njit(
                    *([self._signature] if self._signature else []),
                    cache=True, nogil=self._nogil, error_model="numpy",
                    no_cfunc_wrapper=True,  # nobody calls from C, and it takes a twentieth of the compiler's time
                    fastmath=_REORDER if self._reorder else False,
                )(function),
            )  # fmt: skip
        except RuntimeError:
            return None

    @property
    def _numba_type_(self) -> Any:
        """The numba type of the kernel when another kernel calls it: that of its machine code."""
        return cast(Any, self.machine)._numba_type_

    def _first_run(self, *args: P.args, **kwargs: P.kwargs) -> R:
        self.run = self.machine or self.plain
        return self.run(*args, **kwargs)

    def _digest(self) -> str:
        """Return a short digest of everything that is compiled into the machine code."""
        digest = blake2b(digest_size=6)
        for kernel in sorted(self._reached({}), key=lambda kernel: kernel.name):
            function = cast(FunctionType, kernel.source)
            constants = sorted((name, repr(value)) for name, value in _named(function) if _is_constant(value))
            words = _words(function.__code__, function.__doc__)
            options = kernel._signature, kernel._reorder, kernel._nogil
            digest.update(repr((kernel.name, words, constants, options)).encode())
        return digest.hexdigest()

    def _reached(self, seen: "dict[str, Kernel[Any, Any]]") -> "list[Kernel[Any, Any]]":
        """Return the kernel and all kernels that it calls."""
        if self.name not in seen:
            seen[self.name] = self
            for _, value in _named(cast(FunctionType, self.source)):
                if isinstance(value, Kernel):
                    value._reached(seen)
        return list(seen.values())


# A call goes straight to `run`: a forwarding method would take a third of a small kernel's time.
Kernel.__call__ = property(attrgetter("run"))  # type: ignore[assignment, method-assign]


class _Decorator(Protocol):
    def __call__(self, function: Callable[P, R], /) -> Kernel[P, R]:
        """Return the kernel of a function."""


@overload
def compiled(function: Callable[P, R]) -> Kernel[P, R]: ...


@overload
def compiled(
    *, plain: Callable[P, R], signature: str = "", reorder: bool = True, nogil: bool = False
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...


@overload
def compiled(*, signature: str = "", reorder: bool = True, nogil: bool = False) -> "_Decorator": ...


def compiled(
    function: Any = None,
    *,
    plain: Any = None,
    signature: str = "",
    reorder: bool = True,
    nogil: bool = False,
) -> Any:
    """Return a kernel of a function, or a decorator that does; for arguments see `Kernel`."""
    if function is not None:
        return Kernel(function, plain, signature, reorder, nogil)
    return lambda own: Kernel(own, plain, signature, reorder, nogil)


@cache
def _numba() -> ModuleType | None:
    try:
        with without_settings_of_the_folder():
            import numba
    except ImportError:
        return None
    # numba checks the folder for every function that it compiles.
    numba.core.config._config_fname = ""
    return numba


def _named(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the module's names that a function uses, with their values."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _is_constant(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str, tuple))


def _words(code: CodeType, docstring: str | None) -> tuple[Any, ...]:
    """Return byte code, constants and names of a function, without its docstring."""
    constants = [
        _words(value, None) if isinstance(value, CodeType) else value
        for value in code.co_consts
        if docstring is None or value != docstring
    ]
    return code.co_code, constants, code.co_names, code.co_varnames
