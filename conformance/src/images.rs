//! Programs that use images: run through the `quadrille` device, in the interpreter and in both tiers.

use std::sync::OnceLock;

use quadrille::{
    AddressMode, CompareOp, CpuLevel, Device, DeviceOptions, FORMATS, Filter, Format, Opt, SamplerDesc,
    ShaderTest,
};

/// An image behind a binding.
#[derive(Clone, Debug)]
pub struct Image {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Format.
    pub format: Format,
    /// Width and height.
    pub size: (u32, u32),
    /// Texels row by row.
    pub bytes: Vec<u8>,
}

/// The format of this name, without `VK_FORMAT_`.
pub fn format(name: &str) -> Result<Format, String> {
    let row = FORMATS.iter().find(|f| f.name == name);
    row.map(|f| f.format).ok_or_else(|| format!("`{name}` is not a format"))
}

/// A sampler from words: `linear`, `nearest` (the default); `repeat`, `mirror`, `clamp`, `border`; a
/// comparison: `less`, `less_or_equal`, `greater`.
pub fn sampler<'a>(words: impl Iterator<Item = &'a str>) -> Result<SamplerDesc, String> {
    let mut s = SamplerDesc::default();
    for word in words {
        match word {
            "nearest" => (s.mag_filter, s.min_filter) = (Filter::Nearest, Filter::Nearest),
            "linear" => (s.mag_filter, s.min_filter) = (Filter::Linear, Filter::Linear),
            "repeat" => s.address = [AddressMode::Repeat; 3],
            "mirror" => s.address = [AddressMode::MirroredRepeat; 3],
            "clamp" => s.address = [AddressMode::ClampToEdge; 3],
            "border" => s.address = [AddressMode::ClampToBorder; 3],
            "less" => s.compare = Some(CompareOp::Less),
            "less_or_equal" => s.compare = Some(CompareOp::LessOrEqual),
            "greater" => s.compare = Some(CompareOp::Greater),
            _ => return Err(format!("`{word}` is nothing a sampler has")),
        }
    }
    Ok(s)
}

/// One way to run shaders on a device.
pub struct Way {
    /// What it is.
    pub name: String,
    /// The device.
    pub device: Device,
}

/// Every way, the interpreter first. Devices are made once.
pub fn ways() -> &'static [Way] {
    static WAYS: OnceLock<Vec<Way>> = OnceLock::new();
    WAYS.get_or_init(|| {
        let base = DeviceOptions { threads: 1, interp: false, opt: Opt::None, ..DeviceOptions::default() };
        let mut list = vec![("interpreter".to_string(), DeviceOptions { interp: true, ..base.clone() })];
        for opt in [Opt::None, Opt::Speed] {
            for cpu in CpuLevel::ALL.into_iter().filter(|c| *c <= CpuLevel::host()) {
                list.push((format!("{opt:?}, {cpu:?}"), DeviceOptions { opt, cpu, ..base.clone() }));
            }
        }
        list.into_iter().filter_map(|(name, o)| Some(Way { name, device: Device::new(o).ok()? })).collect()
    })
}

/// What a test reads afterwards.
pub enum Read {
    /// A buffer.
    Buffer(u32, u32),
    /// An image.
    Image(u32, u32),
    /// The picture that was drawn.
    Target,
}

/// What a test is run over.
pub enum Over {
    /// Workgroups.
    Dispatch([u32; 3]),
    /// A picture of this format and size.
    Draw(Format, u32, u32),
}

/// Runs a test on a device with this lane group size and reads what is asked for.
///
/// # Errors
/// Those of the device, as text.
pub fn run(
    test: &ShaderTest,
    way: &Way,
    lanes: u32,
    over: &Over,
    reads: &[Read],
) -> Result<Vec<Vec<u8>>, String> {
    let test = test.clone().on(&way.device).lanes(lanes);
    let run = match *over {
        Over::Dispatch(groups) => test.dispatch(groups),
        Over::Draw(format, width, height) => test.target(format).draw(width, height),
    };
    let run = run.map_err(|e| e.to_string())?;
    reads
        .iter()
        .map(|r| match *r {
            Read::Buffer(set, binding) => run.read(set, binding),
            Read::Image(set, binding) => run.read_image(set, binding),
            Read::Target => run.read_target(),
        })
        .map(|r| r.map_err(|e| e.to_string()))
        .collect()
}
