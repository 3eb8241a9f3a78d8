"""GTK 4: draws nodes of a scene by the renderer of a window, which GSK_RENDERER names: gtk_scene.py PICTURE.png"""

import os
import sys

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("Gsk", "4.0")
from gi.repository import Gdk, GLib, Graphene, Gsk, Gtk, Pango  # noqa: E402


def rect(x, y, width, height):
    return Graphene.Rect().init(x, y, width, height)


def point(x, y):
    return Graphene.Point().init(x, y)


def colour(name):
    parsed = Gdk.RGBA()
    parsed.parse(name)
    return parsed


def stop(offset, name):
    made = Gsk.ColorStop()
    made.offset, made.color = offset, colour(name)
    return made


def scene(widget):
    whole = rect(0, 0, 320, 240)
    s = Gtk.Snapshot()
    s.append_linear_gradient(whole, point(0, 0), point(320, 240), [stop(0, "navy"), stop(1, "teal")])
    corners = Gsk.RoundedRect()
    corners.init_from_rect(rect(30, 30, 100, 80), 20)
    s.push_rounded_clip(corners)
    s.append_radial_gradient(whole, point(70, 60), 60, 50, 0, 1, [stop(0, "white"), stop(1, "tomato")])
    s.pop()
    s.append_border(corners, [4] * 4, [colour("white")] * 4)
    s.append_outset_shadow(corners, colour("black"), 5, 6, 2, 8)
    s.push_opacity(0.5)
    s.append_color(colour("lime"), rect(160, 40, 60, 60))
    s.append_color(colour("magenta"), rect(190, 70, 60, 60))
    s.pop()
    s.push_blend(Gsk.BlendMode.DIFFERENCE)
    s.append_color(colour("orange"), rect(255, 20, 50, 50))
    s.pop()
    s.append_conic_gradient(rect(265, 30, 50, 50), point(290, 55), 30, [stop(0, "cyan"), stop(1, "red")])
    s.pop()
    s.push_blur(6)
    s.append_color(colour("yellow"), rect(250, 150, 40, 40))
    s.pop()
    text = widget.create_pango_layout("Quadrille")
    text.set_font_description(Pango.FontDescription("Sans 28"))
    s.translate(point(30, 150))
    s.rotate(-5)
    s.append_layout(text, colour("gold"))
    return s.to_node()


def start(app):
    window = Gtk.ApplicationWindow(application=app, default_width=320, default_height=240)
    window.present()

    def draw():
        renderer = window.get_native().get_renderer()
        renderer.render_texture(scene(window), rect(0, 0, 320, 240)).save_to_png(sys.argv[1])
        with open("/proc/self/maps") as f:
            libraries = {os.path.basename(line.split()[-1]) for line in f if ".so" in line}
        print(type(renderer).__name__, *sorted(libraries))
        app.quit()

    GLib.timeout_add(500, draw)


application = Gtk.Application(application_id="org.quadrille.Client")
application.connect("activate", start)
application.run([])
