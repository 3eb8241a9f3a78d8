//! Checks that bound resources fit the declarations of a shader, identically for the command and for shader tests.

use quadrille_jit::ir::{self, ResourceKind};
use quadrille_jit::spirv::Module;
use quadrille_jit::spirv::reflect;
use quadrille_raster::format::{FORMATS, Format, Numeric};
use quadrille_raster::sampling::ViewDim;

use super::shape::dimensions;
use crate::error::{Error, Result, ensure};
use crate::limits::LIMITS;

/// Describes a binding for messages: `set 0, binding 1 (name)`.
pub(crate) fn describe(b: &ir::Binding) -> String {
    let name = if b.name.is_empty() { String::new() } else { format!(" ({})", b.name) };
    format!("set {}, binding {}{name}", b.set, b.binding)
}

/// Returns the name of a binding's kind for messages.
pub fn kind_name(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::UniformBuffer => "uniform buffer",
        ResourceKind::StorageBuffer => "storage buffer",
        ResourceKind::SampledImage => "texture",
        ResourceKind::Sampler => "sampler",
        ResourceKind::CombinedImageSampler => "texture with sampler",
        ResourceKind::StorageImage => "storage image",
        ResourceKind::UniformTexelBuffer => "uniform texel buffer",
        ResourceKind::StorageTexelBuffer => "storage texel buffer",
        ResourceKind::InputAttachment => "input attachment",
        ResourceKind::AccelerationStructure => "acceleration structure",
    }
}

/// Returns `Invalid` if there are more push constants than the shader declares.
pub(crate) fn push(given: usize, declared: u32) -> Result<()> {
    ensure(given <= declared as usize, || {
        format!("{given} bytes of push constants for a shader that has {declared}")
    })
}

/// Checks a buffer for a binding. `Invalid` if the binding is not a buffer or if the buffer is shorter than the
/// shader's block; `Limit` if the buffer has more bytes than a descriptor can reach.
pub(crate) fn buffer(b: &ir::Binding, bytes: u64) -> Result<()> {
    let kind = kind_name(b.kind);
    let is_buffer = matches!(b.kind, ResourceKind::UniformBuffer | ResourceKind::StorageBuffer);
    ensure(is_buffer, || format!("a buffer for the {kind} at {}", describe(b)))?;
    ensure(bytes >= u64::from(b.size), || {
        format!("{bytes} bytes for the {kind} at {}, whose block has {}", describe(b), b.size)
    })?;
    // A descriptor reaches no further; without this check, accesses beyond would silently read zeros.
    let most = u64::from(LIMITS.max_storage_buffer_range);
    if bytes > most {
        let what =
            format!("{bytes} bytes for the {kind} at {}: shaders reach {most} of a buffer", describe(b));
        return Err(Error::Limit(what));
    }
    Ok(())
}

/// `true` for a binding of texels of a buffer.
pub(crate) fn takes_texels(b: &ir::Binding) -> bool {
    matches!(b.kind, ResourceKind::UniformTexelBuffer | ResourceKind::StorageTexelBuffer)
}

/// Returns the format of a buffer of texels for a binding with this declaration: the `given` one, or the declared one. `Invalid`
/// if there is none or another one, if the binding takes no texels, or if the bytes are not whole texels.
pub(crate) fn texels(
    b: &ir::Binding,
    declared: Option<&reflect::Resource>,
    given: Option<Format>,
    bytes: usize,
) -> Result<Format> {
    let (kind, place) = (kind_name(b.kind), describe(b));
    ensure(takes_texels(b), || format!("texels for the {kind} at {place}"))?;
    let of_shader = declared_format(declared.map_or("", |r| r.format.as_str()))?;
    let format = given.or(of_shader);
    let format = format.ok_or_else(|| {
        Error::invalid(format!("bytes without a format for the {kind} at {place}, which declares none"))
    })?;
    declared.map_or(Ok(()), |declared| image(declared, ViewDim::Buffer, format, 1))?;
    let size = format.bytes() as usize;
    ensure(size > 0 && bytes.is_multiple_of(size), || {
        format!("{bytes} bytes for the {kind} at {place}, whose texels have {size}")
    })?;
    Ok(format)
}

