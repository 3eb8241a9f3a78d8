//! Nodes with their contents: meshes with skins, cameras, lights.

use glam::{Mat4, Quat, Vec3, Vec4};
use quadrille::{Error, Result};

use super::access::at;
use super::json::{self, nums};
use super::mesh::{vec3, weights};
use super::{Loader, instances, parents, within};
use crate::model::{Camera, Light, LightKind, Mesh, Node, Projection, Scene, Skin, Transform, Trs};

/// Loads the displayed scene: nodes, skins, cameras and lights.
pub fn scene(loader: &mut Loader, meshes: &[Mesh]) -> Result<Scene> {
    let root = loader.root;
    let mut scene = Scene::default();
    for (i, from) in root.cameras.iter().enumerate() {
        scene.cameras.push(camera(from).map_err(|e| within(format!("cameras[{i}]"), e))?);
    }
    for (i, from) in root.lights.iter().enumerate() {
        scene.lights.push(light(from).map_err(|e| within(format!("lights[{i}]"), e))?);
    }
    for (i, from) in root.skins.iter().enumerate() {
        scene.skins.push(skin(loader, from).map_err(|e| within(format!("skins[{i}]"), e))?);
    }
    let joints: Vec<Joints> = meshes.iter().map(joints).collect();
    for (i, from) in root.nodes.iter().enumerate() {
        let made =
            node(loader, from, &scene, meshes, &joints).map_err(|e| within(format!("nodes[{i}]"), e))?;
        scene.nodes.push(made);
    }
    parents::link(&mut scene.nodes, loader)?;
    let shown = match root.scene {
        Some(index) => Some(at(&root.scenes, index, "scene")?),
        None => root.scenes.first(),
    };
    match shown {
        None => scene.roots = (0..scene.nodes.len()).filter(|n| scene.nodes[*n].parent.is_none()).collect(),
        Some(from) => {
            scene.name = from.name.clone();
            for index in &from.nodes {
                // Not one of the copies, which come after the nodes of the file.
                at(&root.nodes, *index, "node").map_err(|e| within("scenes", e))?;
            }
            scene.roots = parents::roots(&scene.nodes, &from.nodes, loader);
        }
    }
    Ok(scene)
}

fn node(
    loader: &mut Loader,
    from: &json::Node,
    scene: &Scene,
    meshes: &[Mesh],
    joints: &[Joints],
) -> Result<Node> {
    let light: Option<json::NodeLight> = from.extensions.get("KHR_lights_punctual")?;
    let light = light.map(|l| l.light);
    if let Some(light) = light {
        at(&scene.lights, light, "light")?;
    }
    if let Some(camera) = from.camera {
        at(&scene.cameras, camera, "camera")?;
    }
    let mesh = from.mesh.map(|mesh| at(meshes, mesh, "mesh")).transpose()?;
    let skin = from.skin.map(|skin| at(&scene.skins, skin, "skin")).transpose()?;
    if let (Some(mesh), Some(skin)) = (from.mesh, skin) {
        fits(&joints[mesh], skin)?;
    }
    let weights = match mesh {
        Some(mesh) => weights(&from.weights, mesh.weights.len())?,
        None => None,
    };
    Ok(Node {
        name: from.name.clone(),
        parent: None,
        children: from.children.clone(),
        transform: transform(from)?,
        mesh: from.mesh,
        skin: from.skin.filter(|_| mesh.is_some()),
        camera: from.camera,
        light,
        weights,
        instances: instances::of(loader, from)?,
        copy_of: None,
    })
}

/// Requirements of a mesh for its skin.
struct Joints {
    /// Largest joint index.
    most: u16,
    /// A primitive without joints.
    without: Option<usize>,
}

fn joints(mesh: &Mesh) -> Joints {
    let sets = mesh.primitives.iter().flat_map(|p| &p.influences);
    let most = sets.flat_map(|set| &set.joints).flatten().max();
    let without = mesh.primitives.iter().position(|p| p.influences.is_empty());
    Joints { most: most.copied().unwrap_or(0), without }
}

/// Checks that the skin has all joints of the mesh.
fn fits(joints: &Joints, skin: &Skin) -> Result<()> {
    if let Some(primitive) = joints.without {
        return Err(Error::invalid(format!(
            "there is a skin, but the mesh's primitive {primitive} has no joints"
        )));
    }
    let (most, count) = (joints.most, skin.joints.len());
    if usize::from(most) >= count {
        return Err(Error::invalid(format!("the mesh has joint {most}, but the skin has {count} joints")));
    }
    Ok(())
}

