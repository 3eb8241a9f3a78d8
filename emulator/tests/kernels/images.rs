//! Images and samplers of kernels: filters, address modes, arrays, levels, variables, and what does not fit.

use quadrille::apps::kernel::{Kernel, KernelDesc, KernelImage};
use quadrille::{AddressMode, BorderColor, Device, DeviceOptions, Filter, Format, SamplerDesc};

use super::{ID, in_every_way, module, range, words};

/// Types of images; `%r2` may be read, `%w2` written.
const IMAGES: &str = "
    %v2u32 = OpTypeVector %u32 2
    %v4u32 = OpTypeVector %u32 4
    %v2f32 = OpTypeVector %f32 2
    %v4f32 = OpTypeVector %f32 4
    %gv = OpTypePointer CrossWorkgroup %v4f32
    %r1 = OpTypeImage %void 1D 0 0 0 0 Unknown ReadOnly
    %r2 = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
    %r2a = OpTypeImage %void 2D 0 1 0 0 Unknown ReadOnly
    %r3 = OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly
    %w2 = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
    %sampler = OpTypeSampler
    %sr1 = OpTypeSampledImage %r1
    %sr2 = OpTypeSampledImage %r2
    %sr2a = OpTypeSampledImage %r2a
    %sr3 = OpTypeSampledImage %r3
    %f0 = OpConstant %f32 0
    %f1 = OpConstant %f32 1";

/// Samples an image at the coordinates of a list, of which each has four floats.
fn sampled(image: &str, lod: &str) -> Vec<u32> {
    let parameters = [(image, "%a"), ("%sampler", "%s"), ("%gv", "%at"), ("%gv", "%out")];
    let sampled = image.replace('%', "%s");
    let body = format!(
        "{ID}%p = OpInBoundsPtrAccessChain %gv %at %i
        %q = OpInBoundsPtrAccessChain %gv %out %i
        %c = OpLoad %v4f32 %p Aligned 16
        %x = OpCompositeExtract %f32 %c 0
        %both = OpSampledImage {sampled} %a %s
        %texel = OpImageSampleExplicitLod %v4f32 %both {} Lod {lod}
        OpStore %q %texel Aligned 16
        OpReturn",
        if image == "%r1" { "%x" } else { "%c" }
    );
    module(&parameters, IMAGES, &body)
}

fn launch(kernel: &mut Kernel, desc: SamplerDesc, at: &[[f32; 4]]) -> Vec<f32> {
    kernel.set_sampler(1, desc).unwrap();
    kernel.set_buffer(2, at).unwrap();
    kernel.set_buffer(3, &vec![[0f32; 4]; at.len()]).unwrap();
    kernel.launch(&range(at.len() as u32, 1)).unwrap();
    kernel.read::<[f32; 4]>(3).unwrap().into_iter().map(|texel| texel[0]).collect()
}

fn texels(n: u32) -> Vec<u8> {
    (0..n).flat_map(|i| ((1 << i) as f32).to_le_bytes()).collect()
}

fn sampler(filter: Filter, address: AddressMode, unnormalized: bool) -> SamplerDesc {
    let (mag_filter, min_filter) = (filter, filter);
    SamplerDesc { mag_filter, min_filter, address: [address; 3], unnormalized, ..SamplerDesc::default() }
}

