//! `render` with a vertex shader: its options, meshes from files, and the pair of shaders.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use quadrille::apps::mesh::{GeometryDesc, Mesh, Shape, match_varyings, read_obj};
use quadrille::files;
use quadrille::frontend::{self, Language, Origin, Stage};
use quadrille::{CullMode, Topology};
use quadrille_scene::animate::{self, Play};
use quadrille_scene::{frame, load, model};

use crate::entry;
use crate::report::{self, Failure, Result};
use crate::shader::{self, Shader, ShaderArgs};
use crate::watch;

/// Maximum size of an OBJ file, in bytes.
const MAX_OBJ_BYTES: u64 = 1 << 30;
/// Descriptor set of a vertex shader's uniforms outside blocks; those of the fragment shader are in set 0.
const VERTEX_SET: u32 = 3;

/// Advice about two files.
const PAIR: &str = "two files are a vertex and a fragment shader: quadrille render shader.vert shader.frag";

/// Options of the geometry for a vertex shader.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Vertex shaders")]
pub struct MeshArgs {
    /// Mesh that the vertex shader draws: .obj, .gltf or .glb
    #[arg(long, value_name = "FILE", conflicts_with = "vertices")]
    mesh: Option<PathBuf>,

    /// Draw this number of vertices without a mesh
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    vertices: Option<u32>,

    /// Topology of the vertices of --vertices
    #[arg(long, value_enum, value_name = "TOPOLOGY")]
    topology: Option<TopologyArg>,

    /// Triangles to cull; the front is counter-clockwise (default: none)
    #[arg(long, value_enum, value_name = "FACES")]
    cull: Option<CullArg>,

    /// Position of the camera, in the mesh's units (default: the whole mesh is visible)
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point)]
    eye: Option<[f32; 3]>,

    /// Point in the middle of the view (default: the centre of the mesh)
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point)]
    target: Option<[f32; 3]>,

    /// Entry point of the vertex shader, if the module has several
    #[arg(long, value_name = "NAME")]
    vertex_entry: Option<String>,
}

