//! Animations: keys and values from accessors.

use std::collections::HashSet;

use glam::{Quat, Vec3, Vec4};
use quadrille::{Error, Result};

use super::access::at;
use super::{Loader, json, within};
use crate::model::{Animation, Channel, Interpolation, Mesh, Node, Transform, Trs, Values};

/// Loads all animations, and converts the matrices of animated nodes to translation, rotation and scale.
pub fn animations(loader: &mut Loader, nodes: &mut [Node], meshes: &[Mesh]) -> Result<Vec<Animation>> {
    let root = loader.root;
    let mut animations = Vec::new();
    for (i, from) in root.animations.iter().enumerate() {
        let made = animation(loader, from, nodes, meshes);
        animations.push(made.map_err(|e| within(format!("animations[{i}]"), e))?);
    }
    Ok(animations)
}

fn animation(
    loader: &mut Loader,
    from: &json::Animation,
    nodes: &mut [Node],
    meshes: &[Mesh],
) -> Result<Animation> {
    let mut out = Animation { name: from.name.clone(), ..Animation::default() };
    let mut seen = HashSet::new();
    for (i, channel) in from.channels.iter().enumerate() {
        let place = |e| within(format!("channels[{i}]"), e);
        let Some(node) = channel.target.node else {
            loader.warn("an animation of something other than a node is ignored");
            continue;
        };
        // Not one of the copies, which come after the nodes of the file.
        at(&loader.root.nodes, node, "node").map_err(place)?;
        let path = &channel.target.path;
        if !seen.insert((node, path)) {
            return Err(place(Error::invalid(format!("the {path} of node {node} is animated twice"))));
        }
        let targets = nodes[node].mesh.map_or(0, |m| meshes[m].weights.len());
        if path == "weights" && targets == 0 {
            loader.warn(format!("weights of node {node} are animated, but its mesh has no targets"));
            continue;
        }
        let sampler = at(&from.samplers, channel.sampler, "sampler").map_err(place)?;
        let made = sample(loader, sampler, node, path, targets).map_err(place)?;
        if path != "weights" {
            parts(&mut nodes[node]).map_err(place)?;
        }
        out.duration = made.times.last().map_or(out.duration, |last| out.duration.max(*last));
        out.channels.push(made);
    }
    Ok(out)
}

fn sample(
    loader: &Loader,
    from: &json::AnimationSampler,
    node: usize,
    path: &str,
    targets: usize,
) -> Result<Channel> {
    let data = loader.data;
    let interpolation = match from.interpolation.as_deref().unwrap_or("LINEAR") {
        "STEP" => Interpolation::Step,
        "LINEAR" => Interpolation::Linear,
        "CUBICSPLINE" => Interpolation::CubicSpline,
        other => return Err(Error::invalid(format!("the interpolation `{other}` does not exist"))),
    };
    let input = data.elements(from.input, &["SCALAR"]).map_err(|e| within("input", e))?;
    let mut times: Vec<f32> = data.budget.room(input.count())?;
    for i in 0..input.count() {
        let [time] = input.floats(i, [0.0])?;
        if times.last().is_some_and(|before| time < *before) {
            return Err(Error::invalid(format!("key {i} is at {time} s, before the previous key")));
        }
        times.push(time);
    }
    if times.is_empty() {
        return Err(Error::invalid("there are no keys"));
    }
    let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let values = Reader { loader, accessor: from.output, keys: times.len(), each };
    let values = values.read(path, targets).map_err(|e| within("output", e))?;
    Ok(Channel { node, times, interpolation, values })
}

/// Reads the values of a channel's keys.
struct Reader<'a, 'b> {
    loader: &'a Loader<'b>,
    accessor: usize,
    keys: usize,
    /// Number of values per key.
    each: usize,
}

impl Reader<'_, '_> {
    fn read(&self, path: &str, targets: usize) -> Result<Values> {
        Ok(match path {
            "translation" => Values::Translation(self.list("VEC3", 1, Vec3::from)?),
            "scale" => Values::Scale(self.list("VEC3", 1, Vec3::from)?),
            "weights" => Values::Weights(self.list("SCALAR", targets, |[w]: [f32; 1]| w)?),
            "rotation" => Values::Rotation(self.rotations()?),
            other => return Err(Error::invalid(format!("the path `{other}` does not exist"))),
        })
    }

    fn list<const N: usize, T>(
        &self,
        kind: &str,
        per_value: usize,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<Vec<T>> {
        let data = self.loader.data;
        let from = data.elements(self.accessor, &[kind])?;
        let needed = self.keys.saturating_mul(self.each).saturating_mul(per_value);
        if from.count() != needed {
            let have = from.count();
            return Err(Error::invalid(format!("there are {have} values, {needed} are needed")));
        }
        let mut out = data.budget.room(needed)?;
        for i in 0..needed {
            out.push(make(from.floats(i, [0.0; N])?));
        }
        Ok(out)
    }

    fn rotations(&self) -> Result<Vec<Quat>> {
        let mut list = self.list("VEC4", 1, Quat::from_array)?;
        for (i, rotation) in list.iter_mut().enumerate() {
            // Only the second of a spline's three values is a rotation; the others are tangents.
            if self.each == 1 || i % 3 == 1 {
                let unit = Trs::unit_rotation(Vec4::from(*rotation));
                *rotation = unit.ok_or_else(|| Error::invalid(format!("rotation {i} has no length")))?;
            }
        }
        Ok(list)
    }
}

/// Converts the transform of a node to one that can be animated.
fn parts(node: &mut Node) -> Result<()> {
    if let Transform::Matrix(matrix) = node.transform {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let rotation = Trs::unit_rotation(Vec4::from(rotation)).filter(|_| scale.is_finite());
        let rotation = rotation.ok_or_else(|| Error::invalid("a matrix that has no rotation is animated"))?;
        node.transform = Transform::Trs(Trs { translation, rotation, scale });
    }
    Ok(())
}
