"""Compares pictures of two runs: same_picture.py GOT WANT SHARE [FAR], the share of pixels that may differ by more than
FAR (3 of 255). A picture is an array of numpy or a file of any format."""

import sys

import numpy as np


def picture(path):
    if path.endswith(".npy"):
        return np.load(path).astype(int)
    from PIL import Image

    return np.asarray(Image.open(path).convert("RGB")).astype(int)


got, want = (picture(path) for path in sys.argv[1:3])
far = int(sys.argv[4]) if len(sys.argv) > 4 else 3
assert got.shape == want.shape, (got.shape, want.shape)
assert want.std() > 10, "nothing to see"
off = np.abs(got - want).max(2)
share = (off > far).mean()
assert share <= float(sys.argv[3]), (
    f"{share:.2%} of the pixels differ by more than {far}, in the mean by {off.mean():.2f}"
)
print(f"{1 - share:.2%} of {off.size} pixels")