/// Texels 1, 2, 4 and 8 of a line, between their centres and outside of it. Spec: OpenCL C, "Addressing and Filter Modes".
#[test]
fn lines_are_filtered() {
    in_every_way(&sampled("%r1", "%f0"), |kernel| {
        let texels = texels(4);
        kernel.set_image(0, &KernelImage::new(Format::R32_SFLOAT, [4, 1, 1], &texels)).unwrap();
        let at = [-0.75f32, 0.0, 0.5, 1.0, 2.5, 3.5, 4.0, 4.25, 6.5].map(|x| [x, 0.0, 0.0, 0.0]);
        let normalized = at.map(|[x, ..]| [x / 4.0, 0.0, 0.0, 0.0]);
        let mut of = |filter, address, unnormalized: bool| {
            let at = if unnormalized { &at } else { &normalized };
            launch(kernel, sampler(filter, address, unnormalized), at)
        };
        use AddressMode as A;
        for unnormalized in [true, false] {
            let edge = of(Filter::Nearest, A::ClampToEdge, unnormalized);
            assert_eq!(edge, [1.0, 1.0, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0]);
            let border = of(Filter::Nearest, A::ClampToBorder, unnormalized);
            assert_eq!(border, [0.0, 1.0, 1.0, 2.0, 4.0, 8.0, 0.0, 0.0, 0.0]);
            let edge = of(Filter::Linear, A::ClampToEdge, unnormalized);
            assert_eq!(edge, [1.0, 1.0, 1.0, 1.5, 4.0, 8.0, 8.0, 8.0, 8.0]);
            let border = of(Filter::Linear, A::ClampToBorder, unnormalized);
            assert_eq!(border, [0.0, 0.5, 1.0, 1.5, 4.0, 8.0, 4.0, 2.0, 0.0]);
        }
        assert_eq!(of(Filter::Nearest, A::Repeat, false), [8.0, 1.0, 1.0, 2.0, 4.0, 8.0, 1.0, 1.0, 4.0]);
        assert_eq!(of(Filter::Linear, A::Repeat, false), [7.0, 4.5, 1.0, 1.5, 4.0, 8.0, 4.5, 2.75, 4.0]);
        assert_eq!(
            of(Filter::Nearest, A::MirroredRepeat, false),
            [1.0, 1.0, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 2.0]
        );
    });
}

/// Layers are chosen by the nearest integer, and unnormalized coordinates reach volumes and layers.
#[test]
fn layers_and_volumes_are_sampled() {
    let unnormalized = sampler(Filter::Linear, AddressMode::ClampToEdge, true);
    in_every_way(&sampled("%r2a", "%f0"), |kernel| {
        let texels = texels(8);
        let image = KernelImage { layers: 2, ..KernelImage::new(Format::R32_SFLOAT, [2, 2, 1], &texels) };
        kernel.set_image(0, &image).unwrap();
        let at = [[1.0, 1.0, 0.25, 0.0], [1.5, 0.5, 0.75, 0.0], [0.5, 1.5, 9.0, 0.0], [0.5, 1.5, -9.0, 0.0]];
        assert_eq!(launch(kernel, unnormalized, &at), [3.75, 32.0, 64.0, 4.0]);
    });
    in_every_way(&sampled("%r3", "%f0"), |kernel| {
        let texels = texels(8);
        kernel.set_image(0, &KernelImage::new(Format::R32_SFLOAT, [2, 2, 2], &texels)).unwrap();
        let at = [[1.0, 1.0, 1.0, 0.0], [0.5, 0.5, 1.0, 0.0], [1.5, 1.5, 1.5, 0.0], [9.0, 9.0, 9.0, 0.0]];
        assert_eq!(launch(kernel, unnormalized, &at), [31.875, 8.5, 128.0, 128.0]);
    });
}

/// Levels of an image with ImageMipmap.
#[test]
fn levels_are_sampled() {
    in_every_way(&sampled("%r2", "%f1"), |kernel| {
        let texels = texels(5);
        let image = KernelImage { levels: 2, ..KernelImage::new(Format::R32_SFLOAT, [2, 2, 1], &texels) };
        kernel.set_image(0, &image).unwrap();
        let desc = sampler(Filter::Nearest, AddressMode::ClampToEdge, false);
        assert_eq!(launch(kernel, desc, &[[0.5, 0.5, 0.0, 0.0]]), [16.0]);
        assert_eq!(kernel.read::<f32>(0).unwrap(), [1.0, 2.0, 4.0, 8.0, 16.0]);
    });
}

