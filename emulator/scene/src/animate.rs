//! The scene at a point in time: interpolates keys, multiplies transforms along the tree, and computes the joint
//! matrices of skins.
//!
//! Owns the choice of the animations that play. Spec: glTF 2.0, "Animations", "Animation Sampler Interpolation Modes",
//! "Skins".

mod interpolate;

use std::collections::HashMap;

use glam::{Mat3, Mat4, Vec3};
use quadrille::{Error, Result};

use crate::frame::{Draw, Frame, PlacedCamera, PlacedLight, camera_for};
use crate::model::{Animation, Channel, Node, Primitive, Scene, Transform, Trs};

/// Selection of the animations that play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Play {
    /// No animation.
    Rest,
    /// The first animation, and each further one that animates nothing that an earlier one animates.
    #[default]
    Together,
    /// One animation, by index.
    Only(usize),
}

/// Limits of a frame, so that a small file cannot demand unbounded work: meshes, joints, weights and vertices. Vertices
/// count once more for each target, and for each set of joints that a skin moves.
const MAX_DRAWS: usize = 1 << 18;
const MAX_JOINTS: usize = 1 << 20;
const MAX_WEIGHTS: usize = 1 << 22;
const MAX_VERTICES: usize = 1 << 28;
/// Maximum distance from the origin in metres, so that squared distances are still finite floats.
const FARTHEST: f32 = 1e15;

/// Returns the scene at a time in seconds. Each animation restarts on its own after it has ended: at its duration the
/// scene has the last keys, at later multiples the first ones.
pub fn frame(scene: &Scene, play: Play, time: f32) -> Result<Frame> {
    let mut pose = Pose::at_rest(scene);
    for animation in playing(scene, play)? {
        pose.play(animation, time);
    }
    let worlds = worlds(scene, &pose)?;
    let mut frame = Frame::default();
    let mut cameras = Vec::new();
    let (mut vertices, mut weighed) = (0, 0);
    for node in preorder(&scene.nodes, &scene.roots) {
        let (of, world) = (&scene.nodes[node], worlds[node]);
        if let Some(mesh) = of.mesh {
            let work = |p: &Primitive| {
                let sets = if of.skin.is_some() { p.influences.len() } else { 0 };
                p.count().max(p.positions.len()).saturating_mul(1 + p.targets.len() + sets)
            };
            let of_mesh = scene.meshes[mesh].primitives.iter().map(work).fold(0, usize::saturating_add);
            let times = of.instances.as_ref().map_or(1, |instances| instances.len());
            vertices = of_mesh.saturating_mul(times).saturating_add(vertices);
            weighed = scene.meshes[mesh].weights.len().saturating_mul(times).saturating_add(weighed);
            let draws = frame.draws.len().saturating_add(times);
            if vertices > MAX_VERTICES || weighed > MAX_WEIGHTS || draws > MAX_DRAWS {
                return Err(Error::Limit(format!(
                    "{MAX_DRAWS} meshes of a frame with {MAX_VERTICES} vertices and {MAX_WEIGHTS} weights"
                )));
            }
            let joints =
                of.skin.map(|skin| place_joints(scene, skin, &worlds, &mut frame.joints)).transpose()?;
            let world = if joints.is_some() { Mat4::IDENTITY } else { world };
            let weights = pose.weights.get(&of.copy_of.unwrap_or(node)).or(of.weights.as_ref());
            let weights = weights.unwrap_or(&scene.meshes[mesh].weights);
            let draw = |world| Draw { node, mesh, world, joints: joints.clone(), weights: weights.clone() };
            match &of.instances {
                None => frame.draws.push(draw(world)),
                Some(instances) => {
                    frame.draws.extend(instances.iter().map(|i| draw(world * Transform::Trs(*i).matrix())));
                }
            }
        }
        if let Some(light) = of.light {
            let (position, turn) = (world.w_axis.truncate(), rotation(&world));
            frame.lights.push(PlacedLight {
                light: scene.lights[light].clone(),
                position,
                direction: -turn.z_axis,
            });
        }
        if let Some(camera) = of.camera {
            let turn = rotation(&world);
            let mut world_of = Mat4::from_mat3(turn);
            world_of.w_axis = world.w_axis;
            cameras.push((camera, PlacedCamera { camera: scene.cameras[camera].clone(), world: world_of }));
        }
    }
    cameras.sort_by_key(|(camera, _)| *camera);
    frame.cameras = cameras.into_iter().map(|(_, placed)| placed).collect();
    frame.bounds = bounds(scene, &frame)?;
    Ok(frame)
}

