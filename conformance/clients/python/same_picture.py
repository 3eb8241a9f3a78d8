"""Compares pictures of two runs: same_picture.py GOT.npy WANT.npy SHARE, the share of pixels that may differ."""

import sys

import numpy as np

got, want = (np.load(path).astype(int) for path in sys.argv[1:3])
assert got.shape == want.shape, (got.shape, want.shape)
assert want.std() > 10, "nothing to see"
off = np.abs(got - want).max(2)
share = (off > 3).mean()
assert share <= float(sys.argv[3]), f"{share:.2%} of the pixels differ by more than 3, in the mean by {off.mean():.2f}"
print(f"{1 - share:.2%} of {off.size} pixels")
