//! Channel inputs other than passes: pictures and 3D textures from files, and noise.
//!
//! The generated noise replaces the site's noise if its files are missing. It has the same sizes and the property that
//! shaders rely on (green is red shifted by 37 and 17 texels, alpha is blue shifted likewise), but other values.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use image::RgbaImage;
use quadrille_jit::reserve;

use super::project::{ChannelInput, Volume};
use crate::error::{Error, Result};
use crate::files::Folders;
use crate::shader_test::Picture;

/// Longest accepted file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// Converts the result of reading a file to this crate's errors.
pub(super) fn done<T>(path: &Path, read: std::io::Result<T>) -> Result<T> {
    read.map_err(|e| {
        let text = format!("cannot read {}: {e}", path.display());
        if e.kind() == ErrorKind::FileTooLarge { Error::Limit(text) } else { Error::invalid(text) }
    })
}

/// Reads a file in the project's folder.
fn read(path: &Path, folder: &Path) -> Result<Vec<u8>> {
    done(path, Folders::new([folder]).read(path, MAX_FILE_BYTES))
}

/// Reads a picture from a file.
pub(super) fn picture(path: &Path, folder: &Path) -> Result<RgbaImage> {
    let picture = Picture::decode(path, &read(path, folder)?)?;
    RgbaImage::from_raw(picture.width, picture.height, picture.pixels.into_flattened())
        .filter(|p| p.width() > 0 && p.height() > 0)
        .ok_or_else(|| Error::invalid(format!("{} is not a picture", path.display())))
}

/// Reads a picture or, if the name ends in `.bin`, a 3D texture.
pub(super) fn file(path: &Path, folder: &Path) -> Result<ChannelInput> {
    match path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bin")) {
        true => volume(path, folder),
        false => Ok(ChannelInput::Picture(Arc::new(picture(path, folder)?))),
    }
}

/// Reads the six faces of a cube map, which must be squares of one size.
pub(super) fn faces<P: AsRef<Path>>(paths: &[P; 6], folder: &Path) -> Result<ChannelInput> {
    let mut faces = Vec::with_capacity(6);
    for path in paths {
        let path = path.as_ref();
        let face = picture(path, folder)?;
        let side = faces.first().map_or(face.width(), RgbaImage::width);
        if face.dimensions() != (side, side) {
            let (w, h) = face.dimensions();
            let message = format!(
                "{} has {w}x{h} pixels: the faces of a cube map are squares of one size, here {side}x{side}",
                path.display()
            );
            return Err(Error::invalid(message));
        }
        faces.push(face);
    }
    let faces: Result<[RgbaImage; 6], _> = faces.try_into();
    let faces = faces.map_err(|_| Error::Internal("a cube map without six faces".into()))?;
    Ok(ChannelInput::Faces(Arc::new(faces)))
}

/// Reads a 3D texture from a picture with its slices below each other, the first on top.
pub(super) fn slices(path: &Path, depth: u32, folder: &Path) -> Result<ChannelInput> {
    let picture = picture(path, folder)?;
    let (width, height) = picture.dimensions();
    if depth == 0 || height % depth != 0 {
        let message = format!("{}: {height} rows do not make {depth} slices", path.display());
        return Err(Error::invalid(message));
    }
    let size = [width, height / depth, depth];
    Ok(ChannelInput::Volume(Arc::new(Volume { size, float: false, texels: picture.into_raw() })))
}

/// Reads a 3D texture in the site's format: a header of 20 bytes (signature, width, height, depth, components, layout,
/// format), then the components. Format 0 is bytes, 10 is floats.
fn volume(path: &Path, folder: &Path) -> Result<ChannelInput> {
    let bytes = read(path, folder)?;
    let wrong = |what: String| Error::invalid(format!("{}: {what}", path.display()));
    let Some((header, data)) = bytes.split_at_checked(20) else {
        return Err(wrong("a 3D texture has a header of 20 bytes".into()));
    };
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let size = [word(4), word(8), word(12)];
    let components = usize::from(header[16]);
    let format = u16::from_le_bytes([header[18], header[19]]);
    let one: usize = match format {
        0 => 1,
        10 => 4,
        _ => return Err(wrong(format!("format {format} of 3D textures is not known"))),
    };
    if !(1..=4).contains(&components) {
        return Err(wrong(format!("{components} components")));
    }
    let texels = size.iter().try_fold(1usize, |n, side| n.checked_mul(*side as usize)).unwrap_or(usize::MAX);
    let want = texels.checked_mul(components * one);
    if texels == 0 || want != Some(data.len()) {
        let [w, h, d] = size;
        return Err(wrong(format!("{} bytes for {w}x{h}x{d} texels of {}", data.len(), components * one)));
    }
    let mut out = reserve::with_room(texels.saturating_mul(4 * one))?;
    // Missing components are 0, 0, 1, as for textures.
    let last = if one == 1 { [255, 0, 0, 0] } else { 1f32.to_le_bytes() };
    for texel in data.chunks_exact(components * one) {
        out.extend_from_slice(texel);
        for component in components..4 {
            out.extend_from_slice(if component == 3 { &last[..one] } else { &[0; 4][..one] });
        }
    }
    Ok(ChannelInput::Volume(Arc::new(Volume { size, float: one == 4, texels: out })))
}

