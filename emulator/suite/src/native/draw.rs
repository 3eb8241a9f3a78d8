//! The parts of a draw besides its fragment shader: converts a test's table to a [`ShaderTest`].

use quadrille::data::list;
use quadrille::data::names::format;
use quadrille::files::MAX_DATA_BYTES;
use quadrille::frontend::Options;
use quadrille::{
    BlendEquation, BlendFactor, BlendOp, BlendState, DepthBias, DepthState, Format, ShaderTest, Stage,
    StencilDynamic, StencilFace, TestVertices, VertexRate,
};
use toml::Spanned;

use super::form::{self, Blend};
use super::job::Job;
use super::names;
use crate::outcome::Failure;

/// Default format of colour attachments.
const COLOR: Format = Format::R8G8B8A8_UNORM;

impl Job<'_> {
    /// Looks up a value by its name; fails at the place of an unknown name.
    fn named<T>(
        &self,
        name: &Option<Spanned<String>>,
        of: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Failure> {
        let value = |name: &Spanned<String>| of(name.get_ref()).map_err(|m| self.suite.wrong(name, m));
        name.as_ref().map(value).transpose()
    }

    /// Sets stages, vertices, attachments and state.
    pub fn drawing(&mut self, run: ShaderTest, options: &Options) -> Result<ShaderTest, Failure> {
        let test = self.test;
        let mut run = self.stages(run, options)?;
        run = self.vertices(run)?;
        run = self.attachments(run)?;
        run = self.depth_stencil(run)?;
        let cull = self.named(&test.cull, names::cull)?;
        let front_face = self.named(&test.front_face, names::front_face)?;
        let polygon_mode = self.named(&test.polygon, names::polygon)?;
        run = run.state(|state, _| {
            state.cull = cull.unwrap_or(state.cull);
            state.front_face = front_face.unwrap_or(state.front_face);
            state.polygon_mode = polygon_mode.unwrap_or(state.polygon_mode);
            state.primitive_restart = test.restart.unwrap_or(false);
        });
        Ok(run.samples(test.samples.unwrap_or(1)))
    }

    fn stages(&mut self, mut run: ShaderTest, options: &Options) -> Result<ShaderTest, Failure> {
        let (suite, test) = (self.suite, self.test);
        let stages = [
            (Stage::Vertex, &test.vertex),
            (Stage::TessellationControl, &test.tessellation_control),
            (Stage::TessellationEvaluation, &test.tessellation_evaluation),
            (Stage::Geometry, &test.geometry),
            (Stage::Task, &test.task),
            (Stage::Mesh, &test.mesh),
        ];
        for (stage, given) in stages {
            let Some(given) = given else { continue };
            let (file, entry) = match given.get_ref() {
                form::Stage::File(file) => (file, None),
                form::Stage::Entry(with) => (&with.shader, with.entry.as_ref()),
            };
            let path = self.path(file);
            let bytes = suite.folders().read(&path, MAX_DATA_BYTES);
            let bytes = bytes.map_err(|e| suite.wrong(given, format!("cannot read {path}: {e}")))?;
            let at = Some(suite.place(given.span().start));
            let added = run.stage_source(stage, &path, &bytes, options);
            self.files.extend(options.includes.found());
            run = added.map_err(|e| Failure::of_error(&e, at))?;
            if let Some(entry) = entry {
                run = run.stage_entry(stage, entry);
            }
        }
        if let Some(groups) = &test.workgroups {
            run = run.workgroups(self.three(groups)?);
        }
        Ok(run)
    }

    /// Parses one to three numbers.
    pub fn three(&self, numbers: &Spanned<Vec<u32>>) -> Result<[u32; 3], Failure> {
        match numbers.get_ref()[..] {
            [x] => Ok([x, 1, 1]),
            [x, y] => Ok([x, y, 1]),
            [x, y, z] => Ok([x, y, z]),
            _ => Err(self.suite.wrong(numbers, "one to three numbers")),
        }
    }

    fn vertices(&mut self, mut run: ShaderTest) -> Result<ShaderTest, Failure> {
        let (suite, test) = (self.suite, self.test);
        for (location, attribute) in &test.attribute {
            let number = location.get_ref().trim().parse();
            let number = number.map_err(|_| suite.wrong(location, "a location is a number, as in \"0\""))?;
            let given = attribute.get_ref();
            let format = format(&given.format).map_err(|m| suite.wrong(attribute, m))?;
            let bytes = self.bytes_of(&given.values).map_err(|m| suite.wrong(attribute, m))?;
            let stride = given.stride.unwrap_or(format.bytes());
            if given.stride.is_none() && !bytes.len().is_multiple_of(stride.max(1) as usize) {
                let message =
                    format!("{} bytes are not a whole number of {}", bytes.len(), format.info().name);
                return Err(suite.wrong(attribute, message));
            }
            let rate = if given.per_instance { VertexRate::Instance(1) } else { VertexRate::Vertex };
            let attributes = vec![(number, format, given.offset)];
            run = run.vertex_buffer(TestVertices { bytes, stride, rate, attributes });
        }
        if let Some(indices) = &test.indices {
            run = self.indices(run, indices)?;
        }
        if let Some(topology) = self.named(&test.topology, names::topology)? {
            run = run.topology(topology);
        }
        if let Some(vertices) = test.patch {
            run = run.patches(vertices);
        }
        if let Some(count) = test.vertices {
            run = run.vertices(count);
        }
        Ok(run.instances(test.instances.unwrap_or(1)))
    }

    fn indices(&self, run: ShaderTest, indices: &Spanned<String>) -> Result<ShaderTest, Failure> {
        let wrong = |m: String| self.suite.wrong(indices, m);
        let text = indices.get_ref();
        let bytes = list::encode(text).map_err(wrong)?;
        match text.split_once(':').map(|(ty, _)| ty.trim()) {
            Some("u8") => Ok(run.indices(&bytes)),
            Some("u16") => {
                let (indices, _) = bytes.as_chunks::<2>();
                Ok(run.indices(indices))
            }
            Some("u32") => {
                let (indices, _) = bytes.as_chunks::<4>();
                Ok(run.indices(indices))
            }
            _ => Err(wrong("indices are u8, u16 or u32, as in \"u16: 0, 1, 2\"".into())),
        }
    }

    fn attachments(&self, mut run: ShaderTest) -> Result<ShaderTest, Failure> {
        let test = self.test;
        let own = test.target.is_some() || test.clear.is_some() || test.blend.is_some();
        if let Some(first) = test.attachment.first().filter(|_| own) {
            let message =
                "`target`, `clear` and `blend` are for a single attachment; with several, each has its own";
            return Err(self.suite.wrong(first, message));
        }
        let only =
            form::Attachment { format: test.target.clone(), clear: test.clear, blend: test.blend.clone() };
        let several = test.attachment.iter().map(Spanned::get_ref);
        let all: Vec<&form::Attachment> =
            if test.attachment.is_empty() { vec![&only] } else { several.collect() };
        for (number, attachment) in all.into_iter().enumerate() {
            let format = self.named(&attachment.format, format)?.unwrap_or(COLOR);
            let clear = attachment.clear.unwrap_or_default();
            let blend = match &attachment.blend {
                Some(given) => blend(given.get_ref()).map_err(|m| self.suite.wrong(given, m))?,
                None => BlendState::default(),
            };
            run = match number {
                0 => run.target(format).clear(clear).blend(blend),
                _ => run.attachment(format, clear, blend),
            };
        }
        Ok(run)
    }

    fn depth_stencil(&self, run: ShaderTest) -> Result<ShaderTest, Failure> {
        let (depth, stencil) = (self.test.depth.as_ref(), self.test.stencil.as_ref());
        if depth.is_none() && stencil.is_none() {
            return Ok(run);
        }
        let formats = [
            depth.and_then(|d| Some((d.get_ref().format.as_ref()?, d.span()))),
            stencil.and_then(|s| Some((s.get_ref().format.as_ref()?, s.span()))),
        ];
        let wrong =
            |span: std::ops::Range<usize>, m: String| Failure::new(m, Some(self.suite.place(span.start)));
        let format = match formats {
            [Some((a, _)), Some((b, at))] if a != b => {
                return Err(wrong(
                    at,
                    format!("depth and stencil values share one image: choose {a} or {b}"),
                ));
            }
            [Some((name, at)), _] | [None, Some((name, at))] => format(name).map_err(|m| wrong(at, m))?,
            [None, None] => match (depth, stencil) {
                (Some(_), None) => Format::D32_SFLOAT,
                (None, _) => Format::S8_UINT,
                _ => Format::D32_SFLOAT_S8_UINT,
            },
        };
        let before = depth.and_then(|d| d.get_ref().clear).unwrap_or(1.0);
        let mut run =
            run.depth_stencil(format, before, stencil.and_then(|s| s.get_ref().clear).unwrap_or(0).into());
        if let Some(given) = depth {
            run = depth_state(run, given.get_ref()).map_err(|m| self.suite.wrong(given, m))?;
        }
        if let Some(given) = stencil {
            run = stencil_state(run, given.get_ref()).map_err(|m| self.suite.wrong(given, m))?;
        }
        Ok(run)
    }
}

