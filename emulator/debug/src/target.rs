//! Which invocation is debugged, and whether one is it.

use std::fmt;

use quadrille_jit::interp::watch::Invocation;
use quadrille_jit::ir::Stage;

/// An invocation, by the numbers that people know it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The fragment shader at a pixel, from the top left.
    Pixel([i32; 2]),
    /// An invocation of a compute shader, by GlobalInvocationId.
    Invocation([u32; 3]),
    /// An invocation of a task or mesh workgroup: the workgroup, and the invocation in it.
    Workgroup(Stage, [u32; 3], [u32; 3]),
    /// A vertex of an instance, by VertexIndex and InstanceIndex.
    Vertex(u32, u32),
    /// The control shader of a patch, numbered from the start of the draw's batch, and which of its invocations.
    Patch(u32, u32),
    /// The geometry shader of a primitive.
    Primitive(u32),
}

/// The options that name an invocation, without dashes.
pub const OPTIONS: [&str; 7] =
    ["pixel", "invocation", "vertex", "patch", "primitive", "task-invocation", "mesh-invocation"];

impl Target {
    /// Reads `--pixel 3,4` and its kin: the name of the option without dashes, and its value.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn parse(option: &str, value: &str) -> Result<Target, String> {
        let numbers = value.split(',').map(|n| n.trim().parse::<u32>());
        let numbers = numbers.collect::<Result<Vec<_>, _>>().map_err(|_| bad(option, value))?;
        let [a, b, c] = [0, 1, 2].map(|i| numbers.get(i).copied().unwrap_or(0));
        let fits = |most: usize| (1..=most).contains(&numbers.len());
        Ok(match option {
            "pixel" if numbers.len() == 2 && a.max(b) < 1 << 20 => Target::Pixel([a as i32, b as i32]),
            "invocation" if fits(3) => Target::Invocation([a, b, c]),
            "vertex" if fits(2) => Target::Vertex(a, b),
            "patch" if fits(2) => Target::Patch(a, b),
            "primitive" if fits(1) => Target::Primitive(a),
            "task-invocation" | "mesh-invocation" if fits(3) || numbers.len() == 6 => {
                let stage = if option == "task-invocation" { Stage::Task } else { Stage::Mesh };
                let local = [3, 4, 5].map(|i| numbers.get(i).copied().unwrap_or(0));
                Target::Workgroup(stage, [a, b, c], local)
            }
            _ => return Err(bad(option, value)),
        })
    }

    /// The stage that it is an invocation of.
    pub fn stage(self) -> Stage {
        match self {
            Target::Pixel(_) => Stage::Fragment,
            Target::Invocation(_) => Stage::Compute,
            Target::Workgroup(stage, ..) => stage,
            Target::Vertex(..) => Stage::Vertex,
            Target::Patch(..) => Stage::TessellationControl,
            Target::Primitive(_) => Stage::Geometry,
        }
    }

    /// Whether an invocation is it; `size` is the workgroup's.
    pub fn is(self, who: &Invocation, size: [u32; 3]) -> bool {
        match (self, *who) {
            (Target::Pixel(at), Invocation::Fragment { pixel, .. }) => pixel == at,
            (Target::Invocation(id), Invocation::Workgroup { workgroup, local }) => {
                (0..3).all(|i| workgroup[i].wrapping_mul(size[i]).wrapping_add(local[i]) == id[i])
            }
            (Target::Workgroup(_, id, within), Invocation::Workgroup { workgroup, local }) => {
                workgroup == id && local == within
            }
            (Target::Vertex(v, i), Invocation::Vertex { vertex, instance }) => (vertex, instance) == (v, i),
            (Target::Patch(p, i), Invocation::Control { patch, invocation }) => (patch, invocation) == (p, i),
            (Target::Primitive(p), Invocation::Geometry { primitive, invocation: 0 }) => primitive == p,
            _ => false,
        }
    }
}

fn bad(option: &str, value: &str) -> String {
    let example = match option {
        "pixel" => "320,180",
        "invocation" => "5,0,0",
        "task-invocation" | "mesh-invocation" => "0,0,0 or 0,0,0,5,0,0",
        _ => "3",
    };
    format!("--{option} {value}: give numbers, as in --{option} {example}")
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let three = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
        match *self {
            Target::Pixel([x, y]) => write!(f, "pixel ({x}, {y})"),
            Target::Invocation(id) => write!(f, "invocation {}", three(id)),
            Target::Workgroup(stage, id, local) => {
                write!(f, "invocation {} of {} workgroup {}", three(local), stage.name(), three(id))
            }
            Target::Vertex(v, 0) => write!(f, "vertex {v}"),
            Target::Vertex(v, i) => write!(f, "vertex {v} of instance {i}"),
            Target::Patch(p, i) => write!(f, "invocation {i} of patch {p}"),
            Target::Primitive(p) => write!(f, "primitive {p}"),
        }
    }
}

/// Who an invocation is, in few words.
pub fn name_of(who: &Invocation, size: [u32; 3]) -> String {
    match *who {
        Invocation::Workgroup { workgroup, local } => {
            let id: [u32; 3] =
                std::array::from_fn(|i| workgroup[i].wrapping_mul(size[i]).wrapping_add(local[i]));
            format!("invocation ({}, {}, {})", id[0], id[1], id[2])
        }
        Invocation::Vertex { vertex, instance: 0 } => format!("vertex {vertex}"),
        Invocation::Vertex { vertex, instance } => format!("vertex {vertex} of instance {instance}"),
        Invocation::Control { patch, invocation } => format!("patch {patch}, invocation {invocation}"),
        Invocation::Evaluation { primitive, point, .. } => format!("patch {primitive}, point {point}"),
        Invocation::Geometry { primitive, invocation } => {
            format!("primitive {primitive}, invocation {invocation}")
        }
        Invocation::Fragment { pixel: [x, y], helper, .. } => {
            format!("pixel ({x}, {y}){}", if helper { ", helper" } else { "" })
        }
    }
}