/// Available noise textures: the name in project files, and the name of the site's file.
const NOISE: [(&str, &str, Noise); 6] = [
    (
        "gray_noise_small",
        "0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d",
        Noise::Flat { side: 64, gray: true },
    ),
    (
        "gray_noise_medium",
        "0c7bf5fe9462d5bffbd11126e82908e39be3ce56220d900f633d58fb432e56f5",
        Noise::Flat { side: 256, gray: true },
    ),
    (
        "rgba_noise_small",
        "3083c722c0c738cad0f468383167a0d246f91af2bfa373e9c5c094fb8c8413e0",
        Noise::Flat { side: 64, gray: false },
    ),
    (
        "rgba_noise_medium",
        "f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb",
        Noise::Flat { side: 256, gray: false },
    ),
    (
        "gray_noise_3d",
        "27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04",
        Noise::Deep { gray: true },
    ),
    (
        "rgba_noise_3d",
        "aea6b99da1d53055107966b59ac5444fc8bc7b3ce2d0bbb6a4a3cbae1d97f3aa",
        Noise::Deep { gray: false },
    ),
];

#[derive(Clone, Copy)]
enum Noise {
    Flat {
        side: u32,
        gray: bool,
    },
    /// 32x32x32 texels.
    Deep {
        gray: bool,
    },
}

/// Returns the noise texture by its name or by that of the site's file, together with its name.
pub(super) fn noise(name: &str) -> Option<(&'static str, ChannelInput)> {
    let (name, _, noise) = NOISE.iter().find(|(own, site, _)| *own == name || *site == name)?;
    let input = match *noise {
        Noise::Flat { side, gray } => {
            let at = |x: u32, y: u32, c: u32| hash(x % side, y % side, c);
            // Shifted back by 37 and 17 texels: the red value at (x, y) is the green value at (x + 37, y + 17).
            let moved = |x: u32, y: u32, c: u32| at(x + 2 * side - 37, y + side - 17, c);
            ChannelInput::Picture(Arc::new(RgbaImage::from_fn(side, side, |x, y| {
                image::Rgba(match gray {
                    true => [at(x, y, 0), at(x, y, 0), at(x, y, 0), 255],
                    false => [at(x, y, 0), moved(x, y, 0), at(x, y, 1), moved(x, y, 1)],
                })
            })))
        }
        Noise::Deep { gray } => {
            let texel = |n: u32| match gray {
                true => [hash(n, 0, 9), 0, 0, 255],
                false => [0, 1, 2, 3].map(|c| hash(n, 1, c)),
            };
            let texels = (0..32 * 32 * 32).flat_map(texel).collect();
            ChannelInput::Volume(Arc::new(Volume { size: [32; 3], float: false, texels }))
        }
    };
    Some((name, input))
}

/// Hashes three numbers to a byte, with a permutation of PCG's family and its highest bits.
fn hash(x: u32, y: u32, z: u32) -> u8 {
    let mut v = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b) ^ z.wrapping_mul(0xc2b2_ae35);
    for _ in 0..2 {
        v = v.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        v = ((v >> ((v >> 28) + 4)) ^ v).wrapping_mul(277_803_737);
        v ^= v >> 22;
    }
    (v >> 24) as u8
}

#[cfg(test)]
mod tests {
    use super::file as file_at;
    use super::*;

    #[test]
    fn noise_is_even_and_moved() {
        let Some((_, ChannelInput::Picture(noise))) = noise("rgba_noise_medium") else { panic!() };
        assert_eq!(noise.dimensions(), (256, 256));
        let mut counts = [0u32; 256];
        for (x, y, pixel) in noise.enumerate_pixels() {
            let there = noise.get_pixel((x + 37) % 256, (y + 17) % 256);
            assert_eq!((there[1], there[3]), (pixel[0], pixel[2]));
            counts[usize::from(pixel[0])] += 1;
        }
        // 256 of each are expected, with a standard deviation of 16.
        assert!(counts.iter().all(|n| (160..=352).contains(n)), "{counts:?}");
    }

    #[test]
    fn volumes_as_the_site_keeps_them() {
        let folder = std::env::temp_dir().join(format!("quadrille-volume-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("v.bin");
        let file = |size: [u32; 3], components: u8, format: u16, data: &[u8]| {
            let mut bytes = vec![0x42, 0x49, 0x4e, 0];
            bytes.extend(size.iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend([components, 0]);
            bytes.extend(format.to_le_bytes());
            bytes.extend(data);
            std::fs::write(&path, bytes).unwrap();
            file_at(&path, &folder)
        };
        let Ok(ChannelInput::Volume(v)) = file([2, 1, 1], 1, 0, &[7, 8]) else { panic!() };
        assert_eq!((v.size, v.float, &*v.texels), ([2, 1, 1], false, &[7, 0, 0, 255, 8, 0, 0, 255][..]));
        let two: Vec<u8> = [0.5f32, 2.0].iter().flat_map(|f| f.to_le_bytes()).collect();
        let Ok(ChannelInput::Volume(v)) = file([1, 1, 1], 2, 10, &two) else { panic!() };
        let texels: Vec<f32> =
            v.texels.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!((texels, v.float), (vec![0.5, 2.0, 0.0, 1.0], true));
        for bad in [
            file([2, 1, 1], 1, 0, &[7]),
            file([u32::MAX; 3], 4, 10, &[]),
            file([0, 1, 1], 1, 0, &[]),
            file([1, 1, 1], 5, 0, &[1; 5]),
            file([1, 1, 1], 1, 3, &[1]),
        ] {
            let error = bad.unwrap_err().to_string();
            assert!(error.contains("v.bin"), "{error}");
        }
        std::fs::write(&path, b"short").unwrap();
        assert!(file_at(&path, &folder).unwrap_err().to_string().contains("header"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
