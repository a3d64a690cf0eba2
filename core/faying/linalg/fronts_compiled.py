"""Compiled kernels of the multifrontal Cholesky factor; `faying.linalg.multifrontal` alone imports this.

Dense arithmetic is SciPy's BLAS and LAPACK, called by address: their addresses are arguments (`routines`), so
that compiled code can be kept on disk between runs. Everything runs without the interpreter's lock.

A front of a supernode has its `columns` first, then the rows below (`rows`, ascending). Its panel, column-major
with all rows of the front, is a part of the factor; what is left of its other columns is its update matrix,
which the parent's front takes in.
"""

# mypy: ignore-errors
# (numba finds the types itself; written out they would have to be those of its arrays)

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_compiled = numba.njit(cache=True, nogil=True, error_model="numpy")


@intrinsic
def _call(typing, address, arguments):
    """Call the routine at an address, with pointers given as integers."""

    def generate(context, builder, signature, values):
        pointers = cgutils.unpack_tuple(builder, values[1])
        routine = ir.FunctionType(ir.VoidType(), [pointer.type for pointer in pointers])
        builder.call(builder.inttoptr(values[0], routine.as_pointer()), pointers)
        return context.get_dummy_value()

    return types.void(address, arguments), generate


_NUMBERS = 4  # sizes that a call may name
# Lower triangle, not transposed, transposed, from the right.
_LETTERS = np.frombuffer(b"LNTR", dtype=np.uint8).copy()
_L, _N, _T, _R = range(4)
_CONSTANTS = np.array([1.0, 0.0, -1.0])


@_compiled
def elimination_tree(indptr, indices, order, place):
    """Return (m,) the parent of each vertex in the order of elimination, -1 for roots (Liu 1986)."""
    m = len(order)
    parent, ancestor = np.full(m, -1, np.int64), np.full(m, -1, np.int64)
    for j in range(m):
        for p in range(indptr[order[j]], indptr[order[j] + 1]):
            i = place[indices[p]]
            while i < j:
                following = ancestor[i]
                ancestor[i] = j
                if following == -1:
                    parent[i] = j
                    break
                i = following
    return parent


@_compiled
def postorder(parent):
    """Return (m,) the vertices, children before their parent and each subtree in one piece."""
    m = len(parent)
    first, following = np.full(m, -1, np.int64), np.full(m, -1, np.int64)
    for j in range(m - 1, -1, -1):
        if parent[j] >= 0:
            following[j] = first[parent[j]]
            first[parent[j]] = j
    order, stack, done = np.empty(m, np.int64), np.empty(m, np.int64), 0
    for root in range(m):
        if parent[root] >= 0:
            continue
        stack[0], size = root, 1
        while size:
            j = stack[size - 1]
            if first[j] >= 0:
                stack[size] = first[j]
                size += 1
                first[j] = following[first[j]]
            else:
                order[done] = j
                done += 1
                size -= 1
    return order


@_compiled
def column_counts(indptr, indices, order, place, parent, weights):
    """Return for each vertex how many vertices its column of the factor has below it, and their dofs."""
    m = len(order)
    vertices, dofs, seen = np.zeros(m, np.int64), np.zeros(m, np.int64), np.full(m, -1, np.int64)
    for i in range(m):
        seen[i] = i
        for p in range(indptr[order[i]], indptr[order[i] + 1]):
            k = place[indices[p]]
            if k > i:
                continue
            while seen[k] != i:
                seen[k] = i
                vertices[k] += 1
                dofs[k] += weights[i]
                k = parent[k]
    return vertices, dofs


