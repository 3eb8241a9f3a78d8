//! The table of scenes that no driver draws within one step everywhere, and of pictures that are not scenes.

use super::Elsewhere as E;
use super::Witness::{self, Driver, Formula, Missing};
use super::colours::{self as c, Model};
use super::formats as f;
use super::samples as s;

/// The full range with the weights of BT.601.
const BT601: Model = Model { weights: Some([0.299, 0.114]), narrow: false };

const CROSSING: &str = "single pixels where lines cross";
const WIRES: &str =
    "wires between two pixels: the last bit of the domain's coordinates decides, of which lavapipe has 16";
const ROUNDED: &str = "colours between the end points of a block are rounded differently";
const FOOTPRINT: &str =
    "the sampling of the footprint is implementation-dependent (\"Scale Factor, Level-of-Detail Operation\")";

/// The second witness of each scene that no driver draws within one step everywhere.
pub const EXCEPTIONS: &[(&str, Witness)] = &[
    ("alpha_to_coverage", Formula(s::alpha_to_coverage)),
    ("alpha_to_one", Formula(s::alpha_to_one)),
    ("anisotropic", Missing(FOOTPRINT)),
    ("anisotropy_16", Missing(FOOTPRINT)),
    (
        "astc_6x6_srgb",
        Driver(2, 139, "SwiftShader repeats the end points of sRGB blocks, where the format has 0x80"),
    ),
    ("bc1_alpha", Driver(2, 268, ROUNDED)),
    ("bc3", Driver(1, 31, ROUNDED)),
    ("blend_11_11_10_floats", Formula(|| c::blended(f::floats_11_11_10, true))),
    ("blend_565", Formula(|| c::blended(f::packed_565, true))),
    ("blend_over", Formula(|| c::blended(f::bytes, false))),
    ("blend_srgb", Formula(|| c::blended(f::srgb, true))),
    ("depth_16_bits", Formula(c::depth_16_bits)),
    ("drawn_packed_more", Driver(1, 14, "one step of a format with few bits")),
    ("each_of_two_samples", Formula(s::each_of::<2>)),
    ("each_of_eight_samples", Formula(s::each_of::<8>)),
    ("each_of_sixteen_samples", Formula(s::each_of::<16>)),
    ("eight_samples", Formula(s::several::<8>)),
    ("float_attachments", Formula(c::float_attachments)),
    ("geom_polygon_lines", Driver(0, 3, CROSSING)),
    ("inputs_at_centroids", Formula(s::centroids)),
    ("interpolate_at_centroid", Formula(s::centroids)),
    ("interpolate_at_offset_perspective", Formula(s::at_offset)),
    ("large_points", Driver(1, 1, CROSSING)),
    ("lines_smooth", Driver(0, 136, "coverage across a line, by up to three steps")),
    ("lines_stippled_rectangular", Driver(0, 1, CROSSING)),
    ("lines_wide_bresenham", Driver(1, 331, "colours along a line, by up to three steps")),
    ("lod_query", Formula(c::lod_query)),
    ("logic_xor", Driver(1, 4, "the logic operation amplifies a difference of one step")),
    ("mesh_culled", Formula(s::mesh_culled)),
    ("mesh_views", Formula(s::mesh_views)),
    ("resolve_depth_average", Formula(|| s::resolved_depth(s::mean))),
    ("resolve_depth_max", Formula(|| s::resolved_depth(s::most))),
    ("resolve_depth_min", Formula(|| s::resolved_depth(s::least))),
    ("resolve_stencil_max", Formula(|| s::resolved_stencil(s::most))),
    ("resolve_stencil_min", Formula(|| s::resolved_stencil(s::least))),
    ("sample_mask_in", Formula(s::mask_in)),
    ("sample_mask_in_before_tests", Formula(s::mask_before_tests)),
    ("sixteen_samples", Formula(s::several::<16>)),
    ("tess_barrier_sums", Driver(0, 2, WIRES)),
    ("tess_displaced_points", Driver(0, 1, WIRES)),
    ("tess_displaced_wires", Driver(1, 1, WIRES)),
    ("tess_inner_one", Driver(0, 32, WIRES)),
    (
        "tess_layers_of_views",
        Missing("lavapipe draws two of the four views; in these, wires are like `tess_quads_equal`"),
    ),
    ("tess_level_nan", Driver(0, 44, WIRES)),
    ("tess_level_zero", Driver(5, 30, WIRES)),
    ("tess_patch_of_16_wires", Driver(2, 15, WIRES)),
    ("tess_primitive_id", Formula(s::primitive_id)),
    ("tess_quads_equal", Driver(7, 119, WIRES)),
    ("tess_quads_even", Driver(9, 141, WIRES)),
    ("tess_quads_mixed", Driver(9, 105, WIRES)),
    ("tess_quads_mixed_points", Driver(0, 8, WIRES)),
    ("tess_quads_odd", Driver(9, 95, WIRES)),
    ("tess_triangles_equal", Driver(1, 108, WIRES)),
    ("tess_triangles_even", Driver(4, 118, WIRES)),
    ("tess_triangles_mixed", Driver(5, 93, WIRES)),
    ("tess_triangles_odd", Driver(1, 109, WIRES)),
    (
        "trilinear",
        Driver(1, 955, "levels are weighed with 8 bits, in a floor whose far end is an edge everywhere"),
    ),
    ("two_samples", Formula(s::several::<2>)),
    ("wide_wireframe", Driver(0, 7, CROSSING)),
    ("wireframe", Driver(0, 1, CROSSING)),
    ("ycbcr_2020", Formula(|| c::ycbcr(Model { weights: Some([0.2627, 0.0593]), narrow: false }))),
    ("ycbcr_422", Formula(|| c::ycbcr(BT601))),
    ("ycbcr_709_narrow", Formula(|| c::ycbcr(Model { weights: Some([0.2126, 0.0722]), narrow: true }))),
    ("ycbcr_identity", Formula(|| c::ycbcr(Model { weights: None, narrow: false }))),
    ("ycbcr_linear_chroma", Formula(|| c::ycbcr_linear(BT601))),
    ("ycbcr_three_planes", Formula(|| c::ycbcr(BT601))),
    ("ycbcr_two_planes", Formula(|| c::ycbcr(BT601))),
];

