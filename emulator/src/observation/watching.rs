//! Watchers and profilers of the shaders of a device.

use std::sync::Arc;

use quadrille_check::events::{Event, Listener};
use quadrille_jit::abi::ImageArgs;
use quadrille_jit::call::LaneFn;
use quadrille_jit::interp::watch::{Range, Watch};
use quadrille_jit::placed::Placing;
use quadrille_profile::{Recorder, Sampler};
use quadrille_raster::Activity;
use quadrille_raster::sampling::View;

/// A watcher of a device's shaders, for [`DeviceOptions::watch`](crate::DeviceOptions).
///
/// Watchers come from [`check::watching`](crate::check::watching), from
/// [`Counting::watching`](crate::coverage::Counting::watching), or from [`Watching::new`] with a [`recorder`].
#[derive(Clone)]
pub struct Watching {
    watch: Arc<dyn Watch>,
    listener: Option<Arc<dyn Listener>>,
}

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watching")
    }
}

impl Watching {
    /// A watcher of shaders, for example a [`recorder`]. The trait is of the crate `quadrille-jit`.
    pub fn new(watch: Arc<dyn Watch>) -> Watching {
        Watching { watch, listener: None }
    }

    /// A watcher of shaders that also receives the events of the device. The traits are of the crates `quadrille-jit`
    /// and `quadrille-check`.
    pub fn listening<T: Watch + Listener + 'static>(watch: Arc<T>) -> Watching {
        Watching { watch: watch.clone(), listener: Some(watch) }
    }

    /// Returns the watcher of shaders.
    pub fn watch(&self) -> &Arc<dyn Watch> {
        &self.watch
    }

    /// Reports an event.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        if let Some(listener) = &self.listener {
            listener.told(event);
        }
    }

    /// Returns true if it needs the order of commands.
    pub(crate) fn looks_at_order(&self) -> bool {
        self.listener.as_ref().is_some_and(|listener| listener.looks_at_order())
    }

    /// Reports a new device to the watcher.
    pub(crate) fn begin(&self) {
        self.tell(&Event::Unwritten { record: View::unwritten().address() });
    }

    /// Reports bytes that the host or a command has written, or may write at any time.
    pub(crate) fn written(&self, base: u64, size: u64) {
        self.tell(&Event::Written(Range { base, size }));
    }
}

/// Tells the watcher where the texels of some views lie, as long as the value lives.
pub(crate) struct Shown {
    watch: Watching,
    records: Vec<u64>,
}

impl Shown {
    /// Registers the texels of these views. `None` without a watcher, and if the texels are not stored one by one.
    pub fn new(watch: Option<&Watching>, views: &[&View]) -> Option<Shown> {
        let watch = watch?.clone();
        let texels = views.iter().map(|view| view.texels()).collect::<Option<Vec<_>>>()?;
        let records: Vec<u64> = views.iter().map(|view| view.address()).collect();
        for (&record, texels) in records.iter().zip(texels) {
            watch.tell(&Event::Shown { record, texels: &Arc::new(texels) });
        }
        Some(Shown { watch, records })
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.records.iter().for_each(|&record| self.watch.tell(&Event::Hidden { record }));
    }
}

/// A profiler that samples program counters while shaders run, for [`DeviceOptions::sampling`](crate::DeviceOptions).
/// Generated code then records its source places. [`sampler`] makes one.
#[derive(Clone)]
pub struct Sampling(pub Arc<dyn Placing>);

impl std::fmt::Debug for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sampling")
    }
}

impl Sampling {
    /// Passes the source places of a function to the profiler, if the function has any.
    pub(crate) fn placed(&self, made: &LaneFn) {
        if let Some(code) = made.places() {
            self.0.placed(code);
        }
    }

    /// Reports that the device works, until the result is dropped.
    pub(crate) fn work(&self) -> Working<'_> {
        self.0.works(true);
        Working(self)
    }
}

/// Guard of a device that executes commands.
pub(crate) struct Working<'a>(&'a Sampling);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.0.works(false);
    }
}

/// Returns a recorder that counts the work of a device's shaders, including texels of images; with `heat`, also per
/// pixel. Only for devices of this crate.
pub fn recorder(heat: bool) -> Arc<Recorder> {
    let recorder = if heat { Recorder::with_heat() } else { Recorder::new() };
    Arc::new(recorder.with_texels(texels))
}

/// Returns a sampler of program counters while a device works, with names for all of its activities. Only for devices
/// of this crate.
pub fn sampler() -> Arc<Sampler> {
    Arc::new(Sampler::new(&Activity::NAMES))
}

#[expect(unsafe_code, reason = "reads the view of a call")]
fn texels(args: &ImageArgs) -> [u64; 2] {
    // SAFETY: observers are called only for image operations with a view that is not null. All views in the descriptors
    // of devices of this crate are heads of views made by the rasterizer, alive during the call.
    unsafe { quadrille_raster::sampling::traffic(args) }
}
