#!/usr/bin/env python3
"""Writes glasses.glb and shingle.glb, two scenes for path tracing, beside this file or into the folder that is given.

Lengths are in metres and y points up. All randomness comes from fixed seeds.
"""

import json
import math
import pathlib
import random
import struct
import sys

FLOAT, U16, U32 = 5126, 5123, 5125


class Scene:
    """A glTF file in the making: its JSON and its buffer."""

    def __init__(self, extensions):
        self.bytes = bytearray()
        self.shapes = {}
        self.json = {
            "asset": {"version": "2.0", "generator": "make.py of Quadrille"},
            "extensionsUsed": sorted(extensions),
            "scene": 0,
            "scenes": [{"nodes": []}],
            "nodes": [],
            "meshes": [],
            "materials": [],
            "accessors": [],
            "bufferViews": [],
            "cameras": [],
        }

    def add(self, kind, value):
        self.json[kind].append(value)
        return len(self.json[kind]) - 1

    def accessor(self, component, kind, rows, bounds=False):
        code = {FLOAT: "f", U16: "H", U32: "I"}[component]
        flat = [x for row in rows for x in row]
        data = struct.pack(f"<{len(flat)}{code}", *flat)
        view = self.add("bufferViews", {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + bytes(-len(data) % 4)
        accessor = {"bufferView": view, "componentType": component, "count": len(rows), "type": kind}
        if bounds:
            columns = list(zip(*rows))
            single = [struct.unpack("<f", struct.pack("<f", x))[0] for c in columns for x in (min(c), max(c))]
            accessor |= {"min": single[0::2], "max": single[1::2]}
        return self.add("accessors", accessor)

    def material(self, name, color, roughness, metallic=0.0, emissive=None, **extensions):
        material = {
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [*color, 1],
                "metallicFactor": metallic,
                "roughnessFactor": roughness,
            },
        }
        if emissive:
            material["emissiveFactor"] = emissive
        if extensions:
            material["extensions"] = {f"KHR_materials_{name}": value for name, value in extensions.items()}
        return self.add("materials", material)

    def glass(self, name, roughness=0.0, ior=1.5, distance=None, color=(1, 1, 1)):
        volume = {"thicknessFactor": 0.01}
        if distance:
            volume |= {"attenuationDistance": distance, "attenuationColor": list(color)}
        return self.material(
            name, (1, 1, 1), roughness, transmission={"transmissionFactor": 1}, ior={"ior": ior}, volume=volume
        )

    def mesh(self, name, shape, material):
        # Meshes of one shape share its arrays.
        if id(shape) not in self.shapes:
            positions, normals, triangles = shape
            indices = [[i] for t in triangles for i in t]
            attributes = {
                "POSITION": self.accessor(FLOAT, "VEC3", positions, bounds=True),
                "NORMAL": self.accessor(FLOAT, "VEC3", normals),
            }
            component = U16 if len(positions) < 65536 else U32
            self.shapes[id(shape)] = (shape, attributes, self.accessor(component, "SCALAR", indices))
        _, attributes, indices = self.shapes[id(shape)]
        primitive = {"attributes": attributes, "indices": indices, "material": material}
        return self.add("meshes", {"name": name, "primitives": [primitive]})

    def node(self, **values):
        node = self.add("nodes", values)
        self.json["scenes"][0]["nodes"].append(node)

    def place(self, name, shape, material, at=(0, 0, 0)):
        self.node(name=name, mesh=self.mesh(name, shape, material), translation=list(at))

    def camera(self, eye, target, fov):
        camera = self.add("cameras", {"type": "perspective", "perspective": {"yfov": fov, "znear": 0.01}})
        back = unit(minus(eye, target))
        right = unit(cross((0, 1, 0), back))
        up = cross(back, right)
        columns = [*right, 0, *up, 0, *back, 0, *eye, 1]
        self.node(name="camera", camera=camera, matrix=columns)

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(self.bytes), 0x004E4942) + self.bytes
        path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(sum(x * x for x in a)) or 1.0
    return tuple(x / length for x in a)


def rectangle(width, depth):
    """A rectangle in the plane y = 0, seen from above."""
    x, z = width / 2, depth / 2
    return [(-x, 0, z), (x, 0, z), (x, 0, -z), (-x, 0, -z)], [(0, 1, 0)] * 4, [(0, 1, 2), (0, 2, 3)]