/// Compilers without optimization keep images and samplers in variables, and pass them to functions.
#[test]
fn variables_hold_images() {
    let globals = format!(
        "{IMAGES}
        %fr2 = OpTypePointer Function %r2
        %fs = OpTypePointer Function %sampler
        %edge = OpConstantSampler %sampler ClampToEdge 0 Nearest
        %get_type = OpTypeFunction %v4f32 %r2 %sampler %v2u32"
    );
    let body = "%entry = OpLabel
        %va = OpVariable %fr2 Function
        %vs = OpVariable %fs Function
        OpStore %va %a
        OpStore %vs %edge
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %x = OpUConvert %u32 %i
        %at = OpCompositeConstruct %v2u32 %x %u0
        %la = OpLoad %r2 %va
        %ls = OpLoad %sampler %vs
        %texel = OpFunctionCall %v4f32 %get %la %ls %at
        OpImageWrite %b %at %texel
        OpReturn
        OpFunctionEnd
        %get = OpFunction %v4f32 None %get_type
        %image = OpFunctionParameter %r2
        %by = OpFunctionParameter %sampler
        %where = OpFunctionParameter %v2u32
        %first = OpLabel
        %vi = OpVariable %fr2 Function
        OpStore %vi %image
        %li = OpLoad %r2 %vi
        %both = OpSampledImage %sr2 %li %by
        %got = OpImageSampleExplicitLod %v4f32 %both %where Lod %f0
        OpReturnValue %got";
    in_every_way(&module(&[("%r2", "%a"), ("%w2", "%b")], &globals, body), |kernel| {
        let texels = texels(4);
        kernel.set_image(0, &KernelImage::new(Format::R32_SFLOAT, [4, 1, 1], &texels)).unwrap();
        kernel.set_image(1, &KernelImage::new(Format::R32_SFLOAT, [4, 1, 1], &[0; 16])).unwrap();
        kernel.launch(&range(4, 2)).unwrap();
        assert_eq!(kernel.read::<f32>(1).unwrap(), [1.0, 2.0, 4.0, 8.0]);
    });
}

/// Numbers of instructions and other literals are not ids, although they may equal a variable's id.
#[test]
fn literals_are_no_variables() {
    const VARIABLES: usize = 160;
    let globals = format!("{IMAGES}\n%fr2 = OpTypePointer Function %r2");
    let declared: String = (0..VARIABLES).map(|k| format!("%v{k} = OpVariable %fr2 Function\n")).collect();
    let stored: String = (0..VARIABLES).map(|k| format!("OpStore %v{k} %a\n")).collect();
    let body = format!(
        "%entry = OpLabel
        {declared}{stored}%ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %x = OpUConvert %u32 %i
        %at = OpCompositeConstruct %v2u32 %x %u0
        %image = OpLoad %r2 %v7
        %texel = OpImageRead %v4f32 %image %at
        %red = OpCompositeExtract %f32 %texel 0
        %sine = OpExtInst %f32 %cl sin %red
        %cosine = OpExtInst %f32 %cl cos %red
        %fast = OpExtInst %f32 %cl native_sin %red
        %both = OpCompositeConstruct %v4f32 %red %sine %cosine %fast
        OpImageWrite %b %at %both
        OpReturn"
    );
    in_every_way(&module(&[("%r2", "%a"), ("%w2", "%b")], &globals, &body), |kernel| {
        kernel.set_image(0, &KernelImage::new(Format::R32_SFLOAT, [4, 1, 1], &texels(4))).unwrap();
        kernel.set_image(1, &KernelImage::new(Format::R32_SFLOAT, [4, 1, 1], &[0; 16])).unwrap();
        kernel.launch(&range(4, 2)).unwrap();
        assert_eq!(kernel.read::<f32>(1).unwrap(), [1.0, 2.0, 4.0, 8.0]);
    });
}