@_compiled
def relaxed_supernodes(parent, below, weights):
    """Return (s + 1,) first vertices of supernodes: columns of the factor that are stored as one dense block.

    Those of equal structure belong together; a small one joins its parent when that adds few zeros (Ashcraft
    and Grimes 1989), for wide blocks are faster.
    """
    m = len(parent)
    starts, zeros, count = np.empty(m + 1, np.int64), np.zeros(m + 1), 0
    width, under = np.zeros(m + 1), np.zeros(m + 1)  # dofs of each supernode's columns and rows below
    for j in range(m):
        starts[count], zeros[count] = j, 0.0
        width[count], under[count] = weights[j], below[j]
        count += 1
        while count > 1 and starts[count - 2] < j:
            # The one before ends where this one begins; only its parent can take it in.
            last = starts[count - 1] - 1
            if parent[last] < starts[count - 1] or parent[last] > j:
                break
            w = width[count - 2] + width[count - 1]
            added = width[count - 2] * (width[count - 1] + under[count - 1] - under[count - 2])
            empty = zeros[count - 2] + zeros[count - 1] + added
            share = empty / (w * (0.5 * (w + 1.0) + under[count - 1]))
            if not (
                added == 0.0
                or w <= 12
                or (w <= 32 and share < 0.5)
                or (w <= 96 and share < 0.15)
                or share < 0.05
            ):
                break
            count -= 1
            width[count - 1], under[count - 1], zeros[count - 1] = w, under[count], empty
    starts[count] = m
    return starts[: count + 1].copy()


@_compiled
def structures(indptr, indices, order, place, starts, parents, row_starts):
    """Return the vertices below each supernode, ascending; row_starts (s + 1,) says where they begin."""
    count = len(starts) - 1
    rows, seen = np.empty(row_starts[count], np.int64), np.full(len(order), -1, np.int64)
    first, following = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    for s in range(count - 1, -1, -1):
        if parents[s] >= 0:
            following[s] = first[parents[s]]
            first[parents[s]] = s
    for s in range(count):
        size, end = row_starts[s], starts[s + 1]
        for j in range(starts[s], end):
            for p in range(indptr[order[j]], indptr[order[j] + 1]):
                i = place[indices[p]]
                if i >= end and seen[i] != s:
                    seen[i] = s
                    rows[size] = i
                    size += 1
        child = first[s]
        while child >= 0:
            for p in range(row_starts[child], row_starts[child + 1]):
                i = rows[p]
                if i >= end and seen[i] != s:
                    seen[i] = s
                    rows[size] = i
                    size += 1
            child = following[child]
        rows[row_starts[s] : size].sort()
    return rows


@_compiled
def _assemble(s, columns, row_starts, rows, panel_starts, panels, matrix, places):
    """Put the matrix into an empty front and note where each of its rows stands there."""
    indptr, indices, entries, order, inverse = matrix
    start, end = columns[s], columns[s + 1]
    wide, base = end - start, panel_starts[s]
    high = wide + row_starts[s + 1] - row_starts[s]
    panels[base : base + wide * high] = 0.0
    for k in range(row_starts[s], row_starts[s + 1]):
        places[rows[k]] = wide + k - row_starts[s]
    for j in range(start, end):
        at = base + (j - start) * high
        old = order[j]
        for p in range(indptr[old], indptr[old + 1]):
            i = inverse[indices[p]]
            if i >= end:
                panels[at + places[i]] = entries[p]
            elif i >= j:
                panels[at + i - start] = entries[p]


@_compiled
def _take_in(s, child, columns, row_starts, rows, panel_starts, panels, update, theirs, places):
    """Add a child's update matrix `theirs` to a front: its panel and its update matrix (extend-add)."""
    start, end = columns[s], columns[s + 1]
    wide, base, low = end - start, panel_starts[s], row_starts[s + 1] - row_starts[s]
    high, begin = wide + low, row_starts[child]
    size = row_starts[child + 1] - begin
    there = np.empty(size, np.int64)
    inside = 0
    for k in range(size):
        i = rows[begin + k]
        if i < end:
            there[k] = i - start
            inside += 1
        else:
            there[k] = places[i]
    for j in range(inside):
        at, source = base + there[j] * high, j * size
        for i in range(j, size):
            panels[at + there[i]] += theirs[source + i]
    for j in range(inside, size):
        at, source = (there[j] - wide) * low - wide, j * size
        for i in range(j, size):
            update[at + there[i]] += theirs[source + i]


