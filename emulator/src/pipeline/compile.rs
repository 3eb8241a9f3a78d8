//! Shader modules and compiled variants of a device, created once while some object holds them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use once_cell::race::OnceBox;
use quadrille_jit::abi;
use quadrille_jit::call::{LaneFn, Upgrade};
use quadrille_jit::codegen::{self, CompileOptions};
use quadrille_jit::env::Opt;
use quadrille_jit::events;
use quadrille_jit::interp::{self, alarmed};
use quadrille_jit::ir::{self, Stage, StageKind, TessellationModes};
use quadrille_jit::reserve::Room;
use quadrille_jit::{Tier, budget, spirv};
use quadrille_raster::{Pace, Rivalry};

use super::layout::PipelineLayout;
use crate::device::Device;
use crate::error::{Error, Result, guard};
use crate::object::same_device;
use crate::observation::watching::Watching;
use crate::shader::dump;
use crate::shader::{
    BYTES_PER_WORD, COMPILER_ROOM, Key, ModuleInner, SECOND_TIER_AFTER, ShaderModule, ShaderStage, Shaders,
    Variant, Wide, check_limits, lock, meetings, room,
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
            mappings: stage.mappings.clone(),
            wide_indexing: stage.wide_indexing,
            output_vertices: None,
            layout: layout.clone(),
        }
    }
}

/// A shader stage to compile.
pub(crate) struct Wanted<'a> {
    /// The entry point and its module.
    pub stage: &'a ShaderStage,
    /// The pipeline stage.
    pub kind: Stage,
    /// Number of vertices of an output patch, if the shader does not declare it.
    pub output_vertices: Option<u32>,
}

impl Wanted<'_> {
    /// Returns the cache key of the stage under a layout. `Invalid` for a module of another device and for an
    /// unsupported subgroup size.
    fn key(&self, device: &Device, layout: &PipelineLayout) -> Result<Key> {
        same_device(&self.stage.module, device)?;
        let key = Key::new(device, self.stage, self.kind, layout.abi());
        match key.lanes {
            4 | 8 | 16 | 32 => Ok(Key { output_vertices: self.output_vertices, ..key }),
            n => Err(Error::invalid(format!("subgroup size {n}"))),
        }
    }
}

/// Approximate time to compile the smallest stage.
const STAGE_TIME: Duration = Duration::from_micros(60);

