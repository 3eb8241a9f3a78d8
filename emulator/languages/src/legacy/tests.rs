//! Translations of old words, names and versions.

use super::*;

#[test]
fn old_words_become_new_ones_in_place() {
    let source = "#version 100\nprecision mediump float;\nvarying vec2 v; // varying\nvoid main() { gl_FragColor = texture2D(t, v); }\n";
    let new = modern(source, Stage::Fragment, false).source;
    assert!(
        new.starts_with(
            "#version 310 es\nlayout(location = 0) out highp vec4 qd_FragColor;\n#line 2\nprecision"
        ),
        "{new}"
    );
    assert!(new.contains("in      vec2 v; // varying"), "{new}");
    assert!(new.ends_with("void main() { qd_FragColor = texture  (t, v); }\n"), "{new}");
    assert_eq!(modern(source, Stage::Fragment, false).undo("'qd_FragColor' : x"), "'gl_FragColor' : x");
    // Modern source stays unchanged.
    let new = "#version 450\nvarying texture2D attribute\n";
    assert_eq!(modern(new, Stage::Fragment, false).source, new);
    assert_eq!(modern("#version 300 es\nx", Stage::Fragment, false).source, "#version 310 es\nx");
    let plain = "void main() { gl_FragColor = vec4(1); }";
    assert!(modern(plain, Stage::Fragment, false).source.starts_with("layout(location = 0)"));
    assert_eq!(modern(plain, Stage::Vertex, false).source, plain);
}

/// Spec: GLSL 4.60, 3.3: `__VERSION__` is the number of the version of the source.
#[test]
fn the_version_is_that_of_the_source() {
    for (number, new) in [(100, "310 es"), (110, "450"), (120, "450"), (130, "450")] {
        let source = |version: &str, number: &str| {
            format!("#version {version}\n#ifdef __VERSION__\n#if {number}>0 && defined(__VERSION__)\n")
        };
        let old = source(&number.to_string(), "__VERSION__");
        let expected = source(new, &format!("{number:<11}"));
        assert_eq!(modern(&old, Stage::Fragment, false).source, expected);
        assert_eq!(modern(&old, Stage::Vertex, false).source, expected);
    }
    let es = modern("#version 300 es\n#if __VERSION__ == 300\n", Stage::Vertex, false).source;
    assert_eq!(es, "#version 310 es\n#if 300         == 300\n");
    for kept in ["#version 330\nint a = __VERSION__;", "varying int a = __VERSION__;"] {
        assert!(modern(kept, Stage::Fragment, false).source.ends_with("__VERSION__;"), "{kept}");
    }
}

/// Spec: GLSL ES 1.00 and 3.00, Comments: only the latter continues them.
#[test]
fn comments_of_old_versions_end_with_their_line() {
    for (number, new) in [("100", "310 es"), ("120", "450")] {
        let source = format!("#version {number}\n// a \\\nin vec2 a;\n#define A b \\\n c\n");
        let expected = format!("#version {new}\n// a  \nin vec2 a;\n#define A b \\\n c\n");
        assert_eq!(modern(&source, Stage::Fragment, false).source, expected);
    }
    let es = modern("#version 300 es\n// a \\\n b\n", Stage::Fragment, false).source;
    assert_eq!(es, "#version 310 es\n// a \\\n b\n");
}

/// Spec: GLSL ES 1.00, 4.6.4: a varying is invariant in both stages.
#[test]
fn varyings_are_invariant_in_vertex_shaders() {
    let source = "invariant varying vec2 v;\ninvariant centroid varying vec2 w;\n";
    let fragment = modern(source, Stage::Fragment, false).source;
    assert_eq!(fragment, "          in      vec2 v;\n          centroid in      vec2 w;\n");
    let vertex = modern(source, Stage::Vertex, false).source;
    assert_eq!(vertex, "invariant out     vec2 v;\ninvariant centroid out     vec2 w;\n");
}

