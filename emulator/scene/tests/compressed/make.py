"""Writes the files of this folder with the reference encoders: `pip install meshoptimizer alktx2 DracoPy numpy`."""

import alktx2
import DracoPy
import meshoptimizer
import numpy

COUNT = 300


def elements() -> numpy.ndarray:
    """Element `i` is i, 7 i, i * i and 65535 - i as 16-bit numbers; `compressed.rs` computes the same."""
    i = numpy.arange(COUNT, dtype=numpy.uint32)
    return numpy.stack([i, 7 * i, i * i, 65535 - i], axis=1).astype(numpy.uint16)


def triangles(side: int = 9) -> numpy.ndarray:
    """Two triangles for each cell of a grid."""
    corners = [(y * (side + 1) + x, side + 1) for y in range(side) for x in range(side)]
    return numpy.array([[a, a + 1, a + w, a + w, a + 1, a + w + 1] for a, w in corners], dtype=numpy.uint32).flatten()


def grid(side: int = 9) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Positions x, y, x y / 8, texture coordinates x / 8, y / 8, and triangles, as in `packed.rs`."""
    places = [(x, y) for y in range(side) for x in range(side)]
    positions = numpy.array([(x, y, x * y / 8) for x, y in places], dtype=numpy.float32)
    coordinates = numpy.array([(x / 8, y / 8) for x, y in places], dtype=numpy.float64)
    return positions, coordinates, triangles(side - 1).reshape(-1, 3)


def picture(width: int = 16, height: int = 12) -> bytes:
    """Red and green, blue and half transparent white, in quarters."""
    colors = [[(255, 0, 0, 255), (0, 255, 0, 255)], [(0, 0, 255, 255), (255, 255, 255, 128)]]
    return bytes(c for y in range(height) for x in range(width) for c in colors[2 * y // height][2 * x // width])


for version in (0, 1):
    meshoptimizer.encode_vertex_version(version)
    data = meshoptimizer.encode_vertex_buffer(elements(), COUNT, 8)
    open(f"attributes_{version}.bin", "wb").write(bytes(data))
meshoptimizer.encode_index_version(1)
list_of_triangles = triangles()
open("triangles.bin", "wb").write(
    bytes(meshoptimizer.encode_index_buffer(list_of_triangles, list_of_triangles.size, 100))
)
sequence = numpy.array([3 * i % 100 for i in range(COUNT)], dtype=numpy.uint32)
open("indices.bin", "wb").write(bytes(meshoptimizer.encode_index_sequence(sequence, COUNT, 100)))
positions, coordinates, faces = grid()
for level in (1, 10):
    bits = {"quantization_bits": 16, "tex_coord_quantization_bits": 12}
    made = DracoPy.encode(positions, faces, compression_level=level, tex_coord=coordinates, **bits)
    open(f"level_{level}.drc", "wb").write(made)
for codec in ("etc1s", "uastc"):
    options = {"zstd_supercompression_level": 9} if codec == "uastc" else {}
    made = alktx2.encode_raw_rgba_to_ktx2(picture(), 16, 12, codec=codec, quality=100, mipmaps=True, **options)
    open(f"{codec}.ktx2", "wb").write(made)