@_compiled
def _eliminate(s, columns, row_starts, panel_starts, panels, update, routines, numbers):
    """Factor the front's columns and take their part off its update matrix; return LAPACK's info."""
    wide, low = columns[s + 1] - columns[s], row_starts[s + 1] - row_starts[s]
    potrf, trsm, syrk, _ = routines
    letters, constants, sizes = _LETTERS.ctypes.data, _CONSTANTS.ctypes.data, numbers.ctypes.data
    numbers[0], numbers[1], numbers[2], numbers[3] = wide, low, wide + low, 0
    corner = panels.ctypes.data + 8 * panel_starts[s]
    _call(potrf, (letters + _L, sizes, corner, sizes + 8, sizes + 12))
    if numbers[3] or not low:
        return numbers[3]
    beneath = corner + 8 * wide
    _call(
        trsm,
        (letters + _R, letters + _L, letters + _T, letters + _N, sizes + 4, sizes, constants,
         corner, sizes + 8, beneath, sizes + 8),
    )  # fmt: skip
    _call(
        syrk,
        (letters + _L, letters + _N, sizes + 4, sizes, constants + 16, beneath, sizes + 8, constants,
         update.ctypes.data, sizes + 4),
    )  # fmt: skip
    return 0


@_compiled
def factor_front(
    s, children, theirs, columns, row_starts, rows, panel_starts, panels, matrix, places, routines
):
    """Return (update matrix, info) of one front from its children's update matrices `theirs`, one after another."""
    low = row_starts[s + 1] - row_starts[s]
    numbers = np.zeros(_NUMBERS, np.int32)
    update = np.zeros(low * low)
    _assemble(s, columns, row_starts, rows, panel_starts, panels, matrix, places)
    at = 0
    for child in children:
        size = (row_starts[child + 1] - row_starts[child]) ** 2
        _take_in(
            s, child, columns, row_starts, rows, panel_starts, panels, update, theirs[at : at + size], places
        )
        at += size
    return update, _eliminate(s, columns, row_starts, panel_starts, panels, update, routines, numbers)


@_compiled
def factor_subtree(
    first, root, parents, columns, row_starts, rows, panel_starts, panels, matrix, routines, most
):
    """Return (update matrix of the root, info) of the subtree of supernodes first … root.

    Update matrices wait on a stack of `most` numbers for their parent: in postorder those of a supernode's
    children lie on top.
    """
    places, numbers = np.empty(columns[-1], np.int32), np.zeros(_NUMBERS, np.int32)
    stack, waiting, top, count = np.empty(most), np.empty(root - first + 1, np.int64), 0, 0
    for s in range(first, root + 1):
        low = row_starts[s + 1] - row_starts[s]
        _assemble(s, columns, row_starts, rows, panel_starts, panels, matrix, places)
        update = stack[top : top + low * low]
        update[:] = 0.0
        lowest = top
        while count and parents[waiting[count - 1]] == s:
            count -= 1
            child = waiting[count]
            lowest -= (row_starts[child + 1] - row_starts[child]) ** 2
            _take_in(
                s, child, columns, row_starts, rows, panel_starts, panels, update, stack[lowest:], places
            )
        info = _eliminate(s, columns, row_starts, panel_starts, panels, update, routines, numbers)
        if info:
            return np.empty(0), info
        for k in range(low * low):  # down to where the children were
            stack[lowest + k] = stack[top + k]
        top, waiting[count] = lowest + low * low, s
        count += 1
    return stack[:top].copy(), 0


