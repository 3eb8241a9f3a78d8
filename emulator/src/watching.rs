//! Who watches the shaders of a device.

use std::sync::Arc;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::call::LaneFn;
use quadrille_jit::interp::events::Event;
use quadrille_jit::interp::watch::{Range, Watch};
use quadrille_jit::placed::Placing;
use quadrille_profile::{Recorder, Sampler};
use quadrille_raster::Activity;
use quadrille_raster::sampling::View;

/// A watcher of shaders: see [`quadrille_jit::interp::watch`].
#[derive(Clone)]
pub struct Watching(pub Arc<dyn Watch>);

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watching")
    }
}

impl Watching {
    /// A device begins.
    pub(crate) fn begin(&self) {
        self.0.told(&Event::Unwritten { record: View::unwritten().address() });
    }

    /// The host or a command has written bytes, or may do so at any time.
    pub(crate) fn written(&self, base: u64, size: u64) {
        self.0.told(&Event::Written(Range { base, size }));
    }
}

/// Whoever watches the device knows where the texels of views are as long as this lives.
pub(crate) struct Shown {
    watch: Watching,
    records: Vec<u64>,
}

impl Shown {
    /// Of these records. `None` if nobody watches, or if texels do not lie one by one.
    pub fn new(watch: Option<&Watching>, views: &[&View]) -> Option<Shown> {
        let watch = watch?.clone();
        let texels = views.iter().map(|view| view.texels()).collect::<Option<Vec<_>>>()?;
        let records: Vec<u64> = views.iter().map(|view| view.address()).collect();
        for (&record, texels) in records.iter().zip(texels) {
            watch.0.told(&Event::Shown { record, texels: &Arc::new(texels) });
        }
        Some(Shown { watch, records })
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.records.iter().for_each(|&record| self.watch.0.told(&Event::Hidden { record }));
    }
}

/// Who looks at where processors are while shaders run: see [`quadrille_jit::placed`]. Their code then says which place
/// of the source it is from.
#[derive(Clone)]
pub struct Sampling(pub Arc<dyn Placing>);

impl std::fmt::Debug for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sampling")
    }
}

impl Sampling {
    /// Tells of a function, if it has places.
    pub(crate) fn placed(&self, made: &LaneFn) {
        if let Some(code) = made.places() {
            self.0.placed(code);
        }
    }

    /// The device works as long as what is returned lives.
    pub(crate) fn work(&self) -> Working<'_> {
        self.0.works(true);
        Working(self)
    }
}

/// A device executes commands.
pub(crate) struct Working<'a>(&'a Sampling);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.0.works(false);
    }
}

/// Counts what shaders of a device take, texels of images included; with `heat` for each pixel, too. For devices of
/// this crate.
pub fn recorder(heat: bool) -> Arc<Recorder> {
    let recorder = if heat { Recorder::with_heat() } else { Recorder::new() };
    Arc::new(recorder.with_texels(texels))
}

/// Takes samples of where processors are while a device works, with names for all that it does. For devices of this crate.
pub fn sampler() -> Arc<Sampler> {
    Arc::new(Sampler::new(&Activity::NAMES))
}

#[expect(unsafe_code, reason = "looks at the view of a call")]
fn texels(args: &ImageArgs) -> [u64; 2] {
    // SAFETY: observers are told of calls of routines with a view that is not null, and views that shaders of a device
    // are given are all heads of what the rasterizer makes, alive during the call.
    unsafe { quadrille_raster::sampling::traffic(args) }
}