impl MeshArgs {
    /// True if an option for a vertex shader is given.
    pub fn is_given(&self) -> bool {
        let view = self.eye.is_some() || self.target.is_some() || self.cull.is_some();
        self.mesh.is_some() || self.vertices.is_some() || self.vertex_entry.is_some() || view
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TopologyArg {
    Points,
    Lines,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CullArg {
    None,
    Back,
    Front,
}

fn parse_point(text: &str) -> std::result::Result<[f32; 3], String> {
    let numbers: Vec<f32> =
        text.split(',').filter_map(|n| n.trim().parse().ok()).filter(|n: &f32| n.is_finite()).collect();
    match numbers[..] {
        [x, y, z] if text.matches(',').count() == 2 => Ok([x, y, z]),
        _ => Err("give three numbers, as in 0,1.5,4".into()),
    }
}

/// A vertex shader, if there is one, and its geometry.
pub struct Geometry {
    /// `None` if it is in the module of the fragment shader.
    vertex: Option<Shader>,
    drawn: Drawn,
    language: Language,
}

enum Drawn {
    Mesh(Mesh),
    Vertices(u32, Topology),
}

impl Geometry {
    /// The file of the vertex shader, if it has its own.
    pub fn vertex(&self) -> Option<&Shader> {
        self.vertex.as_ref()
    }
}

impl MeshArgs {
    /// Reads the shaders and the mesh. `second` is the file in addition to that of `args`.
    pub fn load(
        &self,
        args: &ShaderArgs,
        second: Option<&Path>,
        origin: Option<Origin>,
        children: &[(&str, &Path)],
    ) -> Result<(Shader, Option<Geometry>)> {
        let drawn = match (&self.mesh, self.vertices) {
            (Some(file), _) => Some(Drawn::Mesh(read_mesh(file)?)),
            (None, Some(n)) => Some(Drawn::Vertices(n, self.topology())),
            (None, None) => None,
        };
        let Some(second) = second else {
            let is_vertex = frontend::stage_of_path(&args.file) == Some(Stage::Vertex);
            if drawn.is_some() && is_vertex {
                return Err(Failure::usage(format!("{}: a fragment shader is missing", args.file.display()))
                    .help("name both: quadrille render shader.vert shader.frag --mesh model.obj"));
            }
            let file = shader::open(args, &args.file, Stage::Fragment)?;
            let origin = shader::origin(&[&file], origin);
            let shader = file.load(args, Stage::Fragment, 0, &origin, children)?;
            let Some(drawn) = drawn else {
                return Ok((shader, None));
            };
            let entries =
                quadrille::apps::inspect::entry_points(&shader.words).map_err(|e| shader.error(&e))?;
            if !entries.iter().any(|(_, stage)| *stage == Stage::Vertex) {
                let what = if self.mesh.is_some() { "--mesh" } else { "--vertices" };
                return Err(Failure::usage(format!("{}: there is no vertex shader for {what}", shader.name))
                    .help("name one: quadrille render shader.vert shader.frag --mesh model.obj"));
            }
            let language = shader.language;
            return Ok((shader, Some(Geometry { vertex: None, drawn, language })));
        };
        let [first, other] = stages([&args.file, second])?;
        let drawn = drawn.ok_or_else(|| match [first, other].contains(&Some(Stage::Vertex)) {
            true => Failure::usage("the vertex shader has nothing to draw")
                .help("add --mesh model.obj (.gltf, .glb) or --vertices N"),
            false => {
                let (file, second) = (args.file.display(), second.display());
                Failure::usage(format!("{file} and {second}: neither name is that of a vertex shader"))
                    .help(PAIR)
            }
        })?;
        // The files may be in either order, if their names tell the stages.
        let swapped = first == Some(Stage::Fragment) || other == Some(Stage::Vertex);
        let (vertex, fragment) =
            if swapped { (second, args.file.as_path()) } else { (args.file.as_path(), second) };
        let (vertex, fragment) =
            (shader::open(args, vertex, Stage::Vertex)?, shader::open(args, fragment, Stage::Fragment)?);
        let origin = shader::origin(&[&fragment, &vertex], origin);
        let mut vertex = vertex.load(args, Stage::Vertex, VERTEX_SET, &origin, &[])?;
        let mut shader = fragment.load(args, Stage::Fragment, 0, &origin, children)?;
        if shader.shadertoy || shader.agsl.is_some() {
            let message = format!("{}: pictures of Shadertoy and AGSL have no vertex shader", shader.name);
            return Err(Failure::usage(message));
        }
        if vertex.language == Language::Glsl && shader.language == Language::Glsl {
            let (of_vertex, of_fragment) = (vertex.text.as_str(), shader.text.as_str());
            match_varyings(
                &mut vertex.words,
                &mut shader.words,
                |name| frontend::has_location(of_vertex, name),
                |name| frontend::has_location(of_fragment, name),
            )
            .map_err(|e| Failure::device(&e, None))?;
        }
        let language = vertex.language;
        Ok((shader, Some(Geometry { vertex: Some(vertex), drawn, language })))
    }

    /// The geometry for a renderer; `fragment` is the module of the fragment shader.
    pub fn describe<'a>(
        &'a self,
        geometry: &'a Geometry,
        fragment: &'a Shader,
        background: Option<[f32; 3]>,
    ) -> GeometryDesc<'a> {
        let [r, g, b] = background.unwrap_or_default();
        GeometryDesc {
            words: geometry.vertex.as_ref().map_or(&fragment.words, |v| &v.words),
            entry: self.vertex_entry.as_deref(),
            shape: match &geometry.drawn {
                Drawn::Mesh(mesh) => Shape::Mesh(mesh),
                Drawn::Vertices(n, topology) => Shape::Vertices(*n, *topology),
            },
            cull: CullMode {
                front: self.cull == Some(CullArg::Front),
                back: self.cull == Some(CullArg::Back),
            },
            eye: self.eye,
            target: self.target,
            y_up: geometry.language == Language::Wgsl,
            background: [r, g, b, 1.0],
        }
    }

    /// `true` if the vertex shader lacks the entry point that the options name.
    pub fn lack_entry(&self, vertex: &Shader) -> bool {
        let name = self.vertex_entry.as_deref();
        name.is_some() && entry::lack_entry(name, Stage::Vertex, [vertex])
    }

    /// Adds to a failure the option that chooses the entry point of the vertex shader, if this has several.
    pub fn choosing(&self, failure: Failure, vertex: &Shader) -> Failure {
        let option = ("--vertex-entry", self.vertex_entry.as_deref());
        match self.is_given() {
            true => entry::choosing(failure, option, Stage::Vertex, [vertex]),
            false => failure,
        }
    }

    fn topology(&self) -> Topology {
        match self.topology.unwrap_or(TopologyArg::Triangles) {
            TopologyArg::Points => Topology::PointList,
            TopologyArg::Lines => Topology::LineList,
            TopologyArg::LineStrip => Topology::LineStrip,
            TopologyArg::Triangles => Topology::TriangleList,
            TopologyArg::TriangleStrip => Topology::TriangleStrip,
            TopologyArg::TriangleFan => Topology::TriangleFan,
        }
    }
}

/// The stages in the names of two files, which must be a vertex and a fragment shader unless neither name has a stage.
fn stages(files: [&Path; 2]) -> Result<[Option<Stage>; 2]> {
    let stages = files.map(frontend::stage_of_path);
    if let [Some(a), Some(b)] = stages
        && a == b
    {
        let [first, second] = files.map(Path::display);
        return Err(Failure::usage(format!("{first} and {second} are both {} shaders", a.name())).help(PAIR));
    }
    for (file, stage) in files.iter().zip(stages).filter_map(|(file, stage)| Some((file, stage?))) {
        if !matches!(stage, Stage::Vertex | Stage::Fragment) {
            let message =
                format!("{}: a {} shader is not used for this picture", file.display(), stage.name());
            return Err(Failure::usage(message).help(PAIR));
        }
    }
    Ok(stages)
}

fn read_mesh(path: &Path) -> Result<Mesh> {
    watch::note(path);
    let failed = |e: quadrille::Error| Failure::device(&e, None).in_file(&path.display().to_string());
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "obj" => {
            let bytes = files::given(path, MAX_OBJ_BYTES).map_err(|e| Failure::file("read", path, &e))?;
            read_obj(&String::from_utf8_lossy(&bytes)).map_err(failed)
        }
        "gltf" | "glb" => {
            let scene = load::file(path, &load::Limits::default()).map_err(failed)?;
            scene.warnings.iter().for_each(|w| report::warn(&format!("{}: {w}", path.display())));
            let frame = animate::frame(&scene, Play::Rest, 0.0).map_err(failed)?;
            let mesh = one_mesh(&scene, &frame);
            if mesh.positions.is_empty() {
                return Err(Failure::usage(format!("{}: the scene has no meshes", path.display())));
            }
            Ok(mesh)
        }
        _ => Err(Failure::usage(format!("{}: meshes are .obj, .gltf or .glb", path.display()))),
    }
}

