//! Instances of a mesh. Spec: EXT_mesh_gpu_instancing.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use quadrille::{Error, Result};

use super::access::Elements;
use super::{Loader, json, within};
use crate::model::Trs;

const NAME: &str = "EXT_mesh_gpu_instancing";

/// Loads the transforms of a node's instances; `None` if its mesh is placed once.
pub fn of(loader: &mut Loader, from: &json::Node) -> Result<Option<Arc<[Trs]>>> {
    let Some(instancing) = from.extensions.get::<json::Instancing>(NAME)? else { return Ok(None) };
    if from.mesh.is_none() || instancing.attributes.is_empty() {
        return Ok(None);
    }
    if from.skin.is_some() {
        loader.warn("instances of a mesh with a skin are ignored");
        return Ok(None);
    }
    let custom = |name: &&String| !matches!(name.as_str(), "TRANSLATION" | "ROTATION" | "SCALE");
    for name in instancing.attributes.keys().filter(custom) {
        loader.warn(format!("attribute {name} of instances is ignored"));
    }
    transforms(loader, &instancing).map(Some).map_err(|e| within(NAME, e))
}

fn transforms(loader: &Loader, from: &json::Instancing) -> Result<Arc<[Trs]>> {
    let elements = |name: &str, kind: &str| {
        let accessor = from.attributes.get(name);
        accessor.map(|a| loader.data.elements(*a, &[kind])).transpose().map_err(|e| within(name, e))
    };
    let (translation, rotation, scale) =
        (elements("TRANSLATION", "VEC3")?, elements("ROTATION", "VEC4")?, elements("SCALE", "VEC3")?);
    let mut counts = [&translation, &rotation, &scale].into_iter().flatten().map(Elements::count);
    // Instances that have attributes of the application only are all at the same place.
    let count = counts.next().unwrap_or(1);
    if let Some(other) = counts.find(|other| *other != count) {
        return Err(Error::invalid(format!("there are {count} and {other} instances")));
    }
    let mut out = loader.data.budget.room(count)?;
    for i in 0..count {
        let vec3 = |from: &Option<Elements>, default: Vec3| {
            from.as_ref().map_or(Ok(default), |e| e.floats::<3>(i, [0.0; 3]).map(Vec3::from))
        };
        let rotation = match &rotation {
            None => Quat::IDENTITY,
            Some(e) => Trs::unit_rotation(Vec4::from(e.floats::<4>(i, [0.0; 4])?))
                .ok_or_else(|| Error::invalid(format!("rotation {i} has no length")))?,
        };
        out.push(Trs {
            translation: vec3(&translation, Vec3::ZERO)?,
            rotation,
            scale: vec3(&scale, Vec3::ONE)?,
        });
    }
    Ok(out.into())
}