def smooth_normals(positions, triangles):
    sums = [[0.0, 0.0, 0.0] for _ in positions]
    for t in triangles:
        a, b, c = (positions[i] for i in t)
        normal = cross(minus(b, a), minus(c, a))
        for i in t:
            sums[i] = [x + y for x, y in zip(sums[i], normal)]
    return [unit(s) for s in sums]


def curve(points, steps):
    """A Catmull-Rom curve through points of the plane; a point that is given twice is a corner."""
    line = [points[0]]
    ends = [points[0], *points, points[-1]]
    for p, a, b, q in zip(ends, ends[1:], ends[2:], ends[3:]):
        if a == b:
            continue
        for i in range(1, steps + 1):
            t = i / steps
            weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2)
            line.append(tuple(sum(w * v[k] for w, v in zip(weights, (p, a, b, q))) / 2 for k in (0, 1)))
    return line


def turned(line, sides):
    """The surface of revolution of a line of (radius, height), which leads from the axis below to the axis above."""
    positions, triangles = [], []
    for radius, height in line:
        for i in range(sides):
            angle = 2 * math.pi * i / sides
            positions.append((max(radius, 0) * math.cos(angle), height, max(radius, 0) * math.sin(angle)))
    for row in range(len(line) - 1):
        for i in range(sides):
            a, b = row * sides + i, row * sides + (i + 1) % sides
            triangles += [(a, a + sides, b), (b, a + sides, b + sides)]
    triangles = [t for t in triangles if len({positions[i] for i in t}) == 3]
    normals = smooth_normals(positions, triangles)
    for row, (radius, _) in enumerate(line):
        if radius <= 1e-9:
            up = 1.0 if sum(normals[row * sides + i][1] for i in range(sides)) > 0 else -1.0
            normals[row * sides : (row + 1) * sides] = [(0.0, up, 0.0)] * sides
    return positions, normals, triangles


def ball(radius, sides, rings):
    line = [(radius * math.sin(math.pi * i / rings), -radius * math.cos(math.pi * i / rings)) for i in range(rings + 1)]
    line[0], line[-1] = (0.0, -radius), (0.0, radius)
    return turned(line, sides)


def ring(radius, tube, height, sides, steps):
    """A ring that stands on the plane y = 0, flattened like a wedding ring."""
    positions, normals, triangles = [], [], []
    for i in range(sides):
        a = 2 * math.pi * i / sides
        for j in range(steps):
            b = 2 * math.pi * j / steps
            r, y = radius + tube * math.cos(b), height / 2 * (1 + math.sin(b))
            n = unit((math.cos(b) * height / 2, math.sin(b) * tube, 0))
            positions.append((r * math.cos(a), y, r * math.sin(a)))
            normals.append((n[0] * math.cos(a), n[1], n[0] * math.sin(a)))
            at = [(i + di) % sides * steps + (j + dj) % steps for di, dj in ((0, 0), (0, 1), (1, 0), (1, 1))]
            triangles += [(at[0], at[1], at[2]), (at[2], at[1], at[3])]
    return positions, normals, triangles


