"""SAPIEN: a camera's positions, segments and colours of two boxes and a ground against rays that are traced here."""

import loaded
import numpy as np
import sapien

WIDTH, HEIGHT, FOV = 320, 240, 1.0
EYE = np.array([-3, 0.2, 0.8])
BOXES = [((0, -0.7, 0), (0.5, 0.4, 0.5), (1, 0.2, 0.1)), ((0.6, 0.8, 0.1), (0.3, 0.5, 0.6), (0.1, 0.4, 1))]
GROUND = -0.5

scene = sapien.Scene()
scene.set_ambient_light([0.3, 0.3, 0.3])
scene.add_directional_light([1, 0.5, -1], [2, 2, 2], shadow=True)
for i, (at, half, colour) in enumerate([*BOXES, ((0, 0, GROUND - 1), (6, 6, 1), (0.5, 0.5, 0.5))]):
    builder = scene.create_actor_builder()
    material = sapien.render.RenderMaterial(base_color=[*colour, 1], roughness=0.8)
    builder.add_box_visual(half_size=half, material=material)
    builder.set_initial_pose(sapien.Pose(at))
    builder.build_static(name=str(i))
camera = scene.add_camera("camera", WIDTH, HEIGHT, FOV, 0.1, 20)
camera.entity.set_pose(sapien.Pose(EYE))
scene.update_render()
camera.take_picture()
position, segment = camera.get_picture("Position"), camera.get_picture("Segmentation")[..., 1].astype(int)
colours = camera.get_picture("Color")[..., :3]

# The camera looks along x, with y to the left and z up. Its picture has z towards the viewer.
y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
scale = 2 * np.tan(FOV / 2) / HEIGHT
ways = np.stack([np.ones_like(x), -(x - WIDTH / 2) * scale, -(y - HEIGHT / 2) * scale], 2)
nearest, hit = np.full((HEIGHT, WIDTH), np.inf), np.full((HEIGHT, WIDTH), -1)
for i, (at, half, _) in enumerate([*BOXES, ((0, 0, GROUND - 1), (6, 6, 1), None)]):
    with np.errstate(divide="ignore"):
        sides = np.stack([(np.array(at) + s * np.array(half) - EYE) / ways for s in (-1, 1)])
    enters, leaves = sides.min(0).max(2), sides.max(0).min(2)
    closer = (enters < leaves) & (enters > 0) & (enters < nearest)
    nearest[closer], hit[closer] = enters[closer], i

kinds = np.unique(segment)
assert len(kinds) == 4 and kinds[0] == 0, kinds
# The order of creation numbers the segments.
same = segment == np.concatenate([[0], kinds[1:]])[hit + 1]
assert same.mean() > 0.998, f"{(~same).sum()} pixels of other segments"
inside = same & (hit >= 0)
off = np.abs(position[..., :3] - np.stack([ways[..., 1] * -1, ways[..., 2], -ways[..., 0]], 2) * nearest[..., None])
assert off[inside].max() < 1e-3, f"positions differ by {off[inside].max()}"
for i, (_, _, colour) in enumerate(BOXES):
    mean = colours[same & (hit == i)].mean(0)
    assert mean.argmax() == np.argmax(colour) and mean.argmin() == np.argmin(colour), mean
shadow = colours[same & (hit == 2)].mean(1)
assert (shadow < 0.7 * shadow.max()).mean() > 0.02, "no shadow on the ground"
print(f"{inside.sum()} positions within {off[inside].max():.0e} on {loaded.driver()}")
