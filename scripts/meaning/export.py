"""Writes trained tables, averaged, in the form that pack.ts reads.

    python3 export.py VOCAB FOLDER NAME.npz...

All trainings start from the same turned table, so their rows can be averaged. The 4-bit levels
are spread over the bytes (level x 18): rounding to 4 bits again gives exactly these levels.
"""
import os
import shutil
import sys

import numpy as np

from evaluate import four_bits

STEP = 18


def read(source):
    data = np.load(source)
    table = data["levels"].astype(np.float32) * data["scale"].astype(np.float32).reshape(-1, 1)
    return table / np.linalg.norm(table, axis=1).mean()


def main(vocabulary, folder, *sources):
    table = four_bits(sum(read(s) for s in sources))
    # Lengths do not matter to a cosine: the longest row gets length 1, so that half floats hold every scale.
    table /= np.linalg.norm(table, axis=1).max()
    scale = np.abs(table).max(1) / 7
    levels = np.round(table / np.maximum(scale, 1e-12)[:, None]).astype(np.int16)
    os.makedirs(folder, exist_ok=True)
    (levels * STEP).astype(np.int8).tofile(f"{folder}/table-256.i8")
    (scale / STEP).astype("<f2").tofile(f"{folder}/scales.f16")
    shutil.copyfile(vocabulary, f"{folder}/vocab.txt")
    error = np.abs(levels * scale[:, None] - table).max()
    print(len(levels), "rows, largest error of a value", error, "smallest scale above 0", scale[scale > 0].min() / STEP)


if __name__ == "__main__":
    main(*sys.argv[1:])