def glasses():
    """Glass and a ring of gold on a table; one small lamp throws their caustics towards the camera."""
    scene = Scene(f"KHR_materials_{x}" for x in ("emissive_strength", "ior", "specular", "transmission", "volume"))
    matt = {"specular": {"specularFactor": 0}}
    table = scene.material("table", (0.42, 0.41, 0.4), 1.0, **matt)
    scene.place("table", rectangle(4, 4), table)
    lamp = scene.material(
        "lamp", (0, 0, 0), 1.0, emissive=[1, 0.84, 0.62], emissive_strength={"emissiveStrength": 40}, **matt
    )
    scene.place("lamp", ball(0.1, 32, 16), lamp, (-0.42, 0.3, -0.34))
    fill = scene.material("fill", (0, 0, 0), 1.0, emissive=[0.72, 0.86, 1], **matt)
    corners, _, _ = rectangle(1.2, 1.2)
    scene.place("fill", (corners, [(0, -1, 0)] * 4, [(0, 2, 1), (0, 3, 2)]), fill, (0.5, 1.3, 0.7))
    clear = scene.glass("crystal")
    stem = [(0, 0), (0.036, 0), (0.038, 0.0015), (0.036, 0.003), (0.012, 0.0065), (0.0045, 0.016), (0.0036, 0.045)]
    outside = [(0.0042, 0.078), (0.011, 0.0905), (0.031, 0.108), (0.0405, 0.136), (0.0385, 0.166), (0.0335, 0.192)]
    inside = [
        (0.033, 0.1926),
        (0.0325, 0.192),
        (0.0374, 0.166),
        (0.0393, 0.136),
        (0.0298, 0.1095),
        (0.01, 0.0935),
        (0, 0.092),
    ]
    scene.place("wine glass", turned(curve(stem + outside + inside, 5), 80), clear, (-0.075, 0.0004, -0.02))
    amber = scene.glass("amber", distance=0.012, color=(0.95, 0.55, 0.16))
    walls = [
        (0, 0),
        (0.029, 0),
        (0.029, 0),
        (0.0325, 0.003),
        (0.036, 0.085),
        (0.0352, 0.087),
        (0.0344, 0.085),
        (0.0305, 0.014),
        (0.027, 0.011),
        (0, 0.0105),
    ]
    scene.place("tumbler", turned(curve(walls, 6), 80), amber, (0.072, 0.0004, -0.085))
    blue = scene.glass("cobalt", distance=0.03, color=(0.2, 0.4, 0.95))
    scene.place("ball", ball(0.026, 80, 40), blue, (0.012, 0.0264, 0.068))
    gold = scene.material("gold", (1.0, 0.71, 0.29), 0.12, metallic=1.0)
    scene.place("ring", ring(0.0215, 0.0012, 0.009, 120, 16), gold, (0.092, 0.0002, 0.045))
    scene.camera((0.2, 0.33, 0.66), (0.016, 0.072, 0.012), 0.38)
    return scene


def split(points, triangles):
    """Four triangles in the place of each; adds their vertices to the points of the sphere."""
    middles, finer = {}, []

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in middles:
            points.append(unit(tuple(x + y for x, y in zip(points[a], points[b]))))
            middles[key] = len(points) - 1
        return middles[key]

    for a, b, c in triangles:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    return finer


def icosphere(splits):
    g = (1 + math.sqrt(5)) / 2
    points = [
        unit(p)
        for p in [
            (-1, g, 0),
            (1, g, 0),
            (-1, -g, 0),
            (1, -g, 0),
            (0, -1, g),
            (0, 1, g),
            (0, -1, -g),
            (0, 1, -g),
            (g, 0, -1),
            (g, 0, 1),
            (-g, 0, -1),
            (-g, 0, 1),
        ]
    ]
    triangles = [
        (0, 11, 5),
        (0, 5, 1),
        (0, 1, 7),
        (0, 7, 10),
        (0, 10, 11),
        (1, 5, 9),
        (5, 11, 4),
        (11, 10, 2),
        (10, 7, 6),
        (7, 1, 8),
        (3, 9, 4),
        (3, 4, 2),
        (3, 2, 6),
        (3, 6, 8),
        (3, 8, 9),
        (4, 9, 5),
        (2, 4, 11),
        (6, 2, 10),
        (8, 6, 7),
        (9, 8, 1),
    ]
    for _ in range(splits):
        triangles = split(points, triangles)
    return points, triangles


def pebble(dice, sphere):
    """An ellipsoid with dents, of radius 1 in its largest direction."""
    points, triangles = sphere
    axes = (1.0, dice.uniform(0.42, 0.66), dice.uniform(0.7, 0.92))
    waves = [
        ([dice.gauss(0, 1.6) for _ in range(3)], dice.uniform(0, 6.28), dice.uniform(0.02, 0.06)) for _ in range(7)
    ]
    positions = []
    for p in points:
        radius = 1 + sum(a * math.sin(sum(x * k for x, k in zip(p, ks)) + phase) for ks, phase, a in waves)
        positions.append(tuple(x * a * radius for x, a in zip(p, axes)))
    return positions, smooth_normals(positions, triangles), triangles