/// Spec: GLSL ES 1.00, Preprocessor: comments and white space may stand before `#version`; not in GLSL ES 3.00.
#[test]
fn comments_stand_before_versions() {
    let source = "/* a */ // b\n\n#version 100 // c\nfloat a;\n";
    let new = modern(source, Stage::Vertex, false).source;
    assert_eq!(new, "#version 310 es\n#line 1\n/* a */ // b\n\n // c\nfloat a;\n");
    let source = "\n/* a */ #version 100\n#extension E : enable\nvoid main() { gl_FragColor = a; }\n";
    let new = modern(source, Stage::Fragment, false).source;
    let declared = "layout(location = 0) out highp vec4 qd_FragColor;\n#line 4\n";
    assert_eq!(
        new,
        format!(
            "#version 310 es\n#line 1\n\n/* a */ \n#extension E : enable\n{declared}void main() {{ qd_FragColor = a; }}\n"
        )
    );
    for (number, new) in [("300 es", "310 es"), ("120", "450")] {
        let source = |number: &str| format!("// a\n#version {number}\nfloat a;\n");
        assert_eq!(modern(&source(number), Stage::Vertex, false).source, source(new));
    }
}

/// Spec: GLSL 4.60, 3.3: a macro has parameters if the parenthesis is next to its name.
#[test]
fn functions_of_old_versions_are_macros() {
    let source =
        "#define texture2DLodEXT(s, v, l) texture2D(s, v)\nvarying vec4 a = texture2DLodEXT(s, v, 1.0);\n";
    let expected =
        "#define      textureLod(s, v, l) texture  (s, v)\nin      vec4 a = textureLod     (s, v, 1.0);\n";
    assert_eq!(modern(source, Stage::Fragment, false).source, expected);
    // Two functions with one new name.
    let source = "#define texture2D(s, v) v\nvarying vec4 a = textureCube(s, v);\n";
    assert!(modern(source, Stage::Fragment, false).source.starts_with("#define texture  (s, v) v\n"));
    let source = "#version 130\n#define texture2D (v)\n";
    assert_eq!(modern(source, Stage::Fragment, false).source, "#version 450\n#define texture   (v)\n");
}

/// Spec: EXT_draw_buffers of OpenGL ES 2.0; GLSL 1.20, 7.2: `gl_FragData` has `gl_MaxDrawBuffers` elements.
#[test]
fn colors_of_old_versions_are_arrays() {
    let extension = "#extension GL_EXT_draw_buffers : require // c\n";
    let main = "void main() { gl_FragData[1] = gl_FragData[0]; }\n";
    let new_main = main.replace("gl_", "qd_");
    let new = |source: &str| modern(source, Stage::Fragment, false).source;
    let declared = |elements: u32, line: u32| {
        format!("layout(location = 0) out highp vec4 qd_FragData[{elements}];\n#line {line}\n")
    };
    let head = "#version 310 es\n";
    let (found, rest) =
        (new(&format!("#version 100\n{extension}{main}")), format!("{:40} // c\n{new_main}", ""));
    assert_eq!(found, format!("{head}{}{rest}", declared(8, 2)));
    assert_eq!(new(&format!("#version 100\n{main}")), format!("{head}{}{new_main}", declared(1, 2)));
    assert_eq!(new(&format!("#version 120\n{main}")), format!("#version 450\n{}{new_main}", declared(8, 2)));
}