fn depth_state(run: ShaderTest, given: &form::Depth) -> Result<ShaderTest, String> {
    let compare = names::compare(given.test.as_deref().unwrap_or("less"))?;
    let write = given.write.unwrap_or(true);
    Ok(run.state(|state, dynamic| {
        state.depth = DepthState { test: true, write, compare, bounds: given.bounds.is_some() };
        state.depth_clamp = given.clamp.unwrap_or(false);
        dynamic.depth_bounds = given.bounds.unwrap_or(dynamic.depth_bounds);
        if let Some([constant, clamp, slope]) = given.bias {
            state.depth_bias = true;
            dynamic.depth_bias = DepthBias { constant, clamp, slope, ..DepthBias::default() };
        }
    }))
}

fn stencil_state(run: ShaderTest, given: &form::Stencil) -> Result<ShaderTest, String> {
    let face = |face: &form::Face| -> Result<(StencilFace, StencilDynamic), String> {
        let op = |name: &Option<String>| names::stencil_op(name.as_deref().unwrap_or("keep"));
        let ops = StencilFace {
            fail: op(&face.fail)?,
            pass: op(&face.pass)?,
            depth_fail: op(&face.depth_fail)?,
            compare: names::compare(face.test.as_deref().unwrap_or("always"))?,
        };
        let values = StencilDynamic {
            compare_mask: face.compare_mask.unwrap_or(0xff).into(),
            write_mask: face.write_mask.unwrap_or(0xff).into(),
            reference: face.reference.unwrap_or(0).into(),
        };
        Ok((ops, values))
    };
    let front = face(&given.front)?;
    let back = given.back.as_ref().map_or(Ok(front), face)?;
    Ok(run.state(|state, dynamic| {
        state.stencil_test = true;
        state.stencil = [front.0, back.0];
        dynamic.stencil = [front.1, back.1];
    }))
}

