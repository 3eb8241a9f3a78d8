//! Selection of the debugged invocation.

use std::fmt;

use quadrille_jit::interp::watch::Invocation;
use quadrille_jit::ir::Stage;

/// An invocation, identified by user-visible numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Fragment shader invocation of a pixel, counted from the top left.
    Pixel([i32; 2]),
    /// Compute shader invocation, by GlobalInvocationId.
    Invocation([u32; 3]),
    /// Invocation of a task or mesh workgroup: workgroup id and local id.
    Workgroup(Stage, [u32; 3], [u32; 3]),
    /// Vertex of an instance, by VertexIndex and InstanceIndex.
    Vertex(u32, u32),
    /// Control shader invocation: number of the patch from the start of the draw's batch, and number of the invocation
    /// in it.
    Patch(u32, u32),
    /// Evaluation shader invocation: PrimitiveId of the patch, and number of the point.
    Point(u32, u32),
    /// Geometry shader invocation: number of the primitive, and number of the invocation.
    Primitive(u32, u32),
    /// Shaders of a ray tracing pipeline that run for a launch, by LaunchId: each is a recording of its own, in the order
    /// in which they begin.
    Launch([u32; 3]),
}

/// Options that select an invocation, without dashes.
pub const OPTIONS: [&str; 9] = [
    "pixel",
    "invocation",
    "vertex",
    "patch",
    "point",
    "primitive",
    "task-invocation",
    "mesh-invocation",
    "launch-id",
];

impl Target {
    /// Parses an option such as `--pixel 3,4`, given its name without dashes and its value.
    ///
    /// # Errors
    /// A description of the mistake.
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
            "point" if fits(2) => Target::Point(a, b),
            "primitive" if fits(2) => Target::Primitive(a, b),
            "launch-id" if fits(3) => Target::Launch([a, b, c]),
            "task-invocation" | "mesh-invocation" if fits(3) || numbers.len() == 6 => {
                let stage = if option == "task-invocation" { Stage::Task } else { Stage::Mesh };
                let local = [3, 4, 5].map(|i| numbers.get(i).copied().unwrap_or(0));
                Target::Workgroup(stage, [a, b, c], local)
            }
            _ => return Err(bad(option, value)),
        })
    }

    /// True if shaders of a stage may run for the invocation.
    pub fn runs(self, stage: Stage) -> bool {
        match self {
            Target::Launch(_) => stage.is_of_rays(),
            target => target.stage() == stage,
        }
    }

    /// Stage of the invocation; the first one of several.
    pub fn stage(self) -> Stage {
        match self {
            Target::Pixel(_) => Stage::Fragment,
            Target::Invocation(_) => Stage::Compute,
            Target::Workgroup(stage, ..) => stage,
            Target::Vertex(..) => Stage::Vertex,
            Target::Patch(..) => Stage::TessellationControl,
            Target::Point(..) => Stage::TessellationEvaluation,
            Target::Primitive(..) => Stage::Geometry,
            Target::Launch(_) => Stage::RayGeneration,
        }
    }

    /// True if `who` is this invocation; `size` is the workgroup size.
    pub fn is(self, who: &Invocation, size: [u32; 3]) -> bool {
        match (self, *who) {
            // A helper invocation exists only for its neighbours, and shades no pixel.
            (Target::Pixel(at), Invocation::Fragment { pixel, helper, .. }) => pixel == at && !helper,
            (Target::Invocation(id), Invocation::Workgroup { workgroup, local }) => {
                (0..3).all(|i| workgroup[i].wrapping_mul(size[i]).wrapping_add(local[i]) == id[i])
            }
            (Target::Workgroup(_, id, within), Invocation::Workgroup { workgroup, local }) => {
                workgroup == id && local == within
            }
            (Target::Vertex(v, i), Invocation::Vertex { vertex, instance }) => (vertex, instance) == (v, i),
            (Target::Patch(p, i), Invocation::Control { patch, invocation }) => (patch, invocation) == (p, i),
            (Target::Point(p, n), Invocation::Evaluation { primitive, point, .. }) => {
                (primitive, point) == (p, n)
            }
            (Target::Primitive(p, i), Invocation::Geometry { primitive, invocation }) => {
                (primitive, invocation) == (p, i)
            }
            (Target::Launch(id), Invocation::Ray { launch }) => launch == id,
            _ => false,
        }
    }
}

fn bad(option: &str, value: &str) -> String {
    let example = match option {
        "pixel" => "320,180",
        "invocation" | "launch-id" => "5,0,0",
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
            Target::Point(p, n) => write!(f, "point {n} of patch {p}"),
            Target::Primitive(p, 0) => write!(f, "primitive {p}"),
            Target::Primitive(p, i) => write!(f, "invocation {i} of primitive {p}"),
            Target::Launch(id) => write!(f, "launch {}", three(id)),
        }
    }
}

/// Short name of an invocation.
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
        Invocation::Evaluation { primitive, point, coord: [u, v, w] } => {
            format!("patch {primitive}, point {point} at ({u}, {v}, {w})")
        }
        Invocation::Geometry { primitive, invocation } => {
            format!("primitive {primitive}, invocation {invocation}")
        }
        Invocation::Ray { launch: [x, y, z] } => format!("launch ({x}, {y}, {z})"),
        Invocation::Fragment { pixel: [x, y], helper, .. } => {
            format!("pixel ({x}, {y}){}", if helper { ", helper" } else { "" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invocations_by_their_numbers() {
        for (option, value, target, text) in [
            ("pixel", "3,4", Target::Pixel([3, 4]), "pixel (3, 4)"),
            ("patch", "2", Target::Patch(2, 0), "invocation 0 of patch 2"),
            ("patch", "2,1", Target::Patch(2, 1), "invocation 1 of patch 2"),
            ("point", "0, 7", Target::Point(0, 7), "point 7 of patch 0"),
            ("primitive", "5", Target::Primitive(5, 0), "primitive 5"),
            ("primitive", "5,2", Target::Primitive(5, 2), "invocation 2 of primitive 5"),
            (
                "mesh-invocation",
                "1,0,0,3,0,0",
                Target::Workgroup(Stage::Mesh, [1, 0, 0], [3, 0, 0]),
                "invocation (3, 0, 0) of mesh workgroup (1, 0, 0)",
            ),
        ] {
            let parsed = Target::parse(option, value).unwrap();
            assert_eq!((parsed, parsed.to_string().as_str()), (target, text));
        }
        for (option, value) in
            [("point", "1,2,3"), ("primitive", ""), ("patch", "x"), ("task-invocation", "1,2,3,4")]
        {
            assert!(Target::parse(option, value).unwrap_err().contains("give numbers"), "{option} {value}");
        }
    }

    #[test]
    fn a_point_is_that_of_its_patch_alone() {
        let who = |primitive, point| Invocation::Evaluation { primitive, point, coord: [0.0; 3] };
        let target = Target::Point(1, 2);
        assert!(
            target.is(&who(1, 2), [1; 3]) && !target.is(&who(0, 2), [1; 3]) && !target.is(&who(1, 3), [1; 3])
        );
        let who = |primitive, invocation| Invocation::Geometry { primitive, invocation };
        assert!(
            Target::Primitive(4, 1).is(&who(4, 1), [1; 3]) && !Target::Primitive(4, 1).is(&who(4, 0), [1; 3])
        );
    }
}