fn transform(from: &json::Node) -> Result<Transform> {
    if let Some(matrix) = from.matrix {
        let m = Mat4::from_cols_array(&nums(matrix));
        if m.row(3) != Vec4::W {
            return Err(Error::invalid("the last row of the matrix is not 0 0 0 1"));
        }
        return Ok(Transform::Matrix(m));
    }
    let rotation = match from.rotation {
        Some(r) => Trs::unit_rotation(Vec4::from(nums(r)))
            .ok_or_else(|| Error::invalid("the rotation has no length"))?,
        None => Quat::IDENTITY,
    };
    let translation = from.translation.map_or(Vec3::ZERO, vec3);
    Ok(Transform::Trs(Trs { translation, rotation, scale: from.scale.map_or(Vec3::ONE, vec3) }))
}

fn skin(loader: &Loader, from: &json::Skin) -> Result<Skin> {
    for joint in &from.joints {
        at(&loader.root.nodes, *joint, "node")?;
    }
    let count = from.joints.len();
    let mut inverse_bind = loader.data.budget.room(count)?;
    match from.inverse_bind_matrices {
        None => inverse_bind.resize(count, Mat4::IDENTITY),
        Some(accessor) => {
            let matrices = loader.data.elements(accessor, &["MAT4"])?;
            if matrices.count() < count {
                let have = matrices.count();
                return Err(Error::invalid(format!(
                    "there are {have} inverse bind matrices for {count} joints"
                )));
            }
            for joint in 0..count {
                let mut matrix = Mat4::from_cols_array(&matrices.floats(joint, [0.0; 16])?);
                // The specification requires affine matrices; some exporters leave a rounding error.
                for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
                    matrix.col_mut(column).w = last;
                }
                inverse_bind.push(matrix);
            }
        }
    }
    Ok(Skin { name: from.name.clone(), joints: from.joints.clone(), inverse_bind })
}

fn camera(from: &json::Camera) -> Result<Camera> {
    let projection = match (&*from.kind, &from.perspective, &from.orthographic) {
        ("perspective", Some(p), _) => {
            let (yfov, near, far) = (p.yfov.0, p.znear.0, p.zfar.map(|f| f.0));
            let aspect = p.aspect_ratio.map(|a| a.0);
            let good = yfov > 0.0 && yfov < std::f32::consts::PI && near > 0.0;
            if !good || far.is_some_and(|far| far <= near) || aspect.is_some_and(|a| a <= 0.0) {
                return Err(Error::invalid(
                    "the field of view is to be between 0 and pi, aspect ratio and near plane greater than 0, \
                     the far plane farther than the near plane",
                ));
            }
            Projection::Perspective { aspect, yfov, near, far }
        }
        ("orthographic", _, Some(o)) => {
            let (xmag, ymag, near, far) = (o.xmag.0.abs(), o.ymag.0.abs(), o.znear.0, o.zfar.0);
            if xmag <= 0.0 || ymag <= 0.0 || near < 0.0 || far <= near {
                return Err(Error::invalid(
                    "xmag and ymag are not to be 0, the near plane not behind the camera, \
                     the far plane farther than the near plane",
                ));
            }
            Projection::Orthographic { xmag, ymag, near, far }
        }
        ("perspective" | "orthographic", ..) => {
            return Err(Error::invalid(format!("`{}` is missing", from.kind)));
        }
        (other, ..) => return Err(Error::invalid(format!("the type `{other}` does not exist"))),
    };
    Ok(Camera { name: from.name.clone(), projection })
}

fn light(from: &json::Light) -> Result<Light> {
    let kind = match &*from.kind {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        "spot" => {
            let default = json::Spot::default();
            let spot = from.spot.as_ref().unwrap_or(&default);
            let inner = spot.inner_cone_angle.map_or(0.0, |a| a.0);
            let outer = spot.outer_cone_angle.map_or(std::f32::consts::FRAC_PI_4, |a| a.0);
            if !(0.0 <= inner && inner < outer && outer <= std::f32::consts::FRAC_PI_2) {
                return Err(Error::invalid(format!(
                    "the inner cone's angle is {inner}, the outer one's {outer}; 0 <= inner < outer <= pi / 2"
                )));
            }
            LightKind::Spot { inner, outer }
        }
        other => return Err(Error::invalid(format!("the type `{other}` does not exist"))),
    };
    let range = from.range.map(|r| r.0);
    if range.is_some_and(|r| r <= 0.0) {
        return Err(Error::invalid("the range must be greater than 0"));
    }
    let color = from.color.map_or(Vec3::ONE, |c| vec3(c).max(Vec3::ZERO));
    let intensity = from.intensity.map_or(1.0, |i| i.0.max(0.0));
    if !(color * intensity).is_finite() {
        return Err(Error::invalid("the light is infinitely bright"));
    }
    Ok(Light { name: from.name.clone(), kind, color, intensity, range })
}
