//! Formats and samplers by their names, in options and files.

use quadrille_raster::format::{FORMATS, Format};
use quadrille_raster::sampling::{AddressMode, BorderColor, Filter, SamplerState};
use quadrille_raster::state::CompareOp;

/// The comparisons.
pub const COMPARISONS: &[(&str, CompareOp)] = &[
    ("never", CompareOp::Never),
    ("less", CompareOp::Less),
    ("equal", CompareOp::Equal),
    ("less-or-equal", CompareOp::LessOrEqual),
    ("greater", CompareOp::Greater),
    ("not-equal", CompareOp::NotEqual),
    ("greater-or-equal", CompareOp::GreaterOrEqual),
    ("always", CompareOp::Always),
];

fn find<T: Copy>(rows: &[(&str, T)], name: &str) -> Option<T> {
    rows.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The format with this Vulkan name; `VK_FORMAT_` is optional.
///
/// # Errors
/// A name that is not a format.
pub fn format(name: &str) -> Result<Format, String> {
    let plain = name.strip_prefix("VK_FORMAT_").unwrap_or(name);
    let row = FORMATS.iter().find(|row| row.name == plain);
    row.map(|row| row.format).ok_or_else(|| format!("`{name}` is not a format such as R8G8B8A8_UNORM"))
}

/// Parses a sampler: `linear repeat`, `mag=linear u=clamp compare=less lod=0..2`.
///
/// # Errors
/// A word that is not part of a sampler; the message lists all words.
pub fn sampler(words: &str) -> Result<SamplerState, String> {
    let mut desc = SamplerState::default();
    for word in words.split_whitespace() {
        let wrong = || {
            format!(
                "`{word}` is none of linear, nearest, repeat, mirror, clamp, border, mirror-once, unnormalized, nor \
                mag=, min=, mip= with a filter, u=, v=, w= with an address mode, compare=OP, lod=MIN..MAX \
                with MIN up to MAX, bias=X, anisotropy=N from 1 on, border=transparent, black or white"
            )
        };
        match word.split_once('=') {
            None => sampler_word(&mut desc, word).ok_or_else(wrong)?,
            Some((key, value)) => sampler_value(&mut desc, key, value).ok_or_else(wrong)?,
        }
    }
    Ok(desc)
}

fn filter(name: &str) -> Option<Filter> {
    match name {
        "linear" => Some(Filter::Linear),
        "nearest" => Some(Filter::Nearest),
        _ => None,
    }
}

fn address(name: &str) -> Option<AddressMode> {
    Some(match name {
        "repeat" => AddressMode::Repeat,
        "mirror" => AddressMode::MirroredRepeat,
        "clamp" => AddressMode::ClampToEdge,
        "border" => AddressMode::ClampToBorder,
        "mirror-once" => AddressMode::MirrorClampToEdge,
        _ => return None,
    })
}

fn sampler_word(desc: &mut SamplerState, word: &str) -> Option<()> {
    if word == "unnormalized" {
        // The only settings that unnormalized coordinates allow.
        desc.unnormalized = true;
        desc.max_lod = 0;
        desc.address = [AddressMode::ClampToEdge; 3];
    } else if let Some(filter) = filter(word) {
        (desc.mag_filter, desc.min_filter, desc.mipmap_mode) = (filter, filter, filter);
    } else {
        desc.address = [address(word)?; 3];
    }
    Some(())
}

fn sampler_value(desc: &mut SamplerState, key: &str, value: &str) -> Option<()> {
    let number = |text: &str| text.parse::<f32>().ok().filter(|x| x.is_finite());
    match key {
        "mag" => desc.mag_filter = filter(value)?,
        "min" => desc.min_filter = filter(value)?,
        "mip" => desc.mipmap_mode = filter(value)?,
        "u" => desc.address[0] = address(value)?,
        "v" => desc.address[1] = address(value)?,
        "w" => desc.address[2] = address(value)?,
        "compare" => desc.compare = Some(find(COMPARISONS, value)?),
        "bias" => desc.lod_bias = number(value)?.to_bits(),
        "anisotropy" => desc.anisotropy = Some(number(value).filter(|n| *n >= 1.0)?.to_bits()),
        "lod" => {
            let (min, max) = value.split_once("..")?;
            let (min, max) = (number(min)?, number(max)?);
            if min > max {
                return None;
            }
            (desc.min_lod, desc.max_lod) = (min.to_bits(), max.to_bits());
        }
        "border" => {
            desc.border = match value {
                "transparent" => BorderColor::TransparentBlack,
                "black" => BorderColor::OpaqueBlack,
                "white" => BorderColor::OpaqueWhite,
                _ => return None,
            };
        }
        _ => return None,
    }
    Some(())
}
