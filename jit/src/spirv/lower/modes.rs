//! Applies execution modes to a shader.

use super::{Lower, mesh};
use crate::error::{Error, Result};
use crate::ir::{self, Note, Stage};
use crate::spirv::module::EntryPoint;
use crate::spirv::tables::{self, Mode};

impl Lower<'_> {
    /// Applies and checks the execution modes of an entry point.
    pub(super) fn modes(&mut self, entry: &EntryPoint) -> Result<()> {
        let arg = |args: &[u32], i: usize| {
            args.get(i).copied().ok_or_else(|| Error::invalid("execution mode without its operands"))
        };
        self.launch_modes(entry);
        for (mode, args) in &entry.modes {
            if *mode == spirv::ExecutionMode::MaximallyReconvergesKHR {
                self.note_zeros(Note::MaximallyReconverges);
            }
            match tables::mode(*mode)? {
                // The host states the size, which differs between the parts of a launch.
                Mode::LocalSize | Mode::LocalSizeId if self.is_part() => {}
                Mode::LocalSize => {
                    for i in 0..3 {
                        self.shader.local_size[i] = arg(args, i)?;
                    }
                }
                Mode::LocalSizeId => {
                    for i in 0..3 {
                        self.shader.local_size[i] = self.types.const_u32(arg(args, i)?)?;
                    }
                }
                // The host takes the hint if its caller states no size.
                Mode::LocalSizeHint | Mode::LocalSizeHintId => {}
                Mode::EarlyFragmentTests => self.shader.early_fragment_tests = true,
                Mode::PostDepthCoverage => {
                    (self.shader.early_fragment_tests, self.shader.post_depth_coverage) = (true, true);
                }
                Mode::Depth(layout) => self.shader.depth_layout = layout,
                Mode::FullQuads => self.shader.needs_quads = true,
                Mode::DenormPreserve if arg(args, 0)? == 32 => self.keeps_denorms = true,
                Mode::SignedZeros => self.keeps_zeros = true,
                Mode::WideIndexing => self.types.wide_indexing = true,
                Mode::UnorderedReads(of) => self.shader.unordered_reads[of] = true,
                Mode::DerivativeGroup(group) => self.derivative_group = Some(group),
                Mode::Xfb => {
                    let stages = [Stage::Vertex, Stage::TessellationEvaluation, Stage::Geometry];
                    self.captures = stages.contains(&entry.stage);
                }
                Mode::DenormPreserve | Mode::Hint => {}
                mode => self.stage_mode(mode, args)?,
            }
        }
        self.check_modes()?;
        if entry.stage.has_workgroups() { self.check_workgroups() } else { Ok(()) }
    }

    /// Applies an execution mode of tessellation, geometry or mesh shaders.
    fn stage_mode(&mut self, mode: Mode, args: &[u32]) -> Result<()> {
        use ir::StageKind as K;
        let count = args.first().copied();
        match (&mut self.shader.kind, mode) {
            (K::TessellationControl(modes) | K::TessellationEvaluation(modes), _) => match mode {
                Mode::OutputVertices => modes.output_vertices = count,
                Mode::Domain(domain) => modes.domain = Some(domain),
                Mode::Spacing(spacing) => modes.spacing = Some(spacing),
                Mode::Order(order) => modes.order = Some(order),
                Mode::PointMode => modes.point_mode = true,
                _ => return Err(Error::invalid(format!("{mode:?} in a tessellation shader"))),
            },
            (K::Geometry(modes), _) => match mode {
                Mode::OutputVertices => modes.max_vertices = count.unwrap_or(0),
                Mode::Invocations => modes.invocations = count.unwrap_or(0),
                Mode::Input(input) => modes.input = input,
                Mode::Domain(ir::TessellationDomain::Triangles) => modes.input = ir::GeometryInput::Triangles,
                Mode::Output(output) => modes.output = output,
                _ => return Err(Error::invalid(format!("{mode:?} in a geometry shader"))),
            },
            (K::Mesh(modes), _) => return mesh::mode(modes, mode, count),
            (kind, _) => return Err(Error::invalid(format!("{mode:?} in a {:?} shader", kind.stage()))),
        }
        Ok(())
    }

    /// Checks the combination of execution modes.
    fn check_modes(&self) -> Result<()> {
        let (count, most, what) = match self.shader.kind {
            ir::StageKind::TessellationControl(modes) => {
                // If this shader does not declare the count, the evaluation shader does.
                (modes.output_vertices.unwrap_or(1), ir::MAX_PATCH_VERTICES, "vertices of an output patch")
            }
            ir::StageKind::Geometry(modes) => {
                let most = ir::MAX_GEOMETRY_INVOCATIONS;
                if !(1..=most).contains(&modes.invocations) {
                    let n = modes.invocations;
                    return Err(Error::Limit(format!("{n} geometry invocations; must be from 1 to {most}")));
                }
                (modes.max_vertices, ir::MAX_GEOMETRY_VERTICES, "vertices that geometry emits")
            }
            ir::StageKind::Mesh(modes) => return mesh::check_modes(modes),
            _ => return Ok(()),
        };
        match count {
            0 => Err(Error::invalid(format!("no {what}: OutputVertices is missing or 0"))),
            n if n > most => Err(Error::Limit(format!("{n} {what}, at most {most}"))),
            _ => Ok(()),
        }
    }
}