/// Text of arguments, and messages about arguments that do not fit.
#[test]
fn images_from_text() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let words = sampled("%r2a", "%f0");
    let mut kernel = Kernel::new(&device, &KernelDesc { words: &words, ..KernelDesc::default() }).unwrap();
    let mut none = |_: &str| Err("no files".to_owned());
    let mut set = |index, text: &str| kernel.set_text(index, text, &mut none);
    set(0, "image:2x1x2:R32_SFLOAT:f32:1,2,3,4").unwrap();
    set(1, "sampler:linear unnormalized").unwrap();
    for (index, text, want) in [
        (0, "image:2x2", "dimensionality D2Array"),
        (0, "image:2x1x2:R32_SFLOAT:f32:1", "are missing"),
        (0, "image:2x1x2:R32_SFLOAT:f32:1,2,3,4,5", "too many"),
        (0, "image:2x1x2:NONSENSE", "not a format"),
        (0, "image:2x1x2:BC1_RGBA_UNORM_BLOCK", "as the format of an image of a kernel"),
        (0, "f32:1,2", "the kernel has an image there"),
        (1, "sampler:sideways", "sideways"),
        (1, "linear", "the kernel has a sampler there"),
        (2, "image:2x1x2", "the kernel has a buffer there"),
        (2, "a file", "no files"),
    ] {
        let e = set(index, text).unwrap_err();
        assert!(e.contains(want), "{text}: {e}");
    }
    let e = kernel.set_sampler(0, SamplerDesc::default()).unwrap_err().to_string();
    assert!(e.contains("a sampler for argument 0"), "{e}");
    let e =
        kernel.set_image(1, &KernelImage::new(Format::R32_SFLOAT, [1; 3], &[0; 4])).unwrap_err().to_string();
    assert!(e.contains("an image for argument 1"), "{e}");
    let border = SamplerDesc { border: BorderColor::OpaqueWhite, ..SamplerDesc::default() };
    kernel.set_sampler(1, border).unwrap();
    assert_eq!(kernel.read::<f32>(0).unwrap(), [1.0, 2.0, 3.0, 4.0]);
}

/// Accesses that the qualifier of an image forbids.
#[test]
fn qualifiers_are_kept() {
    let cases = [
        ("%r2", "OpImageWrite %a %at %zero", "may only read"),
        ("%w2", "%t = OpImageRead %v4f32 %a %at", "may only write"),
        ("%w2", "%t = OpSampledImage %sw2 %a %edge", "samples only images"),
    ];
    for (image, instruction, want) in cases {
        let globals = format!(
            "{IMAGES}\n%sw2 = OpTypeSampledImage %w2\n%at = OpConstantNull %v2u32\n%zero = OpConstantNull %v4f32
            %edge = OpConstantSampler %sampler ClampToEdge 0 Nearest"
        );
        let body = format!("%entry = OpLabel\n{instruction}\nOpReturn");
        let device = Device::new(DeviceOptions::default()).unwrap();
        let words = module(&[(image, "%a")], &globals, &body);
        let mut kernel =
            Kernel::new(&device, &KernelDesc { words: &words, ..KernelDesc::default() }).unwrap();
        kernel.set_image(0, &KernelImage::new(Format::R8G8B8A8_UNORM, [1; 3], &[0; 4])).unwrap();
        let e = kernel.launch(&range(1, 1)).unwrap_err().to_string();
        assert!(e.contains(want), "{instruction}: {e}");
    }
}

/// An image about which nothing is known is not an argument.
#[test]
fn cubes_are_no_arguments() {
    let text = super::HEAD.to_owned()
        + "\n%cube = OpTypeImage %void Cube 0 0 0 0 Unknown ReadOnly\n%t = OpTypeFunction %void %cube
        %main = OpFunction %void None %t\n%a = OpFunctionParameter %cube\n%e = OpLabel\nOpReturn\nOpFunctionEnd";
    let (device, words) = (Device::new(DeviceOptions::default()).unwrap(), words(&text));
    let mut kernel = Kernel::new(&device, &KernelDesc { words: &words, ..KernelDesc::default() }).unwrap();
    let image = KernelImage::new(Format::R32_SFLOAT, [1; 3], &[0; 4]);
    let e = kernel.set_image(0, &image).unwrap_err().to_string();
    assert!(e.contains("images of dimension Cube"), "{e}");
}