/// Spec: GLSL 1.20, 8.7: the comparisons return vectors, in fragment shaders with a bias if there is one.
#[test]
fn comparisons_of_old_versions_are_vectors() {
    let source = "#version 120\nuniform sampler2DShadow t;\nvarying vec4 v;\n\
        void main() { gl_FragColor = shadow2D(t, v.xyz) + shadow2D(t, v.xyz, 0.5) + shadow2DProjLod(t, v, 1.0); }\n";
    let fragment = modern(source, Stage::Fragment, false).source;
    let plain = "vec4 shadow2D(sampler2DShadow qd_sampler, vec3 qd_at) \
        { return vec4(vec3(texture(qd_sampler, qd_at)), 1.0); }\n";
    let lod = "vec4 shadow2DProjLod(sampler2DShadow qd_sampler, vec4 qd_at, float qd_lod) \
        { return vec4(vec3(textureProjLod(qd_sampler, qd_at, qd_lod)), 1.0); }\n";
    assert!(
        fragment.contains(plain)
            && fragment.contains(lod)
            && fragment.contains("texture(qd_sampler, qd_at, qd_bias)")
    );
    assert!(
        fragment.contains("#line 2\nuniform sampler2DShadow t;") && !fragment.contains("vec4 shadow1D"),
        "{fragment}"
    );
    let vertex =
        modern("#version 120\nvarying vec4 v; void main() { v = shadow2D(t, a); }", Stage::Vertex, false);
    assert!(vertex.source.contains(plain) && !vertex.source.contains("qd_bias"), "{}", vertex.source);
    // Functions of the program, comments, and versions that lack these functions.
    for own in [
        "#version 120\nvec4 shadow2D(float a) { return vec4(a); }\nvoid main() { v = shadow2D(1.0); }\n",
        "#version 120\n// shadow2D(t, v)\n",
        "#version 330\nfloat shadow2D(float a) { return a; }\n",
    ] {
        assert!(!modern(own, Stage::Fragment, false).source.contains("qd_"), "{own}");
    }
    assert!(modern(SHADOWS_OF_ES, Stage::Fragment, false).source.contains("vec4(texture    (t, vec3(0.5)))"));
}

/// Spec: EXT_shadow_samplers: the comparison returns a number.
const SHADOWS_OF_ES: &str = "#version 100\n#extension GL_EXT_shadow_samplers : require\n\
    precision mediump float;\nuniform lowp sampler2DShadow t;\n\
    void main() { gl_FragColor = vec4(shadow2DEXT(t, vec3(0.5))); }\n";

#[cfg(feature = "glsl")]
#[test]
fn comparisons_of_old_versions_compile() {
    let all = COMPARISONS.iter().map(|name| {
        let (sides, at) = (&name[6..8], if name.contains("Proj") { "vec4" } else { "vec3" });
        let more = if name.ends_with("Lod") { ", 1.0" } else { "" };
        let call = format!("gl_FragColor = {name}(t, {at}(0.5){more});");
        format!("#version 120\nuniform sampler{sides}Shadow t;\nvoid main() {{ {call} }}\n")
    });
    for source in all.chain([SHADOWS_OF_ES.to_owned()]) {
        let options = crate::Options { relaxed: true, disk_cache: false, ..crate::Options::named("a.frag") };
        crate::compile_glsl(&source, Stage::Fragment, &options).unwrap();
    }
}

#[test]
fn names_that_es_leaves_to_programs() {
    let own = "#version 300 es\nfloat texture2D(float a) { return a; }\nvoid atomicAdd(float buffer) {}\n\
        void main() { texture2D(1.0); }";
    let new = modern(own, Stage::Fragment, false);
    assert!(new.source.contains("float texture2A(float a)") && new.source.contains("{ texture2A(1.0); }"));
    assert!(new.source.contains("atomicAdA(float buffeA)"), "{}", new.source);
    assert_eq!(new.undo("'texture2A'"), "'texture2D'");
    let plain = "#version 330\nfloat fma(float a) { return a; }";
    assert_eq!(modern(plain, Stage::Fragment, false).source, plain);
}

