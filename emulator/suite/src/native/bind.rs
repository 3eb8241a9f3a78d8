//! Bindings of tests: converts texts to buffers, images and samplers.

use image::DynamicImage;
use quadrille::apps::mesh::scene_numbers;
use quadrille::data::list::is_list;
use quadrille::data::names::format;
use quadrille::data::pixels;
use quadrille::launch::{is_scene, parse_scene};
use quadrille::{Format, ShaderTest, TestImage, ViewDim};

use super::form::{Bound, Image, Texels};
use super::job::Job;

/// Set, binding and element.
pub type Slot = (u32, u32, u32);

/// Parses a slot: `0.1`, `0.1[2]`.
pub fn slot(text: &str) -> Result<Slot, String> {
    let parse = || {
        let (place, element) = match text.trim().split_once('[') {
            Some((place, rest)) => (place, rest.strip_suffix(']')?.trim().parse().ok()?),
            None => (text.trim(), 0),
        };
        let (set, binding) = place.split_once('.')?;
        Some((set.parse().ok()?, binding.parse().ok()?, element))
    };
    parse().ok_or_else(|| format!("`{text}` is not SET.BINDING or SET.BINDING[ELEMENT], as in \"0.1\""))
}

/// Texels of a picture in its own format: bytes, or floats if it has them.
fn texels(file: &str, bytes: &[u8]) -> Result<(Format, (u32, u32), Vec<u8>), String> {
    let picture = pixels::decode(file, bytes).map_err(|e| e.to_string())?;
    let size = (picture.width(), picture.height());
    Ok(match picture {
        DynamicImage::ImageRgba8(bytes) => (Format::R8G8B8A8_UNORM, size, bytes.into_raw()),
        floats => {
            let floats = floats.into_rgba32f().into_raw();
            (Format::R32G32B32A32_SFLOAT, size, floats.into_iter().flat_map(f32::to_le_bytes).collect())
        }
    })
}

/// Binds the contents of a slot.
pub fn bind(test: ShaderTest, slot: Slot, bound: &Bound, job: &mut Job<'_>) -> Result<ShaderTest, String> {
    let (set, binding, element) = slot;
    let text = match bound {
        Bound::Image(image) => return Ok(test.bind_shape(set, binding, element, of(image, job)?)),
        Bound::Text(text) => text,
    };
    if is_scene(text) {
        let mut read =
            |name: &str| job.read_named(name).and_then(|(file, bytes)| scene_numbers(&file, &bytes));
        return Ok(test.scene_at(set, binding, element, &parse_scene(text, &mut read)?));
    }
    if is_list(text) || !pixels::is_picture(text) {
        return Ok(test.bind_at::<u8>(set, binding, element, &job.bytes_of(text)?));
    }
    let (file, bytes) = job.read_named(text)?;
    let (format, size, texels) = texels(&file, &bytes)?;
    job.keep(&texels)?;
    let image = TestImage::new_2d(format, size, texels);
    Ok(test.bind_shape(set, binding, element, image))
}

fn of(image: &Image, job: &mut Job<'_>) -> Result<TestImage, String> {
    let dim = match image.dim.as_deref().unwrap_or("2D") {
        "1D" => ViewDim::D1,
        "1DArray" => ViewDim::D1Array,
        "2D" => ViewDim::D2,
        "2DArray" => ViewDim::D2Array,
        "3D" => ViewDim::D3,
        "Cube" => ViewDim::Cube,
        "CubeArray" => ViewDim::CubeArray,
        "Buffer" => ViewDim::Buffer,
        other => {
            return Err(format!(
                "`{other}` is not a dimensionality: 1D, 2D, 3D, Cube, 1DArray, 2DArray, CubeArray, Buffer"
            ));
        }
    };
    let texts: &[String] = match &image.texels {
        Some(Texels::One(text)) => std::slice::from_ref(text),
        Some(Texels::Many(texts)) => texts,
        None => &[],
    };
    let (mut texels, mut seen) = (Vec::new(), None);
    for text in texts {
        if is_list(text) || !pixels::is_picture(text) {
            texels.extend(job.bytes_of(text)?);
            continue;
        }
        let (file, bytes) = job.read_named(text)?;
        let (format, (width, height), of_picture) = self::texels(&file, &bytes)?;
        if seen.is_some_and(|(_, seen)| seen != format) {
            return Err(format!("{file}: one image cannot have byte and float pictures as levels or layers"));
        }
        seen.get_or_insert(([width, height], format));
        job.keep(&of_picture)?;
        texels.extend(of_picture);
    }
    let format = match (&image.format, seen) {
        (Some(name), Some((_, seen))) => fits(format(name)?, seen)?,
        (Some(name), None) => format(name)?,
        (None, Some((_, seen))) => seen,
        (None, None) => return Err("`format` is missing, as in R8G8B8A8_UNORM".into()),
    };
    let sides: &[u32] = match (&image.size[..], &seen) {
        ([], Some((of_picture, _))) => of_picture,
        ([], None) if dim == ViewDim::Buffer => &[1],
        (sides @ ([_] | [_, _] | [_, _, _]), _) => sides,
        _ => return Err("`size` is missing: width, height and depth".into()),
    };
    let side = |i: usize| sides.get(i).copied().unwrap_or(1);
    let mut shape = TestImage {
        dim,
        extent: [side(0), side(1), side(2)],
        layers: image.layers.unwrap_or(if matches!(dim, ViewDim::Cube | ViewDim::CubeArray) { 6 } else { 1 }),
        levels: image.levels.unwrap_or(1),
        samples: image.samples.unwrap_or(1),
        ..TestImage::new_2d(format, (1, 1), texels)
    };
    if texts.is_empty() {
        let of_level = |level: u32| {
            let sides =
                shape.extent.iter().map(|side| (side.checked_shr(level).unwrap_or(0)).max(1) as usize);
            sides.fold(shape.layers as usize * shape.samples as usize, usize::saturating_mul)
        };
        let count = (0..shape.levels.min(32)).map(of_level).fold(0, usize::saturating_add);
        let zeros = format!("zeros:{}", count.saturating_mul(format.bytes() as usize));
        shape.texels = job.bytes_of(&zeros)?;
    }
    Ok(shape)
}

/// Returns the format if it can hold the texels of a picture, which requires the same number and sizes of components.
fn fits(format: Format, of_picture: Format) -> Result<Format, String> {
    let components = |format: Format| format.name().split_once('_').map_or("", |(components, _)| components);
    match components(format) == components(of_picture) {
        true => Ok(format),
        false => {
            Err(format!("a picture has texels of {}, which do not fit {}", of_picture.name(), format.name()))
        }
    }
}