/// Animations that play, in the order of the scene.
fn playing(scene: &Scene, play: Play) -> Result<Vec<&Animation>> {
    let count = scene.animations.len();
    match play {
        Play::Rest => Ok(Vec::new()),
        Play::Only(index) => match scene.animations.get(index) {
            Some(animation) => Ok(vec![animation]),
            None => Err(Error::invalid(format!("there is no animation {index}; the scene has {count}"))),
        },
        Play::Together => {
            let mut moved = std::collections::HashSet::new();
            let mut chosen = Vec::new();
            for animation in &scene.animations {
                let targets =
                    || animation.channels.iter().map(|c| (c.node, std::mem::discriminant(&c.values)));
                if !targets().any(|target| moved.contains(&target)) {
                    moved.extend(targets());
                    chosen.push(animation);
                }
            }
            Ok(chosen)
        }
    }
}

/// Transforms of nodes relative to their parents, and animated weights.
struct Pose {
    transforms: Vec<Transform>,
    weights: HashMap<usize, Vec<f32>>,
}

impl Pose {
    fn at_rest(scene: &Scene) -> Pose {
        Pose { transforms: scene.nodes.iter().map(|n| n.transform).collect(), weights: HashMap::new() }
    }

    fn play(&mut self, animation: &Animation, time: f32) {
        let past = animation.duration > 0.0 && time > animation.duration;
        let time = if past { time % animation.duration } else { time };
        for channel in &animation.channels {
            self.set(channel, time);
        }
    }

    fn set(&mut self, channel: &Channel, time: f32) {
        let value = interpolate::at(channel, time);
        if let interpolate::Value::Weights(weights) = value {
            self.weights.insert(channel.node, weights);
            return;
        }
        // The loader converted the matrix of every animated node.
        let Transform::Trs(place) = &mut self.transforms[channel.node] else { return };
        *place = match value {
            interpolate::Value::Translation(translation) => Trs { translation, ..*place },
            interpolate::Value::Rotation(rotation) => Trs { rotation, ..*place },
            interpolate::Value::Scale(scale) => Trs { scale, ..*place },
            interpolate::Value::Weights(_) => *place,
        };
    }
}

/// Nodes below `roots` in preorder, with siblings in order.
fn preorder(nodes: &[Node], roots: &[usize]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut open: Vec<usize> = roots.iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(nodes[node].children.iter().rev());
    }
    order
}

/// World matrix of every node.
fn worlds(scene: &Scene, pose: &Pose) -> Result<Vec<Mat4>> {
    let roots: Vec<usize> = (0..scene.nodes.len()).filter(|n| scene.nodes[*n].parent.is_none()).collect();
    let mut worlds = vec![Mat4::IDENTITY; scene.nodes.len()];
    for node in preorder(&scene.nodes, &roots) {
        let above = scene.nodes[node].parent.map_or(Mat4::IDENTITY, |parent| worlds[parent]);
        let own = scene.nodes[node].copy_of.unwrap_or(node);
        let world = above * pose.transforms[own].matrix();
        if !world.is_finite() || world.w_axis.abs().max_element() > FARTHEST {
            return Err(Error::Limit(format!("node {node} is farther than {FARTHEST:e} m from the origin")));
        }
        worlds[node] = world;
    }
    Ok(worlds)
}