/// All meshes of a scene as one, in world space: its triangles, or its other primitives if there are none. Colours are
/// multiplied by the base colours of materials.
fn one_mesh(scene: &model::Scene, frame: &frame::Frame) -> Mesh {
    let all = || {
        let of = |draw: &'_ frame::Draw| scene.meshes[draw.mesh].primitives.iter();
        frame.draws.iter().flat_map(move |draw| of(draw).map(move |primitive| (draw, primitive)))
    };
    let has = |topology| all().any(|(_, p)| p.topology == topology);
    let topology = [model::Topology::Triangles, model::Topology::Lines].into_iter().find(|t| has(*t));
    let topology = topology.unwrap_or(model::Topology::Points);
    let any = |f: fn(&model::Primitive) -> bool| all().any(|(_, p)| p.topology == topology && f(p));
    let is_colored = all().any(|(_, p)| {
        p.topology == topology
            && (p.colors.is_some() || scene.materials[p.material].base_color.to_array() != [1.0; 4])
    });
    let has_uvs = any(|p| p.uv[0].is_some());
    let has_tangents = any(|p| p.tangents.is_some()) && !any(|p| p.tangents.is_none());
    // The normals of parts with joints or morph targets are recomputed.
    let is_moved = all().any(|(draw, p)| draw.joints.is_some() || !p.targets.is_empty());
    let mut mesh = Mesh {
        topology: match topology {
            model::Topology::Points => Topology::PointList,
            model::Topology::Lines => Topology::LineList,
            model::Topology::Triangles => Topology::TriangleList,
        },
        ..Mesh::default()
    };
    for (draw, p) in all().filter(|(_, p)| p.topology == topology) {
        let first = mesh.positions.len() as u32;
        let joints = draw.joints.clone().map(|range| &frame.joints[range]);
        let n = p.positions.len();
        mesh.positions.extend((0..n).map(|i| animate::place(p, i, draw, joints).to_array()));
        let turned = draw.world.inverse().transpose();
        let mirrored = draw.world.determinant() < 0.0;
        if let Some(normals) = p.normals.as_ref().filter(|_| !is_moved) {
            let one = |n: &_| turned.transform_vector3(*n).normalize_or_zero().to_array();
            mesh.normals.extend(normals.iter().map(one));
        }
        if let Some(tangents) = p.tangents.as_ref().filter(|_| has_tangents && !is_moved) {
            mesh.tangents.extend(tangents.iter().map(|t| {
                let along = draw.world.transform_vector3(t.truncate()).normalize_or_zero();
                along.extend(if mirrored { -t.w } else { t.w }).to_array()
            }));
        }
        if has_uvs {
            let uvs = p.uv[0].as_ref();
            mesh.uvs.extend((0..n).map(|i| uvs.map_or([0.0; 2], |uvs| uvs[i].to_array())));
        }
        if is_colored {
            let base = scene.materials[p.material].base_color;
            let one = |i: usize| p.colors.as_ref().map_or(base, |c| c[i] * base).to_array();
            mesh.colors.extend((0..n).map(one));
        }
        add_indices(&mut mesh, p, first, mirrored);
    }
    // If one part has no normals, the normals of all parts are computed.
    if mesh.normals.len() != mesh.positions.len() {
        mesh.normals.clear();
    }
    mesh
}

/// Adds the indices of a primitive whose vertices start at `first`. A draw that mirrors triangles turns them round, so that
/// their front stays the front. Spec: glTF 2.0, 3.7.4, Instantiation.
fn add_indices(mesh: &mut Mesh, primitive: &model::Primitive, first: u32, mirrored: bool) {
    let start = mesh.indices.len();
    match &primitive.indices {
        Some(indices) => mesh.indices.extend(indices.iter().map(|i| i + first)),
        None => mesh.indices.extend(first..first + primitive.positions.len() as u32),
    }
    if mirrored && primitive.topology == model::Topology::Triangles {
        mesh.indices[start..].chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points() {
        assert_eq!(parse_point("0,-1.5, 4"), Ok([0.0, -1.5, 4.0]));
        for bad in ["", "1,2", "1,2,3,4", "a,b,c", "1,2,inf", "1,2,x,3"] {
            assert!(parse_point(bad).is_err(), "{bad}");
        }
    }
}
