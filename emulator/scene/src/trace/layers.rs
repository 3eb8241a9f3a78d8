//! OpenEXR files of path-traced pictures: light, and what the camera sees first.

use std::io::Cursor;

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, SmallVec, WritableImage,
};
use quadrille::{Error, Result};

use super::Tracer;
use super::sums::{ALBEDO, DEPTH, NORMAL, SEEN};

impl Tracer<'_> {
    /// Bytes of an OpenEXR file with the channels `R`, `G`, `B` (light times the exposure; premultiplied, with `A`, if the
    /// picture is transparent), `albedo.R` to `albedo.B`, `normal.X` to `normal.Z` (in the world) and `depth.Z` (along the
    /// view; infinite where no sample met a surface).
    ///
    /// The channels `object.id` and `material.id` are integers: the index of the node and of the material in the file plus
    /// 1, and 0 where nothing is. They are those of the ray through the middle of the pixel, without blending, so that they
    /// are the same for every part of the samples.
    pub fn exr(&self) -> Result<Vec<u8>> {
        let (sums, picture) = (self.sums()?, self.picture()?);
        self.machine.identify(&self.device)?;
        let names = self.names.read_all::<[u32; 2]>()?;
        let pixels = picture.light.len();
        let of = |quantity: usize| (0..pixels).map(move |p| (p, quantity));
        let mut channels = SmallVec::<[AnyChannel<FlatSamples>; 4]>::new();
        let mut add =
            |name: &str, values: Vec<f32>| channels.push(AnyChannel::new(name, FlatSamples::F32(values)));
        for (i, name) in ["R", "G", "B"].into_iter().enumerate() {
            add(name, picture.light.iter().map(|light| light[i]).collect());
        }
        if self.options.draw.transparent {
            add("A", picture.light.iter().map(|light| light[3]).collect());
        }
        let mean = |quantity: usize| of(quantity).map(|(p, q)| sums.mean(p, q) as f32).collect::<Vec<f32>>();
        for (i, name) in ["albedo.R", "albedo.G", "albedo.B"].into_iter().enumerate() {
            add(name, mean(ALBEDO + i));
        }
        for (i, name) in ["normal.X", "normal.Y", "normal.Z"].into_iter().enumerate() {
            add(name, mean(NORMAL + i));
        }
        let depth = (0..pixels).map(|p| match sums.mean(p, SEEN) {
            0.0 => f32::INFINITY,
            seen => (sums.mean(p, DEPTH) / seen) as f32,
        });
        add("depth.Z", depth.collect());
        for (i, name) in ["object.id", "material.id"].into_iter().enumerate() {
            let ids = names.iter().map(|of| of[i]).collect();
            channels.push(AnyChannel::new(name, FlatSamples::U32(ids)));
        }
        let size = (picture.width as usize, picture.height as usize);
        let attributes = LayerAttributes::default();
        let layer = Layer::new(size, attributes, Encoding::FAST_LOSSLESS, AnyChannels::sort(channels));
        let mut out = Cursor::new(Vec::new());
        Image::from_layer(layer)
            .write()
            .non_parallel()
            .to_buffered(&mut out)
            .map_err(|e| Error::Internal(format!("writing OpenEXR: {e}")))?;
        Ok(out.into_inner())
    }
}
