"""Arcade: draws shapes, a sprite and text by OpenGL of a window: arcade_shapes.py NAME.npy"""

import sys

import arcade
import numpy as np

window = arcade.Window(320, 240, antialiasing=False)
window.clear(color=(20, 40, 60, 255))
arcade.draw_circle_filled(90, 100, 50, (255, 100, 50, 255))
arcade.draw_rect_outline(arcade.LBWH(150, 60, 100, 80), (255, 255, 255, 255), 4)
arcade.draw_polygon_filled([(20, 20), (70, 30), (90, 70), (40, 60)], (50, 200, 120, 160))
arcade.draw_line(10, 10, 300, 200, (0, 255, 0, 128), 6)
sprites = arcade.SpriteList()
for i in range(5):
    sprite = arcade.Sprite(arcade.make_soft_circle_texture(40, (255, 0, 255, 255)), center_x=60 + 50 * i, center_y=40)
    sprite.angle = 20 * i
    sprites.append(sprite)
sprites.draw()
arcade.Text("Quadrille", 60, 180, (255, 215, 0), 24).draw()
np.save(sys.argv[1], np.asarray(arcade.get_image(0, 0, 320, 240).convert("RGB")))
print(window.ctx.info.RENDERER)
