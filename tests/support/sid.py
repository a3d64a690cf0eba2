"""Read SID files, independently of the code that writes them."""

import re

import numpy as np


def read_sid(text):
    """Return the Taylor matrices of a SID file by name, as (constant, slopes); independent of the writer's code."""
    found, frames, stack = {}, [], []
    for line in text.splitlines()[1:]:
        words = line.strip()
        if words.startswith("new node"):
            frames.append({})
        elif re.fullmatch(r"[A-Za-z]+", words) and words not in ("part", "refmod", "frame"):
            stack = [words, {}]
        elif words.startswith("end ") and stack and words[4:] == stack[0]:
            (frames[-1] if stack[0] in ("origin", "phi", "psi", "AP", "sigma") else found)[stack[0]] = taylor(
                stack[1]
            )
            stack = []
        elif "=" in words and stack:
            key, value = words.split("=")
            stack[1][key.replace(" ", "")] = float(value)
    return found, frames


def taylor(entries):
    size = [int(entries[name]) for name in ("nrow", "ncol", "nq")]
    constant, slopes = np.zeros(size[:2]), np.zeros((size[0], size[2], size[1]))
    symmetric = entries["structure"] == 2
    for key, value in entries.items():
        at = [int(k) - 1 for k in re.findall(r"\d+", key)[1:]]
        if key.startswith("m0("):
            constant[at[0], at[1]] = value
            if symmetric:
                constant[at[1], at[0]] = value
        if key.startswith("m1("):
            slopes[tuple(at)] = value
            if symmetric:
                slopes[at[2], at[1], at[0]] = value
    return constant, slopes
