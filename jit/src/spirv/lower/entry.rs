//! Lowering of an entry point, from its execution modes to its outputs.

use rustc_hash::FxHashMap;

use super::debug::Collect;
use super::{Lower, capture, geometry, interface, scope, slots};
use crate::error::{Error, Result};
use crate::ir::{self, Region, Shader, Src, Stage};
use crate::spirv::heap::Mapping;
use crate::spirv::module::{EntryPoint, Module};
use crate::spirv::sizes::Types;

/// Information that lowering produces in addition to the IR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// No additional information.
    #[default]
    Nothing,
    /// Debug information; see [`Module::lower_placed`].
    Places,
    /// Debug information and notes; see [`Module::lower_noted`].
    PlacesAndNotes,
}

/// Options for lowering an entry point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lowering<'a> {
    /// Specialization constants as (SpecId, bits).
    pub spec: &'a [(u32, u64)],
    /// Information to produce in addition to the IR.
    pub beside: Beside,
    /// Subgroup size, on which the scalars of cooperative matrices depend (default: 8).
    pub lanes: Option<u32>,
    /// Mappings of resource variables to descriptor heaps, if the shader uses heaps. The first mapping that fits
    /// applies.
    pub mappings: Option<&'a [Mapping]>,
    /// `true` if indices make offsets of 64 bits even without execution mode Shader64BitIndexingEXT.
    pub wide_indexing: bool,
}

/// Lowers an entry point; see [`Module::lower`].
fn lower<'m>(m: &'m Module, name: &str, stage: Stage, how: &Lowering<'m>) -> Result<Shader> {
    let Some(entry) = m.entry_points().iter().find(|e| e.name == name && e.stage == stage) else {
        let list: Vec<_> = m.entry_points().iter().map(|e| format!("{} ({:?})", e.name, e.stage)).collect();
        return Err(Error::invalid(format!(
            "no {stage:?} entry point '{name}'; the module has: {}",
            if list.is_empty() { "none".to_owned() } else { list.join(", ") }
        )));
    };
    let mut lower = Lower::new(m, entry, how);
    if let Some(lanes) = how.lanes {
        lower.types.lanes = lanes;
    }
    lower.types.wide_indexing = how.wide_indexing;
    lower.debug = (how.beside != Beside::Nothing).then(|| Box::new(Collect::new(m, entry.function)));
    lower.modes(entry)?;
    lower.run(entry)?;
    let mut shader = lower.finish()?;
    scope::repair(&mut shader);
    ir::verify_at(&shader).map_err(|(message, src)| match m.def(src.id) {
        Some(inst) => m.invalid(inst, message),
        None => Error::invalid(format!("entry point '{name}': {message}")),
    })?;
    Ok(shader)
}

impl Module {
    /// Lowers an entry point, with specialization constants given as (SpecId, bits).
    ///
    /// # Errors
    /// See [`crate::error::Error`]; its place names the instruction, its id and source line.
    pub fn lower(&self, name: &str, stage: Stage, spec: &[(u32, u64)]) -> Result<Shader> {
        lower(self, name, stage, &Lowering { spec, ..Lowering::default() })
    }

    /// Like [`Module::lower`], with [`Shader::debug`], so that generated code can be traced to source locations.
    pub fn lower_placed(&self, name: &str, stage: Stage, spec: &[(u32, u64)]) -> Result<Shader> {
        lower(self, name, stage, &Lowering { spec, beside: Beside::Places, ..Lowering::default() })
    }

    /// Like [`Module::lower`], for observers of the interpreter: with notes ([`ir::Note`]) and with [`Shader::debug`].
    pub fn lower_noted(&self, name: &str, stage: Stage, spec: &[(u32, u64)]) -> Result<Shader> {
        lower(self, name, stage, &Lowering { spec, beside: Beside::PlacesAndNotes, ..Lowering::default() })
    }

    /// Like [`Module::lower`], with all options.
    pub fn lower_as<'m>(&'m self, name: &str, stage: Stage, how: &Lowering<'m>) -> Result<Shader> {
        lower(self, name, stage, how)
    }
}

impl<'m> Lower<'m> {
    fn new(m: &'m Module, entry: &EntryPoint, how: &Lowering<'m>) -> Self {
        Lower {
            module: m,
            mappings: how.mappings,
            types: Types::new(m, how.spec),
            shader: Shader {
                body: Region::default(),
                vulkan_memory_model: m.is_vulkan_memory_model(),
                is_kernel: m.has_kernels(),
                ..Shader::empty(ir::StageKind::of(entry.stage), &entry.name)
            },
            cur: Vec::new(),
            prelude: Vec::new(),
            first: Vec::new(),
            consts: FxHashMap::default(),
            const_values: FxHashMap::default(),
            handles: FxHashMap::default(),
            parts: FxHashMap::default(),
            ordered_anywhere: None,
            image_bindings: FxHashMap::default(),
            globals: FxHashMap::default(),
            known: FxHashMap::default(),
            frames: Vec::new(),
            label_uses: Vec::new(),
            src: Src::default(),
            nodes: 0,
            apart: 0,
            var_scalars: 0,
            depth: 0,
            loop_depth: 0,
            io: interface::Io::default(),
            keeps_denorms: false,
            keeps_zeros: m.capabilities().contains(&spirv::Capability::FloatControls2),
            derivative_group: None,
            arrived: 0,
            said_aligned: 0,
            captures: false,
            quad_ids: None,
            local_queries: super::ray::Locals::default(),
            kernel: super::kernel::State::default(),
            noted: how.beside == Beside::PlacesAndNotes,
            operands: ir::MemoryOperands::default(),
            debug: None,
        }
    }

    /// Lowers the body of the entry point, then the outputs.
    fn run(&mut self, entry: &EntryPoint) -> Result<()> {
        self.io.interface = entry.interface.iter().copied().collect();
        self.note_sample_shading();
        self.initialized_outputs()?;
        if self.shader.stage == Stage::Geometry || self.captures {
            self.all_outputs()?;
        }
        let arguments = self.arguments(entry.function)?;
        let end = self.inline(entry.function, arguments)?;
        if end != ir::End::Yield(Vec::new()) {
            self.dead_call(end);
        }
        self.src = Src::default();
        match self.shader.stage {
            // The shader's own stores write these outputs.
            stage if stage.writes_vertices() => {}
            Stage::Geometry => self.emitted_outputs(),
            Stage::Fragment => {
                self.debug_outputs();
                self.store_outputs();
            }
            _ => self.store_outputs(),
        }
        self.shader.body.end = ir::End::Return;
        Ok(())
    }

    /// Assembles prelude, initializers and body into the shader.
    fn finish(mut self) -> Result<Shader> {
        let mut nodes = std::mem::take(&mut self.prelude);
        nodes.append(&mut self.first);
        nodes.append(&mut self.cur);
        self.shader.body.nodes = nodes;
        if self.types.is_cooperative {
            self.shader.subgroup_size = Some(self.types.lanes);
            self.shader.observes_subgroup = true;
        }
        self.debug_finish();
        self.shader.n_labels = self.label_uses.len() as u32;
        let (leaves, captured) =
            (std::mem::take(&mut self.io.emitted), std::mem::take(&mut self.io.captured));
        super::attachment::leave_out(&mut self.shader);
        slots::sort(&mut self.shader);
        capture::list(&mut self.shader, &captured);
        geometry::choose(&mut self.shader, &leaves);
        Ok(self.shader)
    }
}