/// Returns the type of a specialization constant; `Invalid` if the module does not have the id.
fn specialization(module: &Module, id: u32) -> Result<ir::Ty> {
    let known = module.spec_constants().iter().find(|c| c.spec_id == id);
    known.map(|c| c.ty).ok_or_else(|| no_specialization([module], id))
}

/// Returns the `Invalid` error for an id that none of the modules has as a specialization constant.
pub(crate) fn no_specialization<'a>(modules: impl IntoIterator<Item = &'a Module>, id: u32) -> Error {
    let constants = modules.into_iter().flat_map(|module| module.spec_constants());
    let mut ids: Vec<u32> = constants.map(|c| c.spec_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let there = if ids.is_empty() { "none".into() } else { format!("{ids:?}") };
    Error::invalid(format!("no specialization constant has id {id}; there are: {there}"))
}

/// Checks the bits of a specialization constant. `Invalid` for an id that the module does not have and for bits that do
/// not fit the constant's type.
pub(crate) fn specialization_bits(module: &Module, id: u32, bits: u64) -> Result<(u32, u64)> {
    let ty = specialization(module, id)?;
    let width = if ty == ir::Ty::Bool { 1 } else { ty.bits().unwrap_or(64) };
    let above = bits.checked_shr(width).unwrap_or(0);
    // Negative values may be sign-extended to all 64 bits.
    let sign = bits >> (width - 1) == u64::MAX >> (width - 1);
    ensure(above == 0 || (sign && ty != ir::Ty::Bool), || {
        format!("specialization constant {id} is {ty:?} and cannot be {bits:#x}")
    })?;
    Ok((id, bits & u64::MAX >> (64 - width)))
}

/// Parses a specialization constant: numbers may be decimal or `0x` hexadecimal; booleans are `true`, `false`, 0 or 1.
pub(crate) fn specialization_text(module: &Module, id: u32, text: &str) -> Result<(u32, u64)> {
    let ty = specialization(module, id)?;
    spec_bits(ty, text).map(|bits| (id, bits)).ok_or_else(|| {
        Error::invalid(format!("specialization constant {id} is {ty:?} and cannot be `{text}`"))
    })
}

fn spec_bits(ty: ir::Ty, text: &str) -> Option<u64> {
    if ty == ir::Ty::Bool {
        return match text {
            "true" | "1" => Some(1),
            "false" | "0" => Some(0),
            _ => None,
        };
    }
    match ty {
        ir::Ty::F16 => return quadrille_jit::ops::parse_half(text).map(u64::from),
        ir::Ty::F32 => return text.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
        ir::Ty::F64 => return text.parse::<f64>().ok().map(f64::to_bits),
        _ => {}
    }
    let bits = ty.bits()?;
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    let (max, min) = (u64::MAX >> (64 - bits), 1u64 << (bits - 1));
    match negative {
        false => (value <= max).then_some(value),
        true => (value <= min).then(|| value.wrapping_neg() & max),
    }
}

/// Returns the declared format of a storage image by its name in SPIR-V (`Rgba32f`, `R8ui`); `None` if none is
/// declared.
///
/// # Errors
/// `Unsupported` for a format that Quadrille's images do not have.
pub(crate) fn declared_format(name: &str) -> Result<Option<Format>> {
    let named = match name {
        "" | "Unknown" => return Ok(None),
        "R11fG11fB10f" => "B10G11R11_UFLOAT_PACK32".to_owned(),
        "Rgb10A2" => "A2B10G10R10_UNORM_PACK32".to_owned(),
        "Rgb10a2ui" => "A2B10G10R10_UINT_PACK32".to_owned(),
        _ => {
            let (letters, bits, suffix) = parts(name).unwrap_or(("", "", ""));
            let kind = match suffix {
                "" => "UNORM",
                "Snorm" => "SNORM",
                "f" => "SFLOAT",
                "i" => "SINT",
                _ => "UINT",
            };
            let components: String = letters.to_uppercase().chars().map(|c| format!("{c}{bits}")).collect();
            format!("{components}_{kind}")
        }
    };
    let found = FORMATS.iter().find(|row| row.name == named).map(|row| row.format);
    found.map(Some).ok_or_else(|| Error::unsupported(format!("storage images of format {name}")))
}

/// Splits a name such as `Rgba16Snorm` into letters, bits and the rest.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let first = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, rest) = name.split_at(first);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((letters, &rest[..end], &rest[end..]))
}

