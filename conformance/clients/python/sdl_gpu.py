"""Draws the same picture with SDL's renderer over its GPU API and with its software renderer, and compares them.

The picture has rectangles, a blended rectangle, a triangle with a colour per corner, and a texture that is enlarged
without filtering. Only the standard library is used, so that any Python can run it with any libSDL3.
"""

import ctypes
import os
import sys

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
os.environ["SDL_GPU_DRIVER"] = "vulkan"
DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
SIZE = 128
INIT_VIDEO, RGBA32, STATIC, NEAREST, BLEND = 0x20, 0x16762004, 0, 0, 1

sdl = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libSDL3.so.0")
POINTERS = "CreateWindow CreateRenderer RenderReadPixels ConvertSurface CreateTexture GetPointerProperty"
for name in POINTERS.split():
    getattr(sdl, "SDL_" + name).restype = ctypes.c_void_p
for name in ("GetError", "GetStringProperty"):
    getattr(sdl, "SDL_" + name).restype = ctypes.c_char_p
for name in (
    "Init",
    "RenderClear",
    "RenderFillRect",
    "RenderGeometry",
    "RenderTexture",
    "UpdateTexture",
    "RenderPresent",
):
    getattr(sdl, "SDL_" + name).restype = ctypes.c_bool


class FRect(ctypes.Structure):
    _fields_ = [(name, ctypes.c_float) for name in "xywh"]


class Vertex(ctypes.Structure):
    _fields_ = [("at", ctypes.c_float * 2), ("colour", ctypes.c_float * 4), ("texture", ctypes.c_float * 2)]


class Surface(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint32), ("format", ctypes.c_uint32)]
    _fields_ += [(name, ctypes.c_int) for name in ("w", "h", "pitch")] + [("pixels", ctypes.c_void_p)]


def pointer(value):
    return ctypes.c_void_p(value)


def done(result):
    assert result, sdl.SDL_GetError().decode()
    return result


def fill(renderer, colour, *rect):
    done(sdl.SDL_SetRenderDrawColor(renderer, *colour))
    done(sdl.SDL_RenderFillRect(renderer, ctypes.byref(FRect(*rect))))


def draw(renderer):
    done(sdl.SDL_SetRenderDrawColor(renderer, 20, 30, 60, 255))
    done(sdl.SDL_RenderClear(renderer))
    fill(renderer, (200, 40, 10, 255), 8, 8, 40, 24)
    fill(renderer, (10, 180, 90, 255), 30, 20, 40, 24)
    done(sdl.SDL_SetRenderDrawBlendMode(renderer, BLEND))
    fill(renderer, (250, 250, 20, 128), 20, 14, 30, 40)
    corners = [((70, 8), (1, 0, 0, 1)), ((120, 10), (0, 1, 0, 1)), ((90, 56), (0, 0, 1, 1))]
    corners = (Vertex * 3)(*(Vertex(at, colour, (0, 0)) for at, colour in corners))
    done(sdl.SDL_RenderGeometry(renderer, None, corners, 3, None, 0))
    texture = pointer(done(sdl.SDL_CreateTexture(renderer, RGBA32, STATIC, 4, 4)))
    texels = b"".join(bytes((60 * x, 60 * y, 255 - 30 * (x + y), 255)) for y in range(4) for x in range(4))
    done(sdl.SDL_UpdateTexture(texture, None, texels, 16))
    done(sdl.SDL_SetTextureScaleMode(texture, NEAREST))
    done(sdl.SDL_RenderTexture(renderer, texture, None, ctypes.byref(FRect(32, 60, 64, 64))))


def device(renderer):
    properties = sdl.SDL_GetRendererProperties(renderer)
    gpu = sdl.SDL_GetPointerProperty(properties, b"SDL.renderer.gpu.device", None)
    properties = sdl.SDL_GetGPUDeviceProperties(pointer(done(gpu)))
    return sdl.SDL_GetStringProperty(properties, b"SDL.gpu.device.name", b"").decode()


def picture(name):
    window = pointer(done(sdl.SDL_CreateWindow(b"", SIZE, SIZE, ctypes.c_uint64(0))))
    renderer = pointer(done(sdl.SDL_CreateRenderer(window, name)))
    if name == b"gpu":
        assert DEVICE in device(renderer), f"it runs on {device(renderer)}"
    for _ in range(3):
        draw(renderer)
        read = pointer(done(sdl.SDL_RenderReadPixels(renderer, None)))
        done(sdl.SDL_RenderPresent(renderer))
    surface = Surface.from_address(done(sdl.SDL_ConvertSurface(read, RGBA32)))
    data = ctypes.string_at(surface.pixels, surface.pitch * surface.h)
    assert (surface.w, surface.h) == (SIZE, SIZE)
    rows = [data[y * surface.pitch :][: 4 * SIZE] for y in range(SIZE)]
    return [[tuple(row[4 * x : 4 * x + 3]) for x in range(SIZE)] for row in rows]


done(sdl.SDL_Init(INIT_VIDEO))
want, got = picture(b"software"), picture(b"gpu")
assert len({pixel for row in want for pixel in row}) > 500, "nothing to see"
off = sum(max(abs(a - b) for a, b in zip(*pair)) > 2 for rows in zip(want, got) for pair in zip(*rows))
# The renderers may differ in the pixels at the edges of the triangle.
assert off <= 2 * SIZE // 10, f"{off} pixels differ from the software renderer"
print(f"{SIZE * SIZE - off} of {SIZE * SIZE} pixels are those of the software renderer")
