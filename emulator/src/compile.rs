//! Modules and variants of a device: made once while somebody holds them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock, Weak};

use quadrille_jit::abi;
use quadrille_jit::call::Upgrade;
use quadrille_jit::codegen::{self, CompileOptions};
use quadrille_jit::env::Opt;
use quadrille_jit::ir::{self, Stage, StageKind, TessellationModes};
use quadrille_jit::reserve::Room;
use quadrille_jit::{Tier, budget, interp, spirv};
use quadrille_raster::Rivalry;

use crate::device::Device;
use crate::dump;
use crate::error::{Error, Result, guard};
use crate::object::same_device;
use crate::pipeline_layout::PipelineLayout;
use crate::shader::{
    BYTES_PER_WORD, COMPILER_ROOM, Key, ModuleInner, SECOND_TIER_AFTER, ShaderModule, ShaderStage, Shaders,
    Variant, check_limits, lock, meetings, room,
};

impl Key {
    fn new(device: &Device, stage: &ShaderStage, kind: Stage, layout: &Arc<abi::Layout>) -> Self {
        let mut spec = stage.spec.clone();
        spec.sort_unstable();
        Key {
            module: stage.module.0.number,
            entry: stage.entry.clone(),
            stage: kind,
            spec,
            lanes: stage.lanes.unwrap_or(device.options().lanes),
            output_vertices: None,
            layout: layout.clone(),
        }
    }
}

impl Shaders {
    /// The module of these words, parsed once while it lives.
    pub fn module(&self, device: &Device, words: &[u32]) -> Result<ShaderModule> {
        let hash = dump::hash(words);
        let known = lock(&self.modules).get(&hash);
        if let Some(found) = known.filter(|m| m.module.words() == words) {
            return Ok(ShaderModule(found));
        }
        let _room = Room::new(COMPILER_ROOM + words.len() * BYTES_PER_WORD)?;
        let parse =
            || budget::within(device.options().compile_budget, "module", || spirv::Module::parse(words));
        let module = guard("shader module", parse)?;
        let number = self.next_module.fetch_add(1, Ordering::Relaxed);
        let made = Arc::new(ModuleInner { device: device.id(), number, module });
        lock(&self.modules).insert(hash, &made);
        Ok(ShaderModule(made))
    }

    /// The IR of a stage, lowered once while it is held.
    pub fn lower(&self, device: &Device, stage: &ShaderStage, kind: Stage) -> Result<Arc<ir::Shader>> {
        // Modules are numbered per device.
        same_device(&stage.module, device)?;
        static NOWHERE: OnceLock<Arc<abi::Layout>> = OnceLock::new();
        let key = Key::new(device, stage, kind, NOWHERE.get_or_init(Arc::default));
        if let Some(found) = lock(&self.lowered).get(&key) {
            return Ok(found);
        }
        let words = stage.module.module().words().len();
        let _room = Room::new(COMPILER_ROOM + words * BYTES_PER_WORD)?;
        let lower = || {
            let lower = || stage.module.module().lower(&key.entry, kind, &key.spec);
            budget::within(device.options().compile_budget, &key.entry, lower)
        };
        let made = Arc::new(guard("lowering", lower)?);
        lock(&self.lowered).insert(key, &made);
        Ok(made)
    }

    /// The variant of a stage under a layout, compiled once while it lives.
    pub fn variant(
        &self,
        device: &Device,
        stage: &ShaderStage,
        kind: Stage,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        self.variant_of(device, stage, kind, layout, None)
    }

    /// As [`variant`](Self::variant), with the vertices of an output patch if the stage does not state them.
    pub fn variant_of(
        &self,
        device: &Device,
        stage: &ShaderStage,
        kind: Stage,
        layout: &PipelineLayout,
        output_vertices: Option<u32>,
    ) -> Result<Arc<Variant>> {
        same_device(&stage.module, device)?;
        let key = Key { output_vertices, ..Key::new(device, stage, kind, layout.abi()) };
        if ![4, 8, 16, 32].contains(&key.lanes) {
            return Err(Error::invalid(format!("subgroup size {}", key.lanes)));
        }
        if let Some(found) = lock(&self.variants).get(&key) {
            return Ok(found);
        }
        let made = self.build(device, stage, &key, layout)?;
        lock(&self.variants).insert(key, &made);
        Ok(made)
    }

    fn build(
        &self,
        device: &Device,
        stage: &ShaderStage,
        key: &Key,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        let options = device.options();
        let _span = tracing::debug_span!("compile", entry = %key.entry, stage = ?key.stage).entered();
        let mut shader = self.lower(device, stage, key.stage)?;
        if let (Some(n), StageKind::TessellationControl(modes)) = (key.output_vertices, shader.kind) {
            let output_vertices = modes.output_vertices.or(Some(n));
            let kind = StageKind::TessellationControl(TessellationModes { output_vertices, ..modes });
            shader = Arc::new(ir::Shader { kind, ..ir::Shader::clone(&shader) });
        }
        layout.check(&shader)?;
        check_limits(&shader)?;
        let image_ops = device.images().ops();
        let _room = room(&shader)?;
        let tier = if options.opt == Opt::Speed { Tier::Optimized } else { Tier::First };
        let compile = CompileOptions {
            lanes: key.lanes,
            tier,
            layout: &key.layout,
            cpu: options.cpu,
            image_ops: &*image_ops,
        };
        let make = || match (options.interp, options.check_proofs) {
            (true, false) => interp::build(shader.clone(), &key.layout, key.lanes, &*image_ops),
            (false, false) => dump::compile(stage.module.module().words(), &shader, &compile),
            (false, true) => codegen::compile_checked(&shader, &compile),
            (true, true) => {
                let compile = CompileOptions { tier: Tier::Optimized, ..compile };
                match codegen::compile_checked(&shader, &compile)?.claims() {
                    Some(claims) => interp::build_checked(claims, &key.layout, &*image_ops),
                    None => Err(Error::Internal("no claims".into())),
                }
            }
        };
        let first = match options.interp && !options.check_proofs {
            true => make()?,
            false => budget::within(options.compile_budget, &key.entry, make)?,
        };
        let meetings = meetings(&shader);
        Ok(Arc::new_cyclic(|this: &Weak<Variant>| {
            let lane_fn = if options.interp || options.opt != Opt::Auto {
                first
            } else {
                let (optimizer, this) = (self.optimizer.clone(), this.clone());
                let ask = move || optimizer.add(this.clone());
                first.with_upgrade(Upgrade::new(SECOND_TIER_AFTER, ask))
            };
            Variant {
                module: stage.module.clone(),
                needs_order: meetings.ordered,
                rivalry: meetings.any.then(Rivalry::default),
                lanes: key.lanes,
                cpu: options.cpu,
                compile_budget: options.compile_budget,
                check_proofs: options.check_proofs,
                layout: key.layout.clone(),
                image_ops,
                lane_fn,
                shader,
            }
        }))
    }
}
