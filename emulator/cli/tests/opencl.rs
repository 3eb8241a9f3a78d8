//! OpenCL kernels in the command: arguments, results, mistakes that checks find, lines and values in the debugger, lines in
//! profiles and coverage, and OpenCL C.

mod common;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use common::{Folder, asset, bad, good, quadrille, wrong};
use quadrille::testing::{self, Requirement};

#[test]
fn run_launches_a_kernel() {
    let kernel = asset("vadd.spvasm");
    let run = |more: &[&str]| {
        let first = ["run", &kernel, "--entry", "vadd", "--global", "8", "--local", "4"];
        let data = ["--arg", "f32:1,2,3,4,5*4", "--arg", "zeros:32", "--arg", "3.0"];
        good(&[&first[..], &data, more].concat())
    };
    assert_eq!(run(&["--read", "1:f32"]), "1: 4, 5, 6, 7, 8, 8, 8, 8\n");
    // The last workgroup is smaller.
    let uneven =
        ["run", &kernel, "--global", "7", "--local", "4", "--arg", "ro:f32:1*7", "--arg", "undef:28"];
    let got = good(&[&uneven[..], &["--arg", "3.0", "--read", "1:f32"]].concat());
    assert_eq!(got, "1: 4, 4, 4, 4, 4, 4, 4\n");
    let json: serde_json::Value = serde_json::from_str(&run(&["--read", "1:f32", "--json"])).unwrap();
    assert_eq!(json["1"][0], 4.0);
    let folder = Folder::new("kernel");
    let raw = folder.path("out.raw");
    // A result in a file is not one of the object.
    let both = run(&["--read", &format!("0:f32={raw}"), "--read", "1:f32", "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&both).unwrap(), json);
    assert_eq!(run(&["--read", &format!("1:f32={raw}")]), "");
    assert_eq!(std::fs::read(&raw).unwrap()[..4], 4f32.to_le_bytes());
    // A result that cannot be read is an error before the kernel runs, and before anything is written.
    let early = folder.path("early.raw");
    for (what, message) in
        [("1:f64", "28 bytes are not a whole number"), ("7:f32", "7"), ("2:f32", "argument 2")]
    {
        let reads = ["--arg", "3.0", "--read", &format!("1:f32={early}"), "--read", what];
        let text = wrong(&[&uneven[..], &reads].concat());
        assert!(text.contains(message), "{text}");
        assert!(!std::path::Path::new(&early).exists());
    }
}

/// Arguments are listed by the numbers that `--arg` and `--read` have. Constants of the module are not resources.
#[test]
fn inspect_lists_the_arguments() {
    let text = good(&["inspect", &asset("vadd.spvasm")]);
    for line in [
        "  local size: that of the launch\n",
        "  argument 0 a: buffer of f32\n",
        "  argument 1 b: buffer of f32\n",
        "  argument 2 k: f32\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&good(&["inspect", &asset("vadd.spvasm"), "--json"])).unwrap();
    let entry = &json["entry_points"][0];
    assert!(entry["local_size"].is_null() && entry["arguments"][2]["bytes"] == 4, "{json}");
    let tests = format!("{}/../../conformance/filetests/kernels", env!("CARGO_MANIFEST_DIR"));
    let text = good(&["inspect", &format!("{tests}/workgroup_argument.spvasm")]);
    assert!(text.contains(": workgroup memory of "), "{text}");
    for name in ["module_constants", "address_constants", "image_samplers"] {
        let text = good(&["inspect", &format!("{tests}/{name}.spvasm")]);
        assert!(text.contains("argument 0") && !text.contains("binding"), "{text}");
    }
}

/// Images from text and from a picture, a sampler, and a result as a picture.
#[test]
fn run_takes_images() {
    let folder = Folder::new("kernel-images");
    let kernel = folder.write("turn.spvasm", TURN);
    let picture = folder.path("turned.png");
    let first = ["run", &kernel, "--global", "2,1"];
    let data = [
        "--arg",
        "image:2x1:R8G8B8A8_UNORM:u8:255,0,0,255,0,51,0,255",
        "--arg",
        "sampler:nearest unnormalized",
    ];
    let more = ["--arg", "image:2x1", "--read", "2:u8", "--read", &format!("2={picture}")];
    let got = good(&[&first[..], &data, &more].concat());
    assert_eq!(got, "2: 0, 51, 0, 255, 255, 0, 0, 255\n");
    let pixels = image::open(&picture).unwrap().into_rgba8();
    assert_eq!((pixels.dimensions(), pixels.get_pixel(0, 0).0), ((2, 1), [0, 51, 0, 255]));
    let back =
        ["--arg", &picture, "--arg", "sampler:nearest unnormalized", "--arg", "image:2x1", "--read", "2:u8"];
    assert_eq!(good(&[&first[..], &back].concat()), "2: 255, 0, 0, 255, 0, 51, 0, 255\n");
    let wrong =
        bad(&[&first[..], &["--arg", "image:2", "--arg", "sampler:linear", "--arg", "image:2x1"]].concat());
    assert!(wrong.contains("argument 0") && wrong.contains("dimensionality D2"), "{wrong}");
}

/// Exchanges two texels of an image.
const TURN: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability ImageBasic
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "turn" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%v4 = OpTypeVector %f32 4
%v3u64 = OpTypeVector %u64 3
%iv = OpTypePointer Input %v3u64
%from = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%to = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
%sampler = OpTypeSampler
%sampled = OpTypeSampledImage %from
%fn = OpTypeFunction %void %from %sampler %to
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%f0 = OpConstant %f32 0
%gid = OpVariable %iv Input
%main = OpFunction %void None %fn
%a = OpFunctionParameter %from
%s = OpFunctionParameter %sampler
%b = OpFunctionParameter %to
%entry = OpLabel
%ids = OpLoad %v3u64 %gid
%i = OpCompositeExtract %u64 %ids 0
%x = OpUConvert %u32 %i
%other = OpISub %u32 %u1 %x
%here = OpCompositeConstruct %v2 %x %u0
%there = OpCompositeConstruct %v2 %other %u0
%both = OpSampledImage %sampled %a %s
%texel = OpImageSampleExplicitLod %v4 %both %here Lod %f0
OpImageWrite %b %there %texel
OpReturn
OpFunctionEnd
"#;

#[test]
fn wrong_arguments_are_named() {
    let kernel = asset("vadd.spvasm");
    let run = |more: &[&str]| wrong(&[&["run", &kernel, "--global", "8"][..], more].concat());
    assert!(run(&[]).contains("argument 0 'a' is missing"));
    assert!(run(&["--arg", "zeros:32", "--arg", "zeros:32", "--arg", "x"]).contains("argument 2"));
    let four = ["--arg", "zeros:32", "--arg", "zeros:32", "--arg", "1", "--arg", "2"];
    assert!(run(&four).contains("the kernel has 3 arguments"));
    // After a prefix, `local:32` is the name of a file.
    let prefixed = ["run", &kernel, "--global", "8", "--arg", "ro:zeros:32", "--arg", "wo:local:32"];
    assert!(bad(&[&prefixed[..], &["--arg", "1"]].concat()).contains("argument 1"));
}

/// A buffer that is too short, and a race of all invocations for one element.
#[test]
fn checks_find_mistakes() {
    let kernel = asset("vadd.spvasm");
    let check = |file: &str, b: &str| {
        let args = ["check", file, "--global", "8", "--arg", "f32:1*8", "--arg", b, "--arg", "3.0"];
        let out = quadrille(&args);
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let short = check(&kernel, "zeros:16");
    assert!(short.contains("out-of-bounds") || short.contains("bounds"), "{short}");
    let folder = Folder::new("kernel-race");
    let text = std::fs::read_to_string(&kernel).unwrap();
    let racy = text.replace("%pb = OpInBoundsPtrAccessChain %ptr %b %i", "%pb = OpCopyObject %ptr %b");
    let racy = racy.replace("OpFAdd %f32 %x %k", "OpConvertUToF %f32 %i");
    let file = folder.write("racy.spvasm", &racy);
    let race = check(&file, "zeros:32");
    assert!(race.contains("race"), "{race}");
}

/// Runs `check` on one workgroup of four invocations of a kernel with a buffer `%a` and workgroup memory `%tile`.
fn found_in(name: &str, body: &str) -> String {
    let folder = Folder::new(name);
    let head = include_str!("../../tests/kernels/head.spvasm");
    let text = format!(
        "{head}
        %event = OpTypeEvent
        %events = OpTypePointer Function %event
        %none = OpConstantNull %event
        %array = OpTypeArray %u32 %u4
        %parray = OpTypePointer Function %array
        %pu = OpTypePointer Function %u32
        %u528 = OpConstant %u32 528
        %main_type = OpTypeFunction %void %gu %wu
        %main = OpFunction %void None %main_type
        %a = OpFunctionParameter %gu
        %tile = OpFunctionParameter %wu
        %entry = OpLabel
        %list = OpVariable %events Function
        %own = OpVariable %parray Function
        %locals = OpLoad %v3u64 %lid
        %l = OpCompositeExtract %u64 %locals 0
        %n = OpUConvert %u32 %l
        %other = OpBitwiseXor %u64 %l %l3
        %mine = OpInBoundsPtrAccessChain %gu %a %l
        %theirs = OpInBoundsPtrAccessChain %gu %a %other
        %tile_mine = OpInBoundsPtrAccessChain %wu %tile %l
        %tile_theirs = OpInBoundsPtrAccessChain %wu %tile %other
        {body}
        OpReturn
        OpFunctionEnd
"
    );
    let file = folder.write("k.spvasm", text);
    let arguments = "--global 4 --local 4 --arg u32:1,2,3,4 --arg local:16";
    let out = quadrille(&[&["check", &file][..], &split(arguments)].concat());
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(errors.is_empty(), "{name}: {errors}");
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// A barrier orders the memory that its semantics name: CrossWorkgroupMemory is buffers.
#[test]
fn barriers_order_buffers() {
    let body = |semantics: &str| {
        format!(
            "OpStore %mine %n Aligned 4
            OpControlBarrier %u2 %u2 {semantics}
            %x = OpLoad %u32 %theirs Aligned 4
            OpStore %tile_mine %x Aligned 4"
        )
    };
    let ordered = found_in("kernel-ordered", &body("%u528"));
    assert!(ordered.contains("nothing found"), "{ordered}");
    let unordered = found_in("kernel-unordered", &body("%u272"));
    assert!(unordered.contains("race-buffer"), "{unordered}");
}

/// A workgroup that has waited for its copies may read what any invocation copied, and write where any has read.
#[test]
fn waits_order_copies() {
    let copy = "%e = OpGroupAsyncCopy %event %u2 %tile %a %l4 %l1 %none\nOpStore %list %e\n";
    let wait = "OpGroupWaitEvents %u2 %u1 %list\n";
    let rest = "%x = OpLoad %u32 %tile_theirs Aligned 4\nOpStore %mine %x Aligned 4";
    let waited = found_in("kernel-waited", &[copy, wait, rest].concat());
    assert!(waited.contains("nothing found"), "{waited}");
    let forgotten = found_in("kernel-not-waited", &[copy, rest].concat());
    assert!(forgotten.contains("race-workgroup"), "{forgotten}");
    // The copy writes what every invocation has just written, and nothing orders the two.
    let back = "OpStore %tile_mine %n Aligned 4
        OpControlBarrier %u2 %u2 %u272
        OpStore %mine %u0 Aligned 4
        %e = OpGroupAsyncCopy %event %u2 %a %tile %l4 %l1 %none
        OpStore %list %e
        OpGroupWaitEvents %u2 %u1 %list";
    let twice = found_in("kernel-copied-over", back);
    assert!(twice.contains("race-buffer"), "{twice}");
}

/// Instructions of OpenCL.std have numbers that other instructions have in GLSL.std.450, where they may be undefined:
/// `fma` has the number of `Pow`, `floor` that of `Atan2`.
#[test]
fn functions_of_opencl_are_not_those_of_glsl() {
    let body = "%x = OpConvertSToF %f32 %n
        %minus = OpFNegate %f32 %x
        %y = OpExtInst %f32 %cl fma %minus %two %minus
        %z = OpExtInst %f32 %cl floor %y
        %w = OpBitcast %u32 %z
        OpStore %mine %w Aligned 4
        OpStore %tile_mine %w Aligned 4";
    let found = found_in("kernel-functions", body);
    assert!(found.contains("nothing found"), "{found}");
}

/// Accesses must be inside of arrays whose length is known; a pointer one past the end may be compared.
#[test]
fn indices_stay_in_arrays() {
    let body = |step: &str, more: &str| {
        format!(
            "%at = OpIAdd %u64 %l {step}
            OpStore %tile_mine %u0 Aligned 4
            %inside = OpInBoundsAccessChain %pu %own %l
            OpStore %inside %n Aligned 4
            %e = OpInBoundsAccessChain %pu %own %at
            {more}"
        )
    };
    let access = "OpStore %e %n Aligned 4";
    let inside = found_in("kernel-inside", &body("%l0", access));
    assert!(inside.contains("nothing found"), "{inside}");
    let outside = found_in("kernel-outside", &body("%l1", access));
    assert!(outside.contains("index"), "{outside}");
    let compared =
        "%bits = OpConvertPtrToU %u64 %e\n%low = OpUConvert %u32 %bits\nOpStore %mine %low Aligned 4";
    let past = found_in("kernel-past", &body("%l1", compared));
    assert!(past.contains("nothing found"), "{past}");
}

/// Kernel `pairs`, with lines 2 to 7 of `pairs.cl`.
const PAIRS: &str = include_str!("shaders/pairs.spvasm");
/// Its arguments. Workgroup 1 has part = { 8, 10, 12, 14 } + 7.
const ARGUMENTS: &str =
    "--global 8 --local 4 --arg f32:0,1,2,3,4,5,6,7 --arg zeros:32 --arg 2.0,7 --arg local:16";

fn split(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

/// Runs the command with a script on standard input.
fn with_input(command: &mut Command, script: &str) -> Output {
    let command = command.env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // The command may have ended already.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    child.wait_with_output().unwrap()
}

fn debug(file: &str, options: &[&str], script: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    let out = with_input(command.args(["debug", file]).args(options), script);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn an_invocation_is_debugged() {
    let folder = Folder::new("kernel-debug");
    let file = folder.write("pairs.spvasm", PAIRS);
    let script = "bt\nn\nn\np i\np part\nn\nn\np s\np part[1]\nend\nlocals\np a[5]\np out[5]\np i * 2\np part[1] + part[0]\n\
                  p @lanes sum\nbreak 4\n";
    let out = debug(&file, &[&["--invocation", "5,0,0"][..], &split(ARGUMENTS)].concat(), script);
    for part in [
        "invocation (5, 0, 0)",
        ">#0 pairs pairs.cl:2",
        "pairs pairs.cl:4",
        "i = 5",
        "s = {by: 2.0, plus: 7}",
        "part[1] = 17.0",
        // Only elements that the lane group has accessed are known.
        "a = [[4]: 4.0, [5]: 5.0, [6]: 6.0, [7]: 7.0]",
        "out = [[4]: 32.0, [5]: 32.0, [6]: 40.0, [7]: 40.0]",
        "part = [[0]: 15.0, [1]: 17.0, [2]: 19.0, [3]: 21.0]",
        "a[5] = 5.0",
        "out[5] = 32.0",
        "i * 2 = 10",
        "part[1] + part[0] = 32.0",
        "ids = u64vec3(5, 0, 0)",
        "breakpoint 1 at line 4",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    let far = [&["debug", &file, "--invocation", "8"][..], &split(ARGUMENTS)].concat();
    assert!(wrong(&far).contains("the shader did not run there: --global has the size 8, 1, 1"));
    let wrong = [&["debug", &file, "--vertex", "8"][..], &split(ARGUMENTS)].concat();
    assert!(bad(&wrong).contains("--global has no such invocation"));
}

/// A byte of private memory to which a parameter points, beside others in its word.
#[test]
fn private_memory_is_watched() {
    let folder = Folder::new("kernel-private");
    let file = folder.write("fill.spvasm", include_str!("shaders/fill.spvasm"));
    let options = ["--invocation", "1", "--global", "8", "--arg", "zeros:32"];
    let script = "break fill\nc\nwatch p\nwatch p[1]\nc\nhistory p[1]\nc\n";
    let out = debug(&file, &options, script);
    for part in [
        "`p` never changes",
        "watch 2: p[1]: 0 -> 2\nfill fill.cl:5",
        " line    4  2\n(quadrille) c\nthe invocation has ended",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

/// The editor's requests go the same way.
#[test]
fn a_kernel_in_an_editor() {
    let folder = Folder::new("kernel-dap");
    let file = folder.write("pairs.spvasm", PAIRS);
    let launch = serde_json::json!({ "program": file, "invocation": [5, 0, 0], "args": split(ARGUMENTS) });
    let mut input = String::new();
    for (seq, (command, arguments)) in [
        ("initialize", serde_json::json!({})),
        ("launch", launch),
        ("configurationDone", serde_json::json!({})),
        ("next", serde_json::json!({ "threadId": 2 })),
        ("evaluate", serde_json::json!({ "expression": "i", "context": "repl" })),
        ("disconnect", serde_json::json!({})),
    ]
    .into_iter()
    .enumerate()
    {
        let request = serde_json::json!({
            "seq": seq + 1, "type": "request", "command": command, "arguments": arguments,
        });
        let text = request.to_string();
        input += &format!("Content-Length: {}\r\n\r\n{text}", text.len());
    }
    let out = with_input(Command::new(env!("CARGO_BIN_EXE_quadrille")).arg("dap"), &input);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && !text.contains("\"success\":false"), "{text}");
    assert!(text.contains("\"result\":\"5\""), "{text}");
}

/// Lines of OpLine; without them, the instructions are the source.
#[test]
fn profiles_and_coverage_have_lines() {
    let folder = Folder::new("kernel-lines");
    let file = folder.write("pairs.spvasm", PAIRS);
    folder.write("pairs.cl", "\n".repeat(9));
    let without: String =
        PAIRS.lines().filter(|l| !l.starts_with("OpLine")).map(|l| format!("{l}\n")).collect();
    let without = folder.write("without.spvasm", without);
    let profile = |file: &str| good(&[&["profile", "--measure=0", file][..], &split(ARGUMENTS)].concat());
    let table = profile(&file);
    assert!((2..=6).all(|line| table.contains(&format!("  pairs.cl:{line}"))), "{table}");
    let table = profile(&without);
    let row = table.lines().find(|l| l.contains("OpFMul")).unwrap_or_else(|| panic!("{table}"));
    assert!(row.contains("disassembly-") && row.contains(".spvasm:"), "{table}");
    // Eight invocations, each once.
    let coverage = |file: &str, name: &str| {
        let lcov = folder.path(name);
        good(&[&["run", file, "--coverage", &lcov][..], &split(ARGUMENTS)].concat());
        std::fs::read_to_string(lcov).unwrap()
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    let here = folder.path("");
    let args = [&["run", "pairs.spvasm", "--coverage", "with.info"][..], &split(ARGUMENTS)].concat();
    assert!(command.args(args).current_dir(&here).status().unwrap().success());
    let text = std::fs::read_to_string(folder.path("with.info")).unwrap();
    assert!(text.contains("SF:pairs.cl\n") && text.contains("FNDA:8,pairs\n"), "{text}");
    assert!((2..=6).all(|line| text.contains(&format!("DA:{line},8\n"))), "{text}");
    let text = coverage(&without, "without.info");
    let source = text.lines().find_map(|l| l.strip_prefix("SF:")).unwrap_or_else(|| panic!("{text}"));
    let listing = std::fs::read_to_string(source).unwrap();
    let line = 1 + listing.lines().position(|l| l.contains("OpFMul")).unwrap();
    assert!(text.contains(&format!("DA:{line},8\n")), "{text}");
}

/// OpenCL C needs clang in PATH; without it, the error says how to get SPIR-V. The stand-ins for clang are shell scripts.
#[cfg(unix)]
#[test]
fn opencl_c_goes_through_clang() {
    let folder = Folder::new("opencl-c");
    let source = folder.write("vadd.cl", "kernel void vadd(global float *a, global float *b, float k) {}");
    let module =
        folder.write("vadd.spv", quadrille(&["inspect", &asset("vadd.spvasm"), "--emit", "spirv"]).stdout);
    let tools = folder.path("tools");
    let kernel = |first: &[&str], path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(first).args(split("--global 4 --arg f32:1,2,3,4 --arg zeros:16 --arg 3.0"));
        let out = command.env("NO_COLOR", "1").env("PATH", path).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (out.status.success(), text(out.stdout), text(out.stderr))
    };
    let (done, _, errors) = kernel(&["run", &source], &tools);
    assert!(!done && errors.contains("OpenCL C is compiled by clang, which is not on the path"), "{errors}");
    assert!(errors.contains("--target=spirv64") && errors.contains("FILE.spv"), "{errors}");
    // A stand-in that writes the module to its last argument, if the others are as expected.
    let script = format!(
        "case \"$*\" in *'-x cl -cl-std=CL3.0 --target=spirv64'*'-I src -D K=2 '*) ;; *) exit 1;; esac\n\
         for last; do :; done\ncp '{module}' \"$last\""
    );
    folder.tool("tools/clang", &script);
    let path = format!("{tools}:/usr/bin:/bin");
    let options = ["-I", "src", "-D", "K=2"];
    let (done, text, errors) =
        kernel(&[&["run", &source, "--entry", "vadd", "--read", "1:f32"][..], &options].concat(), &path);
    assert!(done && text == "1: 4, 5, 6, 7\n", "{text}{errors}");
    test_files_go_through_clang(&folder, &path, &module);
    let (done, text, _) = kernel(&[&["check", &source][..], &options].concat(), &path);
    assert!(done && text.contains("nothing found"), "{text}");
    let (done, text, _) = kernel(&[&["profile", &source, "--measure", "0"][..], &options].concat(), &path);
    assert!(done && text.contains("OpFAdd"), "{text}");
    let (done, text, _) = kernel(&[&["debug", &source, "--invocation", "2"][..], &options].concat(), &path);
    assert!(done && text.contains("invocation (2, 0, 0)"), "{text}");
    folder.tool("tools/clang", "echo \"error: unable to execute command: llvm-spirv\" >&2; exit 1");
    let (done, _, errors) = kernel(&["run", &source], &path);
    assert!(
        !done && errors.contains("unable to execute command") && errors.contains("the translator"),
        "{errors}"
    );
}

/// Test files name OpenCL C like any other language; the journal knows which files clang includes.
#[cfg(unix)]
fn test_files_go_through_clang(folder: &Folder, path: &str, module: &str) {
    let header = folder.write("some folder/k.h", "");
    let rule = format!("shader.spv: vadd.cl \\\n  {}\n", header.replace(' ', "\\ "));
    let rule = folder.write("rule.d", rule);
    // A stand-in that includes a file.
    let script = format!(
        "case \"$*\" in *'-I '*'/lib -D K=2 '*) ;; *) exit 1;; esac\n\
         while [ \"$1\" != -MF ]; do shift; done\ncp '{rule}' \"$2\"\n\
         for last; do :; done\ncp '{module}' \"$last\""
    );
    folder.tool("including/clang", &script);
    let test = "shader = \"vadd.cl\"\ndefine = { K = 2 }\ninclude = [\"lib\"]\n[[test]]\nname = \"adds\"\n\
                entry = \"vadd\"\nglobal = [4]\nargs = [\"f32: 1, 2, 3, 4\", \"zeros: 16\", 3.0]\n\
                expect = { \"1\" = \"f32: 4, 5, 6, 7\" }\n";
    let test = folder.write("vadd.test.toml", test);
    let run = |path: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(["test", &test, "--artifacts", &folder.path("out")]).args(more);
        let out = command.env("NO_COLOR", "1").env("PATH", path).output().unwrap();
        (out.status.success(), String::from_utf8(out.stdout).unwrap())
    };
    let (done, text) = run("", &[]);
    assert!(!done && text.contains("OpenCL C is compiled by clang, which is not on the path"), "{text}");
    assert!(text.contains("vadd.test.toml:1:10"), "{text}");
    let path = format!("{}:{path}", folder.path("including"));
    let again = || run(&path, &["--resume"]);
    let (done, text) = again();
    assert!(done && text.contains("1 passed"), "{text}");
    let (done, text) = again();
    assert!(done && text.contains("1 taken from the journal"), "{text}");
    folder.write("some folder/k.h", "#define K 3");
    let (done, text) = again();
    assert!(done && text.contains("1 passed") && !text.contains("journal"), "{text}");
}

/// A kernel whose results are known, compiled by the clang of this machine.
#[test]
fn clang_compiles_opencl_c() {
    let source = "struct Scale { float by; int plus; };
float square(float x) {
    return x * x;
}
kernel void sums(global const float *a, global float *b, float k, struct Scale s, local float *tile) {
    size_t i = get_global_id(0);
    tile[get_local_id(0)] = a[i] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (size_t n = 0; n < get_local_size(0); n++)
        sum += square(tile[n]) * s.by;
    b[i] = sum + s.plus;
}
";
    let folder = Folder::new("clang");
    let file = folder.write("sums.cl", source);
    if !has_clang(&folder, &file) {
        return;
    }
    let arguments = split(
        "--global 8 --local 4 --arg f32:1,2,3,4,5*4 --arg zeros:32 --arg 3.0 --arg 2.0,7 --arg local:16",
    );
    // 2 * (16 + 25 + 36 + 49) + 7, and 2 * 4 * 64 + 7.
    let out = good(&[&["run", &file, "--read", "1:f32"][..], &arguments].concat());
    assert_eq!(out, "1: 259, 259, 259, 259, 519, 519, 519, 519\n");
    let found = good(&[&["check", &file][..], &arguments].concat());
    assert!(found.contains("nothing found"), "{found}");
    if !good(&["inspect", &file, "--emit", "spvasm"]).contains("OpLine") {
        testing::skipped(Requirement::Clang, "no clang that writes lines to SPIR-V, which clang 21 does not");
        return;
    }
    let table = good(&[&["profile", "--measure=0", &file][..], &arguments].concat());
    assert!(table.contains("sums.cl:11  sum += square(tile[n]) * s.by;"), "{table}");
    let options = [&["--invocation", "5"][..], &arguments].concat();
    let out = debug(&file, &options, "break 12\nc\np sum\np i\np s\np a[5]\n");
    for part in ["sums.cl:12", "sum = 512.0", "i = 5", "a[5] = 5.0"] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

/// The kernels that we ship: results by hand, and nothing for `check` to find.
#[test]
fn our_kernels_are_correct() {
    let folder = Folder::new("our-kernels");
    let kernels = asset("../kernels");
    if !has_clang(&folder, &format!("{kernels}/vadd.cl")) {
        return;
    }
    let text = good(&["test", &kernels]);
    assert!(text.contains("10 passed"), "{text}");
    let found = |arguments: &str| {
        let (file, rest) = arguments.split_once(' ').unwrap();
        let file = format!("{kernels}/{file}.cl");
        good(&[&["check", &file][..], &split(rest)].concat())
    };
    for arguments in [
        "reduce --global 8 --local 4 --arg f32:1*8 --arg zeros:8 --arg local:16",
        "scan --global 8 --local 4 --arg u32:1*8 --arg zeros:32 --arg local:16",
        "matmul --global 32,16 --local 16,16 --arg f32:-1*1024 --arg f32:2*1024 --arg zeros:4096 --arg 32",
        "nbody --global 4 --arg f32:-1,2,3,4,5,6,-7,8,9,1,2,3,4,5,6,7 --arg zeros:64 --arg 4",
        "mandelbrot --global 4,2 --arg zeros:32 --arg 4 --arg 2 --arg 50",
        "spmv --global 2 --arg u32:0,2,3 --arg u32:0,1,1 --arg f32:-2,3,4 --arg f32:5,7 --arg zeros:8",
        "histogram --global 8 --local 4 --arg u8:1*64,7*64 --arg zeros:1024 --arg 16",
        "fft --global 128 --local 128 --arg f32:-1,2,1,0*509 --arg zeros:2048",
    ] {
        let text = found(arguments);
        assert!(text.contains("nothing found"), "{arguments}\n{text}");
    }
}

/// `true` if clang compiles a file to SPIR-V.
fn has_clang(folder: &Folder, file: &str) -> bool {
    let compiler = ["-c", "-x", "cl", "-cl-std=CL3.0", "--target=spirv64", "-O0", file, "-o"];
    let tried = Command::new("clang").args(compiler).arg(folder.path("tried.spv")).output();
    let has = tried.is_ok_and(|out| out.status.success());
    if !has {
        testing::skipped(Requirement::Clang, "no clang that compiles OpenCL C to SPIR-V");
    }
    has
}
