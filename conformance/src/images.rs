//! Runs programs with images on a `quadrille` device, in the interpreter and in both tiers.

use std::iter::Peekable;
use std::sync::OnceLock;
use std::time::Duration;

use quadrille::{
    AddressMode, CompareOp, Device, DeviceOptions, FORMATS, Filter, Format, Opt, SamplerDesc, ShaderTest,
    TestImage, ViewDim, testing,
};

use crate::lanes;

/// An image at a binding.
#[derive(Clone, Debug)]
pub struct Image {
    /// Descriptor set, binding and array element.
    pub place: (u32, u32, u32),
    /// Shape and texels of the image.
    pub shape: TestImage,
}

/// Reads the shape of an image: `4 2` for a 2D image, or dimensionality and extent, followed by the other counts: `3d
/// 4x2x2`, `cube_array 4x4 layers 12 levels 3`, `2d 4x4 samples 4`, `buffer 16`. Leaves the words that follow.
///
/// # Errors
/// A description of the syntax error.
pub fn shape<'a>(
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
    format: Format,
) -> Result<TestImage, String> {
    let number = |w: Option<&str>| w.and_then(|w| w.parse::<u32>().ok()).ok_or("a number is required");
    let mut image = TestImage::new_2d(format, (1, 1), Vec::new());
    let word = words.next().ok_or("an image ends early")?;
    if let Ok(width) = word.parse() {
        image.extent = [width, number(words.next())?, 1];
        return Ok(image);
    }
    image.dim = match word {
        "1d" => ViewDim::D1,
        "2d" => ViewDim::D2,
        "3d" => ViewDim::D3,
        "cube" => ViewDim::Cube,
        "1d_array" => ViewDim::D1Array,
        "2d_array" => ViewDim::D2Array,
        "cube_array" => ViewDim::CubeArray,
        "buffer" => ViewDim::Buffer,
        _ => return Err(format!("`{word}` is not a dimensionality")),
    };
    let extent = words.next().ok_or("an image ends early")?;
    for (to, text) in image.extent.iter_mut().zip(extent.split('x')) {
        *to = number(Some(text))?;
    }
    if image.dim == ViewDim::Cube {
        image.layers = 6;
    }
    while let Some(word) = words.next_if(|w| ["layers", "levels", "samples"].contains(w)) {
        let n = number(words.next())?;
        match word {
            "layers" => image.layers = n,
            "levels" => image.levels = n,
            _ => image.samples = n,
        }
    }
    Ok(image)
}

/// Looks up the format of this name, without `VK_FORMAT_`.
pub fn format(name: &str) -> Result<Format, String> {
    let row = FORMATS.iter().find(|f| f.name == name);
    row.map(|f| f.format).ok_or_else(|| format!("`{name}` is not a format"))
}

/// Reads a sampler from words: `linear` or `nearest` (the default); `repeat`, `mirror`, `clamp` or `border`; a
/// comparison: `less`, `less_or_equal` or `greater`.
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
            _ => return Err(format!("`{word}` is not a property of a sampler")),
        }
    }
    Ok(s)
}

/// A configuration in which shaders run on a device.
pub struct Way {
    /// Name of the configuration.
    pub name: String,
    /// Device with this configuration.
    pub device: Device,
}

/// All configurations: the interpreter first, the one that verifies claims last. The devices are created once.
fn ways() -> &'static [Way] {
    static WAYS: OnceLock<Vec<Way>> = OnceLock::new();
    WAYS.get_or_init(|| {
        let base = DeviceOptions { threads: 1, interp: false, opt: Opt::None, ..DeviceOptions::default() };
        let mut list = vec![("interpreter".to_string(), DeviceOptions { interp: true, ..base.clone() })];
        for opt in [Opt::None, Opt::Speed] {
            for cpu in testing::cpu_levels() {
                list.push((format!("{opt:?}, {cpu:?}"), DeviceOptions { opt, cpu, ..base.clone() }));
            }
        }
        let verifying = DeviceOptions { opt: Opt::Speed, check_proofs: true, ..base };
        list.push(("verifying claims".into(), verifying));
        let way = |(name, o)| Way { name, device: Device::new(o).expect("the options are valid") };
        list.into_iter().map(way).collect()
    })
}

/// Configurations and lane group sizes in which a module runs: the interpreter and the configuration that verifies claims, at
/// the first size, and [`lanes::a_sixth`] of all others.
pub fn ways_at<S: Copy + PartialEq>(sizes: &[S], words: &[u32]) -> Vec<(&'static Way, S)> {
    let ways = ways();
    let all = sizes.iter().flat_map(|&size| ways.iter().map(move |way| (way, size)));
    let is_first = |&(way, size): &(&Way, S)| {
        let ends = [ways.first(), ways.last()].into_iter().flatten();
        Some(&size) == sizes.first() && ends.into_iter().any(|end| std::ptr::eq(end, way))
    };
    let (first, others): (Vec<_>, Vec<_>) = all.partition(is_first);
    [first, lanes::a_sixth(others, words)].concat()
}

/// The interpreter on a separate device, because a device keeps everything that it compiles.
///
/// # Errors
/// The device's errors, as text.
pub fn interpreter() -> Result<Way, String> {
    let budget = Duration::from_secs(5);
    let base = DeviceOptions { budget, ..DeviceOptions::default() };
    let options = DeviceOptions { threads: 1, interp: true, opt: Opt::None, ..base };
    let device = Device::new(options).map_err(|e| e.to_string())?;
    Ok(Way { name: "interpreter".into(), device })
}

/// Source of the results that a test reads back.
pub enum Read {
    /// A buffer: set, binding, element.
    Buffer(u32, u32, u32),
    /// An image: set, binding, element.
    Image(u32, u32, u32),
    /// The picture that the test drew.
    Target,
}

/// Domain over which a test runs.
pub enum Over {
    /// Workgroups of a dispatch.
    Dispatch([u32; 3]),
    /// A draw into a picture of this format and size.
    Draw(Format, u32, u32),
}

/// Runs a test on a device with this lane group size and reads the requested results.
///
/// # Errors
/// The device's errors, as text.
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
            Read::Buffer(set, binding, element) => run.read_at(set, binding, element),
            Read::Image(set, binding, element) => run.read_image_at(set, binding, element),
            Read::Target => run.read_target(),
        })
        .map(|r| r.map_err(|e| e.to_string()))
        .collect()
}