def turn(dice, tilt):
    """A quaternion: any turn around y, then a tilt."""
    yaw, lean, way = dice.uniform(0, 2 * math.pi), dice.gauss(0, tilt), dice.uniform(0, 2 * math.pi)
    y, w = math.sin(yaw / 2), math.cos(yaw / 2)
    s, c = math.sin(lean / 2), math.cos(lean / 2)
    x2, z2 = s * math.cos(way), s * math.sin(way)
    return (x2 * w - z2 * y, c * y, z2 * w + x2 * y, c * w)


def shingle():
    """A stack of stones on a beach of some thousand pebbles."""
    dice = random.Random(20)
    scene = Scene(
        [
            "EXT_mesh_gpu_instancing",
            "KHR_materials_clearcoat",
            "KHR_materials_ior",
            "KHR_materials_transmission",
            "KHR_materials_volume",
        ]
    )
    scene.json["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    materials = [
        scene.material("granite", (0.34, 0.32, 0.3), 0.7),
        scene.material("slate", (0.09, 0.105, 0.125), 0.5),
        scene.material("quartz", (0.72, 0.69, 0.63), 0.45),
        scene.material("jasper", (0.33, 0.12, 0.075), 0.5),
        scene.material("sandstone", (0.52, 0.4, 0.27), 0.85),
        scene.material(
            "wet basalt", (0.035, 0.04, 0.045), 0.6, clearcoat={"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.08}
        ),
        scene.glass("sea glass", roughness=0.25, distance=0.012, color=(0.35, 0.8, 0.6)),
    ]
    sand = scene.material("sand", (0.22, 0.18, 0.14), 0.95)
    scene.place("sand", rectangle(60, 18), sand, (0, -0.03, 1))
    sphere = icosphere(3)
    shapes = [pebble(dice, sphere) for _ in range(12)]
    parts = [(shape, i % 7) for i, shape in enumerate(shapes)] + [(shapes[11 - i], (i + 3) % 6) for i in range(9)]
    rows = [([], [], []) for _ in parts]
    for _ in range(9000):
        # Denser near the camera, which looks along -z.
        away = 0.02 + 6.5 * dice.random() ** 1.7
        side = (dice.random() * 2 - 1) * (0.45 + 0.72 * away)
        size = dice.lognormvariate(-3.55, 0.42) * (1 + 0.12 * away)
        part = dice.randrange(len(parts))
        if parts[part][1] == 6:
            size *= 0.7
        at = (side, size * dice.uniform(-0.25, 0.3), 0.95 - away)
        if math.hypot(at[0], at[2]) < 0.1 + size:
            continue
        for row, value in zip(rows[part], (at, turn(dice, 0.22), (size,) * 3)):
            row.append(value)
    for i, ((shape, material), (translations, rotations, scales)) in enumerate(zip(parts, rows)):
        attributes = {
            "TRANSLATION": scene.accessor(FLOAT, "VEC3", translations),
            "ROTATION": scene.accessor(FLOAT, "VEC4", rotations),
            "SCALE": scene.accessor(FLOAT, "VEC3", scales),
        }
        mesh = scene.mesh(f"pebbles {i}", shape, materials[material])
        scene.node(name=f"pebbles {i}", mesh=mesh, extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    # The stack: each stone rests on the one below.
    height = -0.015
    fine = icosphere(4)
    for size, material in zip((0.15, 0.125, 0.1, 0.086, 0.062, 0.047, 0.03), (0, 4, 1, 2, 3, 0, 6)):
        positions, normals, triangles = pebble(dice, fine)
        top, bottom = max(p[1] for p in positions), min(p[1] for p in positions)
        lift = height - bottom * size * 0.97
        shape = ([tuple(x * size for x in p) for p in positions], normals, triangles)
        scene.place(
            f"stone {size}",
            shape,
            materials[material],
            (dice.uniform(-0.008, 0.008), lift, dice.uniform(-0.008, 0.008)),
        )
        height = lift + top * size * 0.97
    scene.camera((0.27, 0.3, 1.5), (0.1, 0.31, 0.0), 0.5)
    return scene


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    if not folder.is_dir():
        sys.exit(f"{folder} is not a folder")
    for make in (glasses, shingle):
        make().write(folder / f"{make.__name__}.glb")


if __name__ == "__main__":
    main()