/// Spec: GLSL ES 1.00, 3.6 and 6.1: names that only later versions took.
#[test]
fn names_that_old_versions_leave_to_programs() {
    let own = "#version 100\nuniform sampler2D texture;\nvarying vec2 v;\n#define T texture2D(texture, v)\n\
        float tanh(float filter) { return filter; }\nvoid main() { gl_FragData[0] = T * texture3D(a, b); }";
    let new = modern(own, Stage::Fragment, false);
    for part in [
        "sampler2D texturA;",
        "T texture  (texturA, v)\n",
        "float tanA(float filteA) { return filteA; }",
        "out highp vec4 qd_FragData[1];",
        "{ qd_FragData[0] = T * texture  (a, b); }",
    ] {
        assert!(new.source.contains(part), "{part}: {}", new.source);
    }
    let newer = "#version 330\nuniform sampler2D texturA; void main() { o = texture(t, tanh(v)); }";
    assert_eq!(modern(newer, Stage::Fragment, false).source, newer);
    let mixed = "void main() { gl_FragColor = texture(t, v); }";
    assert!(modern(mixed, Stage::Fragment, false).source.ends_with("= texture(t, v); }"));
    // Without a version, what only old versions have makes a source an old one.
    let data = "void main() { gl_FragData[0] = texture2D(t, v); gl_FragDepthEXT = 0.5; }";
    let new = modern(data, Stage::Fragment, false).source;
    assert!(new.ends_with("{ qd_FragData[0] = texture  (t, v); gl_FragDepth    = 0.5; }"), "{new}");
    let depth = "'gl_FragDepth' : x";
    assert_eq!(modern(data, Stage::Fragment, false).undo(depth), "'gl_FragDepthEXT' : x");
}

#[test]
fn declarations_of_names() {
    let names = Names::of(
        "\n # define filter(x) float smooth\nfloat filter, fma (1);\nreturn\ntanh(1); in sample; int\nround (2)",
    );
    assert_eq!(names.variables, HashSet::from(["filter"]));
    assert_eq!(names.functions, HashSet::from(["round"]));
    assert!(names.used.contains("smooth") && names.all.len() == names.used.len() + 2);
}

#[test]
fn outputs_have_no_layouts_before_3_30() {
    let new = modern("#version 150\nvoid main() { gl_FragColor = vec4(1); }", Stage::Fragment, false).source;
    assert_eq!(
        new,
        "#version 150\nout highp vec4 qd_FragColor;\n#line 1\nvoid main() { qd_FragColor = vec4(1); }"
    );
}

#[test]
fn modules_have_the_words_of_the_user() {
    let name = |text: &str, head: &[u32]| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize((text.len() / 4 + 1) * 4, 0);
        let text = bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        let all: Vec<u32> = head.iter().copied().chain(text).collect();
        [vec![all[0] | (all.len() as u32) << 16], all[1..].to_vec()].concat()
    };
    let module = |a: &str, b: &str, c: &str| {
        [vec![0; 5], name(a, &[5, 1]), name(b, &[6, 2, 0]), name(c, &[5, 3])].concat()
    };
    let pair = |new: &str, old: &str| (new.to_owned(), old.to_owned());
    let names = [
        pair("buffeA", "buffer"),
        pair("qd_FragColor", "gl_FragColor"),
        pair("gl_FragDepth", "gl_FragDepthEXT"),
    ];
    let new = restore(module("buffeA", "buffeA", "buffeAs"), &names);
    assert_eq!(new, module("buffer", "buffer", "buffeAs"));
    let new = restore(module("qd_FragColor", "gl_FragDepth", "gl_FragDepth"), &names);
    assert_eq!(new, module("gl_FragColor", "gl_FragDepthEXT", "gl_FragDepthEXT"));
    assert_eq!(restore(new.clone(), &names), new);
    assert_eq!(restore(vec![1, 2], &names), [1, 2]);
    assert_eq!(restore(vec![0, 0, 0, 0, 0, 0, 5 | 9 << 16, 1], &names).len(), 8);
}

#[test]
fn locations() {
    let source = "#version 330\nlayout(location = 0) in vec3 position; // out vec3 gone;\n\
                  out vec3 a, b;\nvoid main() { a = b; }\nvoid f(in float c) {}";
    assert!(!has_location(source, "a") && !has_location(source, "b"));
    assert!(has_location(source, "position") && has_location(source, "gone") && has_location(source, "main"));
}

#[test]
fn taken_names_become_free_ones() {
    let source = "int buffer; int buffeA; float fma(float a) { return fma(a) + frexp(a); }";
    let new = rename(source, &["buffer"], &["fma", "frexp"]);
    assert_eq!(new.source, "int buffeB; int buffeA; float fmA(float a) { return fmA(a) + frexp(a); }");
    assert_eq!(new.undo("'buffeB' and 'fmA'"), "'buffer' and 'fma'");
}
