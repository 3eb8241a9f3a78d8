//! What tests bind: texts to buffers, images and samplers.

use std::path::Path;

use quadrille::data::list;
use quadrille::{
    AddressMode, FORMATS, Filter, Format, Picture, SamplerDesc, ShaderTest, TestImage, Topology, ViewDim,
};

use super::form::{Bound, Image};

/// Set, binding and element.
pub type Slot = (u32, u32, u32);

/// `0.1`, `0.1[2]`.
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

/// Binds what a test says; `path` finds files.
pub fn bind(
    test: ShaderTest,
    slot: Slot,
    bound: &Bound,
    path: impl Fn(&str) -> String,
) -> Result<ShaderTest, String> {
    let (set, binding, element) = slot;
    let text = match bound {
        Bound::Image(image) => return Ok(test.bind_shape(set, binding, element, of(image)?)),
        Bound::Text(text) => text,
    };
    let is_list = text.split_once(':').is_some_and(|(ty, _)| ty == "zeros" || list::Type::parse(ty).is_ok());
    if is_list {
        return Ok(test.bind_at::<u8>(set, binding, element, &list::encode(text)?));
    }
    let file = path(text);
    let is_picture = Path::new(&file)
        .extension()
        .is_some_and(|e| ["png", "jpg", "jpeg"].iter().any(|known| e.eq_ignore_ascii_case(known)));
    let bytes = std::fs::read(&file).map_err(|e| {
        format!("{file}: {e}; data are TYPE:VALUES as in f32:1,2,3, zeros:BYTES, or a file beside this one")
    })?;
    if !is_picture {
        return Ok(test.bind_at::<u8>(set, binding, element, &bytes));
    }
    let picture = Picture::decode(&file, &bytes).map_err(|e| e.to_string())?;
    let size = (picture.width, picture.height);
    let image = TestImage::new_2d(Format::R8G8B8A8_UNORM, size, picture.bytes().to_vec());
    Ok(test.bind_shape(set, binding, element, image))
}

fn of(image: &Image) -> Result<TestImage, String> {
    let format = format(&image.format)?;
    let side = |i: usize| image.size.get(i).copied().unwrap_or(1);
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
                "`{other}` is no dimensionality: 1D, 2D, 3D, Cube, 1DArray, 2DArray, CubeArray, Buffer"
            ));
        }
    };
    let mut shape = TestImage {
        dim,
        extent: [side(0), side(1), side(2)],
        layers: image.layers.unwrap_or(if matches!(dim, ViewDim::Cube) { 6 } else { 1 }),
        levels: image.levels.unwrap_or(1),
        samples: image.samples.unwrap_or(1),
        ..TestImage::new_2d(format, (1, 1), Vec::new())
    };
    shape.texels = match &image.texels {
        Some(texels) => list::encode(texels)?,
        // Of levels below the first there would be less: they are rounded up together.
        None if shape.levels == 1 => {
            let count =
                shape.extent.iter().fold(shape.layers as usize * shape.samples as usize, |n, side| {
                    n.saturating_mul(*side as usize)
                });
            list::encode(&format!("zeros:{}", count.saturating_mul(format.bytes() as usize)))?
        }
        None => return Err("an image with several levels wants `texels`".into()),
    };
    Ok(shape)
}

/// A format by its name in Vulkan without `VK_FORMAT_`.
pub fn format(name: &str) -> Result<Format, String> {
    let plain = name.strip_prefix("VK_FORMAT_").unwrap_or(name);
    let row = FORMATS.iter().find(|row| row.name == plain);
    row.map(|row| row.format).ok_or_else(|| format!("`{name}` is no format, as R8G8B8A8_UNORM is one"))
}

/// `linear repeat`.
pub fn sampler(words: &str) -> Result<SamplerDesc, String> {
    let mut desc = SamplerDesc::default();
    for word in words.split_whitespace() {
        match word {
            "linear" | "nearest" => {
                let filter = if word == "linear" { Filter::Linear } else { Filter::Nearest };
                (desc.mag_filter, desc.min_filter, desc.mipmap_mode) = (filter, filter, filter);
            }
            "repeat" => desc.address = [AddressMode::Repeat; 3],
            "mirror" => desc.address = [AddressMode::MirroredRepeat; 3],
            "clamp" => desc.address = [AddressMode::ClampToEdge; 3],
            "border" => desc.address = [AddressMode::ClampToBorder; 3],
            _ => return Err(format!("`{word}` is not linear, nearest, repeat, mirror, clamp or border")),
        }
    }
    Ok(desc)
}

/// `triangle-list`, ...
pub fn topology(name: &str) -> Result<Topology, String> {
    Ok(match name {
        "point-list" => Topology::PointList,
        "line-list" => Topology::LineList,
        "line-strip" => Topology::LineStrip,
        "triangle-list" => Topology::TriangleList,
        "triangle-strip" => Topology::TriangleStrip,
        "triangle-fan" => Topology::TriangleFan,
        _ => {
            let known = "point-list, line-list, line-strip, triangle-list, triangle-strip, triangle-fan";
            return Err(format!("`{name}` is none of {known}"));
        }
    })
}

/// `64x32`.
pub fn size(text: &str) -> Result<(u32, u32), String> {
    let sides =
        text.split_once('x').and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    let fits =
        |&(w, h): &(u32, u32)| (1..=Picture::MAX_SIDE).contains(&w) && (1..=Picture::MAX_SIDE).contains(&h);
    sides.filter(fits).ok_or_else(|| format!("`{text}` is no size, as 64x32 is one"))
}