/// Returns `Invalid` if an image or texel buffer does not match the type in the shader: for another dimensionality,
/// integers instead of floats, one sample instead of several, or another storage image format.
pub(crate) fn image(declared: &reflect::Resource, dim: ViewDim, format: Format, samples: u32) -> Result<()> {
    let (ty, _) = dimensions(&declared.ty);
    let words = ["subpassInput", "sampler", "texture", "image"];
    let Some((prefix, suffix)) = words.iter().find_map(|word| ty.split_once(word)) else { return Ok(()) };
    let place = format!("set {}, binding {} ({})", declared.set, declared.binding, declared.name);
    let suffix = suffix.trim_end_matches("Shadow");
    let many = suffix.contains("MS");
    let wanted = match suffix.replace("MS", "").as_str() {
        "1D" => Some(ViewDim::D1),
        "1DArray" => Some(ViewDim::D1Array),
        "2D" => Some(ViewDim::D2),
        "2DArray" => Some(ViewDim::D2Array),
        "3D" => Some(ViewDim::D3),
        "Cube" => Some(ViewDim::Cube),
        "CubeArray" => Some(ViewDim::CubeArray),
        "Buffer" => Some(ViewDim::Buffer),
        _ => None,
    };
    if let Some(wanted) = wanted.filter(|wanted| *wanted != dim) {
        return Err(Error::invalid(format!(
            "a {} view for the {ty} at {place}, a {} one",
            name(dim),
            name(wanted)
        )));
    }
    ensure(many == (samples > 1) || wanted.is_none(), || {
        format!("an image with {samples} samples for the {ty} at {place}")
    })?;
    let numeric = format.info().numeric;
    let component = match (prefix, numeric) {
        _ if format.is_depth_stencil() => true,
        (p, Numeric::Sint) => p.starts_with('i'),
        (p, Numeric::Uint) => p.starts_with('u'),
        (p, _) => !p.starts_with(['i', 'u']),
    };
    ensure(component, || {
        let wanted = match prefix.chars().next() {
            Some('i') => "signed integers",
            Some('u') => "unsigned integers",
            _ => "floats",
        };
        format!(
            "an image of format {} for the {ty} at {place}, whose texels are {wanted}",
            format.info().name
        )
    })?;
    if let Some(wanted) = declared_format(&declared.format)?.filter(|wanted| *wanted != format) {
        let (got, wanted) = (format.info().name, wanted.info().name);
        return Err(Error::invalid(format!(
            "an image of format {got} for the {ty} at {place}, declared as {wanted}"
        )));
    }
    Ok(())
}

fn name(dim: ViewDim) -> &'static str {
    match dim {
        ViewDim::D1 => "1D",
        ViewDim::D1Array => "1D array",
        ViewDim::D2 => "2D",
        ViewDim::D2Array => "2D array",
        ViewDim::D3 => "3D",
        ViewDim::Cube => "cube",
        ViewDim::CubeArray => "cube array",
        ViewDim::Buffer => "texel buffer",
        ViewDim::Null => "null",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specialization_texts() {
        assert_eq!(spec_bits(ir::Ty::I32, "-1"), Some(0xffff_ffff));
        assert_eq!(spec_bits(ir::Ty::I32, "0xffffffff"), Some(0xffff_ffff));
        assert_eq!(spec_bits(ir::Ty::I8, "-129"), None);
        assert_eq!(spec_bits(ir::Ty::F32, "1.5"), Some(0x3fc0_0000));
        assert_eq!(spec_bits(ir::Ty::F16, "1.000488281250001"), Some(0x3c01));
        assert_eq!(spec_bits(ir::Ty::F16, "1.00048828125000000000000001"), Some(0x3c01));
        assert_eq!(spec_bits(ir::Ty::Bool, "true"), Some(1));
        assert_eq!(spec_bits(ir::Ty::I64, "18446744073709551615"), Some(u64::MAX));
        assert_eq!(spec_bits(ir::Ty::I32, "x"), None);
    }
}