/// Appends a skin's joint matrices, which transform from the mesh to the world.
fn place_joints(
    scene: &Scene,
    skin: usize,
    worlds: &[Mat4],
    joints: &mut Vec<Mat4>,
) -> Result<std::ops::Range<usize>> {
    let (skin, first) = (&scene.skins[skin], joints.len());
    if first + skin.joints.len() > MAX_JOINTS {
        return Err(Error::Limit(format!("{MAX_JOINTS} joints of a frame")));
    }
    joints.extend(skin.joints.iter().zip(&skin.inverse_bind).map(|(node, bind)| worlds[*node] * *bind));
    match joints[first..].iter().position(|m| !m.is_finite()) {
        Some(joint) => Err(Error::invalid(format!("the matrix of joint {joint} is not finite"))),
        None => Ok(first..joints.len()),
    }
}

/// Rotation of an object that looks along -Z with +Y up, without scale, shear and mirroring.
fn rotation(world: &Mat4) -> Mat3 {
    let back = world.z_axis.truncate().normalize_or(Vec3::Z);
    let right = world.y_axis.truncate().normalize_or_zero().cross(back);
    let right =
        if right.length_squared() > 1e-12 { right.normalize() } else { back.any_orthonormal_vector() };
    Mat3::from_cols(right, back.cross(right), back)
}

/// Returns a camera that sees all vertices of a frame; see [`camera_for`].
pub fn camera(scene: &Scene, frame: &Frame, aspect: f32) -> PlacedCamera {
    camera_for(frame.draws.iter().flat_map(|draw| vertices(scene, frame, draw)), aspect)
}

/// Returns a camera that sees all vertices of a frame while it turns around their middle; see [`PlacedCamera::turned`].
pub fn camera_around(scene: &Scene, frame: &Frame, aspect: f32) -> PlacedCamera {
    /// Directions of the view for which the picture is large enough. Between two of them, the margin is.
    const DIRECTIONS: usize = 16;
    let middle = frame.middle();
    let turns: Vec<Mat3> = (0..DIRECTIONS)
        .map(|i| Mat3::from_rotation_y(std::f32::consts::TAU * i as f32 / DIRECTIONS as f32))
        .collect();
    let points = frame.draws.iter().flat_map(|draw| vertices(scene, frame, draw));
    camera_for(points.flat_map(|at| turns.iter().map(move |turn| middle + *turn * (at - middle))), aspect)
}

/// World positions of the vertices of a mesh.
fn vertices<'a>(scene: &'a Scene, frame: &'a Frame, draw: &'a Draw) -> impl Iterator<Item = Vec3> + 'a {
    let joints = draw.joints.clone().map(|range| &frame.joints[range]);
    let primitives = scene.meshes[draw.mesh].primitives.iter();
    primitives.flat_map(move |p| (0..p.positions.len()).map(move |vertex| place(p, vertex, draw, joints)))
}

/// Bounding box of all vertices of the frame.
fn bounds(scene: &Scene, frame: &Frame) -> Result<Option<(Vec3, Vec3)>> {
    let mut corners: Option<(Vec3, Vec3)> = None;
    for draw in &frame.draws {
        for at in vertices(scene, frame, draw) {
            if !at.is_finite() || at.abs().max_element() > FARTHEST {
                let node = draw.node;
                let far = format!("vertices of node {node} are farther than {FARTHEST:e} m from the origin");
                return Err(Error::Limit(far));
            }
            let (low, high) = corners.unwrap_or((at, at));
            corners = Some((low.min(at), high.max(at)));
        }
    }
    Ok(corners)
}

/// World position of a vertex: the reference for the shaders.
pub fn place(primitive: &Primitive, vertex: usize, draw: &Draw, joints: Option<&[Mat4]>) -> Vec3 {
    let mut at = primitive.positions[vertex];
    for (target, weight) in primitive.targets.iter().zip(&draw.weights) {
        if let Some(deltas) = target.positions.as_ref().filter(|_| *weight != 0.0) {
            at += deltas[vertex] * *weight;
        }
    }
    let Some(joints) = joints.filter(|_| !primitive.influences.is_empty()) else {
        return draw.world.transform_point3(at);
    };
    let mut out = Vec3::ZERO;
    for set in &primitive.influences {
        for (joint, weight) in set.joints[vertex].iter().zip(set.weights[vertex].to_array()) {
            if weight != 0.0 {
                out += joints[usize::from(*joint)].transform_point3(at) * weight;
            }
        }
    }
    out
}