impl Shaders {
    /// Returns the module of these words. A module is parsed once while it is alive.
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
        let made = Arc::new(ModuleInner { device: device.id(), number, module, name: Mutex::default() });
        lock(&self.modules).insert(hash, &made);
        Ok(ShaderModule(made))
    }

    /// Returns the IR of a stage. A stage is lowered once while some object holds the result.
    pub fn lower(&self, device: &Device, stage: &ShaderStage, kind: Stage) -> Result<Arc<ir::Shader>> {
        // Module numbers are unique only within a device.
        same_device(&stage.module, device)?;
        static NOWHERE: OnceBox<Arc<abi::Layout>> = OnceBox::new();
        let key = Key::new(device, stage, kind, NOWHERE.get_or_init(Box::default));
        if let Some(found) = lock(&self.lowered).get(&key) {
            return Ok(found);
        }
        let words = stage.module.module().words().len();
        let _room = Room::new(COMPILER_ROOM + words * BYTES_PER_WORD)?;
        let lower = || {
            let module = stage.module.module();
            let options = device.options();
            let beside = match (&options.watch, &options.sampling) {
                (Some(_), _) => spirv::Beside::PlacesAndNotes,
                (None, Some(_)) => spirv::Beside::Places,
                (None, None) => spirv::Beside::Nothing,
            };
            let mappings = key.mappings.as_deref();
            let how = spirv::Lowering {
                spec: &key.spec,
                beside,
                lanes: Some(key.lanes),
                mappings,
                wide_indexing: key.wide_indexing,
            };
            let lower = || module.lower_as(&key.entry, kind, &how);
            budget::within(device.options().compile_budget, &key.entry, lower)
        };
        let made = Arc::new(guard("lowering", lower)?);
        if made.prints() {
            self.prints.store(true, Ordering::Release);
        }
        lock(&self.lowered).insert(key, &made);
        Ok(made)
    }

    /// Returns the variant of a stage under a layout. A variant is compiled once while it is alive.
    pub fn variant(
        &self,
        device: &Device,
        stage: &ShaderStage,
        kind: Stage,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        let wanted = Wanted { stage, kind, output_vertices: None };
        let key = wanted.key(device, layout)?;
        self.known(&key).map_or_else(|| self.make(device, &wanted, &key, layout), Ok)
    }

    /// Returns the variants of the stages of a pipeline, in order. Stages that are not cached are compiled in parallel;
    /// if several fail, the error of the first stage is returned.
    pub fn variants(
        &self,
        device: &Device,
        wanted: &[Wanted],
        layout: &PipelineLayout,
    ) -> Result<Vec<Arc<Variant>>> {
        let keys = wanted.iter().map(|w| w.key(device, layout)).collect::<Result<Vec<_>>>()?;
        let mut found: Vec<_> = keys.iter().map(|key| self.known(key).map(Ok)).collect();
        let missing: Vec<usize> = (0..wanted.len()).rev().filter(|&i| found[i].is_none()).collect();
        // The first pipeline of a device does not start threads.
        let helpers = device.pool().has_helpers() || self.pipelines.load(Ordering::Relaxed);
        if missing.len() > 1 && helpers {
            let made: Vec<OnceLock<_>> = missing.iter().map(|_| OnceLock::new()).collect();
            // The last stage comes first because it usually takes longest.
            device.pool().run_long(missing.len(), STAGE_TIME, |n| {
                let i = missing[n];
                let _ = made[n].set(self.make(device, &wanted[i], &keys[i], layout));
            });
            for (i, made) in missing.into_iter().zip(made) {
                found[i] = made.into_inner();
            }
        }
        self.pipelines.fetch_or(wanted.len() > 1, Ordering::Relaxed);
        let found = found.into_iter().zip(wanted.iter().zip(&keys));
        found.map(|(f, (w, key))| f.unwrap_or_else(|| self.make(device, w, key, layout))).collect()
    }

    /// Returns the variant if it is cached and alive.
    fn known(&self, key: &Key) -> Option<Arc<Variant>> {
        lock(&self.variants).get(key)
    }

    fn make(
        &self,
        device: &Device,
        wanted: &Wanted,
        key: &Key,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        let made = self.build(device, wanted.stage, key, layout)?;
        lock(&self.variants).insert(key.clone(), &made);
        Ok(made)
    }

    /// Builds the function of a watched shader. It is interpreted, or, if the watcher has an alarmed version, compiled
    /// and interpreted only after an alarm.
    fn watched(
        &self,
        device: &Device,
        (key, compile): (&Key, &CompileOptions),
        shader: &Arc<ir::Shader>,
        watching: &Watching,
    ) -> Result<LaneFn> {
        let watch = watching.watch();
        let options = device.options();
        let all = interp::build_watched(
            shader.clone(),
            compile.layout,
            compile.lanes,
            compile.image_ops,
            watch.clone(),
        )?;
        let alarmed = if options.interp { None } else { watch.alarmed(shader) };
        let Some(alarmed) = alarmed else { return Ok(all) };
        match budget::within(options.compile_budget, &key.entry, || codegen::compile(&alarmed, compile)) {
            Ok(quick) => {
                alarmed::build(quick, all, shader.clone(), compile.layout, watch.clone(), compile.image_ops)
            }
            Err(error) => {
                events::debug(format_args!("no code for the alarmed shader {}: {error}", key.entry));
                Ok(all)
            }
        }
    }

    fn build(
        &self,
        device: &Device,
        stage: &ShaderStage,
        key: &Key,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        let options = device.options();
        let _span = events::span(format_args!("compile {:?} {}", key.stage, key.entry));
        let shader = with_output_vertices(self.lower(device, stage, key.stage)?, key);
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
            missing: options.sparse_buffers,
        };
        let make = || unwatched(device, stage, &shader, &compile);
        let first = match &options.watch {
            Some(watch) => self.watched(device, (key, &compile), &shader, watch)?,
            None if options.interp && !options.check_proofs => make()?,
            None => budget::within(options.compile_budget, &key.entry, make)?,
        };
        if let Some(sampling) = &options.sampling {
            sampling.placed(&first);
        }
        let meetings = meetings(&shader);
        Ok(Arc::new_cyclic(|this: &Weak<Variant>| {
            let once = options.interp || options.watch.is_some() || options.opt != Opt::Auto;
            // A stage that requests a subgroup size is not widened.
            let wide = Wide::of(&shader, options.cpu, key.lanes).filter(|_| !once && stage.lanes.is_none());
            let lane_fn = if once {
                first
            } else {
                let (optimizer, this) = (self.optimizer.clone(), this.clone());
                let ask = move || optimizer.add(this.clone());
                first.with_upgrade(Upgrade::new(SECOND_TIER_AFTER, ask))
            };
            Variant {
                module: stage.module.clone(),
                spec: stage.spec.clone(),
                needs_order: meetings.ordered,
                rivalry: meetings.any.then(Rivalry::default),
                pace: Pace::default(),
                lanes: key.lanes,
                cpu: options.cpu,
                compile_budget: options.compile_budget,
                check_proofs: options.check_proofs,
                missing: options.sparse_buffers,
                sampling: options.sampling.clone(),
                layout: key.layout.clone(),
                image_ops,
                lane_fn,
                counted: OnceLock::new(),
                wide,
                optimizer: self.optimizer.clone(),
                shader,
            }
        }))
    }
}

/// Builds the function of a shader that is not watched. It is compiled or interpreted, and verifies the claims of the
/// compiler if the device checks proofs.
fn unwatched(
    device: &Device,
    stage: &ShaderStage,
    shader: &Arc<ir::Shader>,
    compile: &CompileOptions,
) -> Result<LaneFn> {
    let options = device.options();
    match (options.interp, options.check_proofs) {
        (true, false) => interp::build(shader.clone(), compile.layout, compile.lanes, compile.image_ops),
        (false, false) => dump::compile(&stage.module.dumped(&stage.spec), shader, compile),
        (false, true) => codegen::compile_checked(shader, compile),
        (true, true) => {
            let compile = CompileOptions { tier: Tier::Optimized, ..*compile };
            match codegen::compile_checked(shader, &compile)?.claims() {
                Some(claims) => interp::build_checked(claims, compile.layout, compile.image_ops),
                None => Err(Error::Internal("no claims".into())),
            }
        }
    }
}

/// The shader, with the number of vertices of an output patch that another stage declares.
fn with_output_vertices(shader: Arc<ir::Shader>, key: &Key) -> Arc<ir::Shader> {
    match (key.output_vertices, shader.kind) {
        (Some(n), StageKind::TessellationControl(modes)) => {
            let output_vertices = modes.output_vertices.or(Some(n));
            let kind = StageKind::TessellationControl(TessellationModes { output_vertices, ..modes });
            Arc::new(ir::Shader { kind, ..ir::Shader::clone(&shader) })
        }
        _ => shader,
    }
}