@_compiled
def subtree_stack(first, root, parents, row_starts):
    """Return how many numbers the stack of `factor_subtree` needs."""
    waiting, top, count, most = np.empty(root - first + 1, np.int64), 0, 0, 0
    for s in range(first, root + 1):
        size = (row_starts[s + 1] - row_starts[s]) ** 2
        most = max(most, top + size)
        while count and parents[waiting[count - 1]] == s:
            count -= 1
            top -= (row_starts[waiting[count] + 1] - row_starts[waiting[count]]) ** 2
        top += size
        waiting[count] = s
        count += 1
    return most


@_compiled
def forward(first, root, columns, row_starts, rows, panel_starts, panels, x, above, shelves, routines):
    """Solve L y = x for the columns of supernodes first … root, in place; x (n, k), row-major.

    What they take off rows above the root goes to rows shelves[row] of `above` instead of x, for other threads
    may work on these; into x itself when `above` is empty.
    """
    _, trsm, _, gemm = routines
    k, end, apart = x.shape[1], columns[root + 1], len(above) > 0
    numbers = np.zeros(_NUMBERS, np.int32)
    letters, constants, sizes = _LETTERS.ctypes.data, _CONSTANTS.ctypes.data, numbers.ctypes.data
    most = 0
    for s in range(first, root + 1):
        most = max(most, row_starts[s + 1] - row_starts[s])
    taken = np.empty((most, k))
    numbers[3] = k
    for s in range(first, root + 1):
        start, wide, low = columns[s], columns[s + 1] - columns[s], row_starts[s + 1] - row_starts[s]
        numbers[0], numbers[1], numbers[2] = wide, low, wide + low
        corner, own = panels.ctypes.data + 8 * panel_starts[s], x.ctypes.data + 8 * start * k
        _call(
            trsm,
            (letters + _R, letters + _L, letters + _T, letters + _N, sizes + 12, sizes, constants,
             corner, sizes + 8, own, sizes + 12),
        )  # fmt: skip
        if not low:
            continue
        _call(
            gemm,
            (letters + _N, letters + _T, sizes + 12, sizes + 4, sizes, constants, own, sizes + 12,
             corner + 8 * wide, sizes + 8, constants + 8, taken.ctypes.data, sizes + 12),
        )  # fmt: skip
        for r in range(low):
            i = rows[row_starts[s] + r]
            if apart and i >= end:
                for c in range(k):
                    above[shelves[i], c] -= taken[r, c]
            else:
                for c in range(k):
                    x[i, c] -= taken[r, c]


@_compiled
def backward(first, root, columns, row_starts, rows, panel_starts, panels, x, routines):
    """Solve Lᵀ y = x for the columns of supernodes root … first, in place; x (n, k), row-major."""
    _, trsm, _, gemm = routines
    k = x.shape[1]
    numbers = np.zeros(_NUMBERS, np.int32)
    letters, constants, sizes = _LETTERS.ctypes.data, _CONSTANTS.ctypes.data, numbers.ctypes.data
    most = 0
    for s in range(first, root + 1):
        most = max(most, row_starts[s + 1] - row_starts[s])
    known = np.empty((most, k))
    numbers[3] = k
    for s in range(root, first - 1, -1):
        start, wide, low = columns[s], columns[s + 1] - columns[s], row_starts[s + 1] - row_starts[s]
        numbers[0], numbers[1], numbers[2] = wide, low, wide + low
        corner, own = panels.ctypes.data + 8 * panel_starts[s], x.ctypes.data + 8 * start * k
        if low:
            for r in range(low):
                i = rows[row_starts[s] + r]
                for c in range(k):
                    known[r, c] = x[i, c]
            _call(
                gemm,
                (letters + _N, letters + _N, sizes + 12, sizes, sizes + 4, constants + 16, known.ctypes.data,
                 sizes + 12, corner + 8 * wide, sizes + 8, constants, own, sizes + 12),
            )  # fmt: skip
        _call(
            trsm,
            (letters + _R, letters + _L, letters + _N, letters + _N, sizes + 12, sizes, constants,
             corner, sizes + 8, own, sizes + 12),
        )  # fmt: skip