const GALLERY: E =
    E::Interpreter("emulator/cli/tests/corpus.rs", "the_gallery_is_the_same_on_the_interpreter");
const EXAMPLE: E = E::Missing("the example writes it; no test expects it");
/// A path-traced picture. SCENES.md compares its scene with Blender Cycles.
const TRACED: E = E::Missing("path traced, which takes minutes; no test expects it");

/// A scene, at a small size.
const SCENE: E =
    E::Interpreter("emulator/scene/tests/interpreter.rs", "the_gallery_is_the_same_on_the_interpreter");

/// Pictures that are not scenes: a file, or a folder that ends with a slash.
pub const ELSEWHERE: &[(&str, E)] = &[
    ("assets/gallery/debug_page.png", E::Missing("a photograph of a browser's window; no test expects it")),
    ("assets/gallery/glasses.png", TRACED),
    ("assets/gallery/julia.png", GALLERY),
    ("assets/gallery/lantern.png", SCENE),
    ("assets/gallery/marbles.png", GALLERY),
    ("assets/gallery/meadow.png", EXAMPLE),
    ("assets/gallery/plasma.png", GALLERY),
    ("assets/gallery/reaction_diffusion.png", EXAMPLE),
    ("assets/gallery/ribbons_2021.png", GALLERY),
    ("assets/gallery/ripples.png", GALLERY),
    ("assets/gallery/room.png", TRACED),
    ("assets/gallery/shingle.png", TRACED),
    ("assets/gallery/snail.png", SCENE),
    ("assets/gallery/still_life.png", GALLERY),
    ("assets/gallery/still_life_small.png", GALLERY),
    ("assets/gallery/tabletop.png", SCENE),
    ("assets/gallery/terrain.png", EXAMPLE),
    ("assets/gallery/torus_knot.png", EXAMPLE),
    ("assets/gallery/vases.png", GALLERY),
    ("assets/gallery/window.png", GALLERY),
    ("emulator/amber/tests/scripts/picture.png", E::Foreign("input of a test, not a result")),
    ("emulator/cli/tests/goldens/ring.png", E::Formula(super::ring)),
    ("emulator/cli/tests/opengl/", E::Foreign("Mesa draws them: `emulator/cli/tests/opengl/mesa.py`")),
    (
        "examples/browser/tests/goldens/",
        E::Missing(
            "an example of goldens of pages; Chromium and the device draw them exactly or fail the example",
        ),
    ),
    (
        "examples/ci/tests/goldens/",
        E::Missing(
            "an example of goldens that a project makes itself; the device draws them exactly or fails the example",
        ),
    ),
];