fn blend(given: &Blend) -> Result<BlendState, String> {
    use BlendFactor::{DstColor, One, OneMinusSrcAlpha, Zero};
    let both = |src, dst| {
        let equation = BlendEquation { src, dst, op: BlendOp::Add };
        BlendState { enable: true, equations: [equation; 2], write_mask: 0xf }
    };
    let given = match given {
        Blend::Name(name) => {
            return match name.as_str() {
                "none" => Ok(BlendState::default()),
                "alpha" => Ok(BlendState::source_over()),
                "premultiplied" => Ok(both(One, OneMinusSrcAlpha)),
                "add" => Ok(both(One, One)),
                "multiply" => Ok(both(DstColor, Zero)),
                _ => Err(format!("`{name}` is not a blend mode: none, alpha, premultiplied, add, multiply")),
            };
        }
        Blend::Equations(given) => given,
    };
    let factor = |name: &Option<String>, default| name.as_deref().map_or(Ok(default), names::blend_factor);
    let op = |name: &Option<String>, default| name.as_deref().map_or(Ok(default), names::blend_op);
    let color = BlendEquation {
        src: factor(&given.src, One)?,
        dst: factor(&given.dst, Zero)?,
        op: op(&given.op, BlendOp::Add)?,
    };
    let alpha = BlendEquation {
        src: factor(&given.src_alpha, color.src)?,
        dst: factor(&given.dst_alpha, color.dst)?,
        op: op(&given.op_alpha, color.op)?,
    };
    let mut write_mask = 0;
    for c in given.write.as_deref().unwrap_or("rgba").chars() {
        let at = "rgba".find(c).ok_or_else(|| format!("`{c}` is not one of the components r, g, b and a"))?;
        write_mask |= 1 << at;
    }
    Ok(BlendState { enable: true, equations: [color, alpha], write_mask })
}
