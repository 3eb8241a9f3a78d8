//! Every environment variable that Quadrille reads, in two tables with name, values and meaning. [`VARIABLES`] are for
//! every program, [`TEST_VARIABLES`] only for the tests of this repository.
//!
//! `quadrille info` prints the first table. Options that a program sets itself take precedence over the environment.
//! [`problems`] lists invalid values; with an invalid value, no device is created. A single reader treats an invalid
//! value as unset.

use std::time::Duration;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Name, with the prefix.
    pub name: &'static str,
    /// Accepted values.
    pub values: &'static str,
    /// Effect, and the default if the variable is not set.
    pub meaning: &'static str,
    /// Returns true if a value is valid.
    valid: fn(&str) -> bool,
}

impl Variable {
    /// Returns the value in the environment, if it is valid.
    pub fn get(&self) -> Option<String> {
        self.raw().filter(|v| (self.valid)(v))
    }
    fn raw(&self) -> Option<String> {
        std::env::var(self.name).ok().map(|v| v.trim().to_string()).filter(|v| !v.is_empty())
    }
}

fn one_of(v: &str, names: &[&str]) -> bool {
    names.contains(&v)
}

/// Number of threads.
pub const THREADS: Variable = Variable {
    name: "QUADRILLE_THREADS",
    values: "a number of threads, or 0",
    meaning: "number of threads that share work, including the caller's; at most eight per processor are used \
              (default: 0, one per processor)",
    valid: |v| v.parse::<usize>().is_ok(),
};
/// Use of the interpreter instead of generated code.
pub const INTERP: Variable = Variable {
    name: "QUADRILLE_INTERP",
    values: "0, 1",
    meaning: "1 runs shaders in the reference interpreter (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};
/// Checked execution.
pub const CHECK: Variable = Variable {
    name: "QUADRILLE_CHECK",
    values: "0, 1, fail",
    meaning: "1 looks for undefined behaviour of shaders while they run, such as races and accesses out of bounds, \
              and prints it to standard error; `fail` also fails the submission in which it is found: the device is \
              lost (default: 0)",
    valid: |v| one_of(v, &["0", "1", "fail"]),
};
/// Tiers of compilation.
pub const OPT: Variable = Variable {
    name: "QUADRILLE_OPT",
    values: "auto, none, speed",
    meaning: "auto optimizes shaders in the background after some use, none never optimizes, speed optimizes before \
              the first use (default: auto)",
    valid: |v| one_of(v, &["auto", "none", "speed"]),
};
/// Host instructions that generated code may use.
pub const CPU: Variable = Variable {
    name: "QUADRILLE_CPU",
    values: "v2, v3, v4, native",
    meaning: "host instructions that may be used, if the host has them: x86-64-v2, x86-64-v3 (AVX2), x86-64-v4 \
              (AVX-512), or all (default: native)",
    valid: |v| one_of(v, &["v2", "v3", "v4", "native"]),
};
/// Order of work with atomics.
pub const ORDER: Variable = Variable {
    name: "QUADRILLE_ORDER",
    values: "strict, relaxed",
    meaning: "relaxed runs work whose atomics return results in parallel, in any order (default: strict, the same \
              results every time)",
    valid: |v| one_of(v, &["strict", "relaxed"]),
};
/// Lane group size.
pub const LANES: Variable = Variable {
    name: "QUADRILLE_LANES",
    values: "4, 8, 16, 32",
    meaning: "subgroup size of pipelines that do not request one (default: 8)",
    valid: |v| one_of(v, &["4", "8", "16", "32"]),
};
/// Order in which parts of the work start.
pub const PARTS: Variable = Variable {
    name: "QUADRILLE_PARTS",
    values: "forwards, backwards",
    meaning: "backwards starts with the last tile and the last workgroups; results are the same (default: forwards)",
    valid: |v| one_of(v, &["forwards", "backwards"]),
};
/// CPU time limit per dispatch or draw.
pub const BUDGET: Variable = Variable {
    name: "QUADRILLE_BUDGET",
    values: "seconds",
    meaning: "CPU time limit of one dispatch or draw, after which the device is lost, measured on the busiest of its \
              threads; 0 for no limit (default: 60)",
    valid: |v| v.parse::<u64>().is_ok(),
};
/// CPU time limit per compilation.
pub const COMPILE_BUDGET: Variable = Variable {
    name: "QUADRILLE_COMPILE_BUDGET",
    values: "seconds",
    meaning: "CPU time limit of compiling one shader, after which it is refused; 0 for no limit (default: 60)",
    valid: |v| v.parse::<u64>().is_ok(),
};
/// Size of device memory.
pub const HEAP: Variable = Variable {
    name: "QUADRILLE_HEAP",
    values: "mebibytes",
    meaning: "size of device memory (default: three quarters of the host's)",
    valid: |v| v.parse::<u64>().is_ok_and(|n| n > 0),
};
/// Texts to dump.
pub const DUMP: Variable = Variable {
    name: "QUADRILLE_DUMP",
    values: "spirv, ir, clif, asm: one or more, separated by commas",
    meaning: "writes these texts for every shader and kernel that is compiled (default: none)",
    valid: |v| v.split(',').all(|t| one_of(t.trim(), &["spirv", "ir", "clif", "asm"])),
};
/// Folder for dumped texts.
pub const DUMP_DIR: Variable = Variable {
    name: "QUADRILLE_DUMP_DIR",
    values: "a folder",
    meaning: "folder for dumped texts (default: standard error)",
    valid: |_| true,
};
/// Rewriting of test expectations.
pub const BLESS: Variable = Variable {
    name: "QUADRILLE_BLESS",
    values: "0, 1",
    meaning: "1 rewrites the expected pictures and results of tests instead of comparing (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};

/// Cache of compiled GLSL on disk.
pub const CACHE: Variable = Variable {
    name: "QUADRILLE_CACHE",
    values: "0, 1",
    meaning: "0 keeps compiled GLSL out of the user's cache folder (default: 1)",
    valid: |v| one_of(v, &["0", "1"]),
};

/// Verification of proofs of the code generator.
pub const PROOFS: Variable = Variable {
    name: "QUADRILLE_PROOFS",
    values: "trust, check",
    meaning: "check keeps the bounds checks that were proved unnecessary, and fails if a proof was wrong (default: \
              trust)",
    valid: |v| one_of(v, &["trust", "check"]),
};

/// Error messages of the Vulkan driver.
pub const LOG: Variable = Variable {
    name: "QUADRILLE_LOG",
    values: "0, 1",
    meaning: "1 makes the Vulkan driver write the text of each error (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};

/// Vulkan version of the driver.
pub const API_VERSION: Variable = Variable {
    name: "QUADRILLE_API_VERSION",
    values: "1.1, 1.2, 1.3, 1.4",
    meaning: "maximum Vulkan version of the driver (default: the newest supported version, but 1.1 for wgpu, which \
              hides devices of later versions without conformance)",
    valid: |v| one_of(v, &["1.1", "1.2", "1.3", "1.4"]),
};

/// Identity that the driver reports.
pub const IDENTITY: Variable = Variable {
    name: "QUADRILLE_IDENTITY",
    values: "quadrille, swiftshader",
    meaning: "ids and name of the device: programs that accept only SwiftShader accept the driver as `swiftshader` \
              (default: quadrille, but swiftshader where the library has the name of SwiftShader's)",
    valid: |v| one_of(v, &["quadrille", "swiftshader"]),
};

/// Guard pages.
pub const GUARD: Variable = Variable {
    name: "QUADRILLE_GUARD",
    values: "0, end, start",
    meaning: "places memory that shaders can reach between inaccessible pages, adjacent to the page at its end or at \
              its start, so that a stray access ends the process; mapped memory is then aligned to 64 bytes (default: 0)",
    valid: |v| one_of(v, &["0", "end", "start"]),
};

/// Trace directives.
pub const TRACE: Variable = Variable {
    name: "QUADRILLE_TRACE",
    values: "directives as in RUST_LOG: info, or draw=debug,pass=info",
    meaning: "reports the work of command buffers while they run (default: nothing); `quadrille trace --help` lists \
              targets",
    valid: |_| true,
};
/// Format of trace lines.
pub const TRACE_FORMAT: Variable = Variable {
    name: "QUADRILLE_TRACE_FORMAT",
    values: "text, json",
    meaning: "format of the lines of a trace (default: text)",
    valid: |v| one_of(v, &["text", "json"]),
};
/// File for trace lines.
pub const TRACE_FILE: Variable = Variable {
    name: "QUADRILLE_TRACE_FILE",
    values: "a file",
    meaning: "file for the lines of a trace (default: standard error)",
    valid: |_| true,
};
/// Folder for the page and pictures of a trace.
pub const TRACE_DIR: Variable = Variable {
    name: "QUADRILLE_TRACE_DIR",
    values: "a folder",
    meaning: "folder for a page and for pictures of attachments (default: none are written)",
    valid: |_| true,
};
/// Events after which a trace takes pictures.
pub const TRACE_EVERY: Variable = Variable {
    name: "QUADRILLE_TRACE_EVERY",
    values: "pass, draw",
    meaning: "pass takes pictures of attachments after each pass, draw also after each draw (default: pass)",
    valid: |v| one_of(v, &["pass", "draw"]),
};
/// Range of traced frames.
pub const TRACE_FRAMES: Variable = Variable {
    name: "QUADRILLE_TRACE_FRAMES",
    values: "FIRST..LAST",
    meaning: "range of traced frames, counted from 0, without LAST (default: all)",
    valid: |v| range(v, "..").is_some(),
};

/// Shader coverage report.
pub const COVERAGE: Variable = Variable {
    name: "QUADRILLE_COVERAGE",
    values: "a file",
    meaning: "adds the lines, functions and branches of shader sources that run to this file, in LCOV format; \
              shaders are then interpreted (default: none)",
    valid: |_| true,
};

/// Variables for every program.
pub const VARIABLES: &[Variable] = &[
    THREADS,
    INTERP,
    CHECK,
    OPT,
    CPU,
    ORDER,
    LANES,
    PARTS,
    BUDGET,
    COMPILE_BUDGET,
    HEAP,
    DUMP,
    DUMP_DIR,
    BLESS,
    CACHE,
    LOG,
    API_VERSION,
    IDENTITY,
    GUARD,
    PROOFS,
    TRACE,
    TRACE_FORMAT,
    TRACE_FILE,
    TRACE_DIR,
    TRACE_EVERY,
    TRACE_FRAMES,
    COVERAGE,
];

/// Selection of file tests.
pub const FILETEST: Variable = Variable {
    name: "QUADRILLE_FILETEST",
    values: "a part of a path",
    meaning: "runs the file tests whose path contains this text (default: all)",
    valid: |_| true,
};
/// Printing of modules of failing file tests.
pub const FILETEST_TEXT: Variable = Variable {
    name: "QUADRILLE_FILETEST_TEXT",
    values: "0, 1",
    meaning: "1 prints the generated modules of table tests that fail (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};
/// Use of the Khronos tools in file tests.
pub const SECOND_OPINION: Variable = Variable {
    name: "QUADRILLE_SECOND_OPINION",
    values: "none, some, all",
    meaning: "checks none, some or all modules of the file tests with spirv-as and spirv-val (default: some)",
    valid: |v| one_of(v, &["none", "some", "all"]),
};
/// Variants in which file tests run.
pub const VARIANTS: Variable = Variable {
    name: "QUADRILLE_VARIANTS",
    values: "few, all",
    meaning: "all runs file tests in every variant at every lane group size (default: few)",
    valid: |v| one_of(v, &["few", "all"]),
};
/// Seeds of random modules.
pub const SEEDS: Variable = Variable {
    name: "QUADRILLE_SEEDS",
    values: "FIRST..LAST",
    meaning: "seeds of the random modules of `--test differential` (default: 0..60)",
    valid: |v| range(v, "..").is_some(),
};
/// Printing of random modules that fail.
pub const SEED_TEXT: Variable = Variable {
    name: "QUADRILLE_SEED_TEXT",
    values: "0, 1",
    meaning: "1 prints each random module that fails, reduced as far as possible (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};
/// Seeds of random IR programs.
pub const TEST_SEEDS: Variable = Variable {
    name: "QUADRILLE_TEST_SEEDS",
    values: "FROM+COUNT",
    meaning: "seeds of the random IR programs in unit tests of the code generator (default: 0+30)",
    valid: |v| range(v, "+").is_some(),
};
/// Number of damaged inputs per test.
pub const TEST_ROUNDS: Variable = Variable {
    name: "QUADRILLE_TEST_ROUNDS",
    values: "a number",
    meaning: "number of damaged copies of each module in `jit/tests/spirv.rs` (default: 300) and of each scene in \
              `emulator/scene/tests/damaged.rs` (default: 60); number of sums, in thousands, on which `fma` in parts \
              is tested (default: 200)",
    valid: |v| v.parse::<usize>().is_ok(),
};
/// Folder of modules to compile.
pub const TEST_SPV: Variable = Variable {
    name: "QUADRILLE_TEST_SPV",
    values: "a folder",
    meaning: "folder for the unit test `spirv::tests::folders_of_modules_compile`, which parses, lowers and optimizes \
              all .spv and .spvasm files in it (default: the modules of `conformance/assets`)",
    valid: |_| true,
};
/// Printing of compilation times for [`TEST_SPV`].
pub const TEST_TIME: Variable = Variable {
    name: "QUADRILLE_TEST_TIME",
    values: "0, 1",
    meaning: "1 prints the compilation time of each module of that test (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};
/// Printing of the IR for [`TEST_SPV`].
pub const TEST_PRINT: Variable = Variable {
    name: "QUADRILLE_TEST_PRINT",
    values: "0, 1",
    meaning: "1 prints the IR of each module of that test (default: 0)",
    valid: |v| one_of(v, &["0", "1"]),
};
/// Requirements of tests that must not be skipped, see [`crate::testing`].
pub const TEST_REQUIRE: Variable = Variable {
    name: "QUADRILLE_TEST_REQUIRE",
    values: "all, or names separated by commas: avx2, avx512, chromium, dma-buf, genhtml, mesa, sampling, spirv-tools, \
             vulkan-loader, wayland, x11, xvfb",
    meaning: "tests fail, instead of being skipped, if the machine lacks one of these requirements (default: none)",
    // An invalid value must not count as unset: `testing` refuses it.
    valid: |_| true,
};
/// List of skipped tests.
pub const TEST_SKIPPED: Variable = Variable {
    name: "QUADRILLE_TEST_SKIPPED",
    values: "a file",
    meaning: "adds a line with requirement, reason and test to this file for each skipped test or part of a test \
              (default: none)",
    valid: |_| true,
};
/// Marker of processes that tests start from themselves.
pub const TEST_CHILD: Variable = Variable {
    name: "QUADRILLE_TEST_CHILD",
    values: "any value",
    meaning: "marks processes that a test or benchmark starts from itself; must not be set by hand",
    valid: |_| true,
};

/// Variables of the tests and benchmarks of this repository.
pub const TEST_VARIABLES: &[Variable] = &[
    FILETEST,
    FILETEST_TEXT,
    SECOND_OPINION,
    VARIANTS,
    SEEDS,
    SEED_TEXT,
    TEST_SEEDS,
    TEST_ROUNDS,
    TEST_SPV,
    TEST_TIME,
    TEST_PRINT,
    TEST_REQUIRE,
    TEST_SKIPPED,
    TEST_CHILD,
];

/// Parses two numbers separated by `between`.
fn range(v: &str, between: &str) -> Option<(u64, u64)> {
    let (a, b) = v.split_once(between)?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// Describes each variable with an invalid value, one sentence per variable.
pub fn problems() -> Vec<String> {
    let problem = |v: &Variable| {
        let raw = v.raw().filter(|raw| !(v.valid)(raw))?;
        Some(format!("the environment variable {} is `{raw}`; it takes {}", v.name, v.values))
    };
    VARIABLES.iter().filter_map(problem).collect()
}

/// Time of optimization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opt {
    /// In the background, after the first tier has run for some time.
    #[default]
    Auto,
    /// Never.
    None,
    /// Before the first use.
    Speed,
}

/// Position of the inaccessible page of an allocation, see [`crate::guarded`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// No guard page: memory comes from the ordinary allocators.
    Off,
    /// Directly after the allocation, as far as alignment permits.
    End,
    /// Directly before the allocation.
    Start,
}

/// `QUADRILLE_THREADS`.
pub fn threads() -> Option<usize> {
    THREADS.get()?.parse().ok()
}

/// `QUADRILLE_INTERP`.
pub fn interp() -> bool {
    is_on(INTERP)
}

/// `QUADRILLE_CHECK`.
pub fn checks_shaders() -> bool {
    matches!(CHECK.get().as_deref(), Some("1" | "fail"))
}

/// `QUADRILLE_CHECK=fail`.
pub fn checks_fail() -> bool {
    CHECK.get().as_deref() == Some("fail")
}

/// `QUADRILLE_OPT`.
pub fn opt() -> Opt {
    match OPT.get().as_deref() {
        Some("none") => Opt::None,
        Some("speed") => Opt::Speed,
        _ => Opt::Auto,
    }
}

/// `QUADRILLE_ORDER=relaxed`.
pub fn relaxed_order() -> bool {
    ORDER.get().is_some_and(|v| v == "relaxed")
}

/// `QUADRILLE_LANES`.
pub fn lanes() -> Option<u32> {
    LANES.get()?.parse().ok()
}

/// `QUADRILLE_PARTS=backwards`.
pub fn backwards() -> bool {
    PARTS.get().is_some_and(|v| v == "backwards")
}

/// `QUADRILLE_BUDGET`; zero for no limit.
pub fn budget() -> Option<Duration> {
    BUDGET.get()?.parse().ok().map(Duration::from_secs)
}

/// `QUADRILLE_COMPILE_BUDGET`; zero for no limit.
pub fn compile_budget() -> Option<Duration> {
    COMPILE_BUDGET.get()?.parse().ok().map(Duration::from_secs)
}

/// `QUADRILLE_HEAP`, in bytes.
pub fn heap_bytes() -> Option<u64> {
    HEAP.get()?.parse::<u64>().ok()?.checked_mul(1 << 20)
}

/// `QUADRILLE_BLESS`.
pub fn bless() -> bool {
    is_on(BLESS)
}

/// `QUADRILLE_CACHE`: true if compiled GLSL may be kept on disk.
pub fn cache() -> bool {
    CACHE.get().is_none_or(|v| v == "1")
}

/// `QUADRILLE_PROOFS=check`.
pub fn checks_proofs() -> bool {
    PROOFS.get().is_some_and(|v| v == "check")
}

/// `QUADRILLE_LOG`.
pub fn log() -> bool {
    is_on(LOG)
}

/// `QUADRILLE_API_VERSION`: major and minor number.
pub fn api_version() -> Option<(u32, u32)> {
    let value = API_VERSION.get()?;
    let (major, minor) = value.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// `QUADRILLE_GUARD`.
pub fn guard() -> Option<Guard> {
    Some(match GUARD.get()?.as_str() {
        "end" => Guard::End,
        "start" => Guard::Start,
        _ => Guard::Off,
    })
}

/// `QUADRILLE_TRACE_FORMAT=json`.
pub fn trace_json() -> bool {
    TRACE_FORMAT.get().is_some_and(|v| v == "json")
}

/// `QUADRILLE_TRACE_EVERY=draw`.
pub fn trace_every_draw() -> bool {
    TRACE_EVERY.get().is_some_and(|v| v == "draw")
}

/// `QUADRILLE_TRACE_FRAMES`, as a half-open range.
pub fn trace_frames() -> Option<std::ops::Range<u64>> {
    let (first, last) = range(&TRACE_FRAMES.get()?, "..")?;
    Some(first..last)
}

/// `QUADRILLE_SEEDS`, as a half-open range.
pub fn seeds() -> Option<std::ops::Range<u64>> {
    let (first, last) = range(&SEEDS.get()?, "..")?;
    Some(first..last)
}

/// `QUADRILLE_TEST_SEEDS`: first seed and number of seeds.
pub fn test_seeds() -> Option<(u64, u64)> {
    range(&TEST_SEEDS.get()?, "+")
}

/// Returns true if a variable is 1.
pub fn is_on(variable: Variable) -> bool {
    variable.get().is_some_and(|v| v == "1")
}

/// Returns true if `QUADRILLE_DUMP` contains this topic.
pub fn dumps(topic: &str) -> bool {
    DUMP.get().is_some_and(|v| v.split(',').any(|t| t.trim() == topic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_one_name_and_check_values() {
        let all: Vec<&Variable> = VARIABLES.iter().chain(TEST_VARIABLES).collect();
        for (i, v) in all.iter().enumerate() {
            assert!(v.name.starts_with("QUADRILLE_"));
            assert!(all[..i].iter().all(|w| w.name != v.name));
        }
        assert!((SEEDS.valid)("3..9") && !(SEEDS.valid)("3") && (TEST_SEEDS.valid)("3+9"));
        assert!((OPT.valid)("none") && !(OPT.valid)("O3"));
        assert!((DUMP.valid)("ir,clif") && !(DUMP.valid)("ir,pictures"));
        assert!((LANES.valid)("16") && !(LANES.valid)("12"));
    }
}
