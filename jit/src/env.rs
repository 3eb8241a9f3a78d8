//! Every environment variable that Quadrille reads, in two tables with name, values and meaning. [`VARIABLES`] are for
//! every program, [`TEST_VARIABLES`] only for the tests of this repository.
//!
//! `quadrille info` prints the first table. Options that a program sets itself take precedence over the environment.
//! Each row reads its values: a value that it cannot read is invalid. [`problems`] lists invalid values; with an invalid
//! value, no device is created. A single reader treats an invalid value as unset.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A variable whose values are of type `T`.
#[derive(Debug)]
pub struct Variable<T: 'static> {
    /// Name, with the prefix.
    pub name: &'static str,
    /// Accepted values.
    pub values: &'static str,
    /// Effect, and the default if the variable is not set.
    pub meaning: &'static str,
    /// Reads a value; `None` if it is invalid.
    parse: fn(&str) -> Option<T>,
}

impl<T> Variable<T> {
    /// Returns the value in the environment, if it is valid.
    pub fn get(&self) -> Option<T> {
        raw(self.name).and_then(|v| (self.parse)(&v))
    }
}

/// A row of the tables: a variable with values of any type.
pub trait Row: Send + Sync {
    /// Name, with the prefix.
    fn name(&self) -> &'static str;
    /// Accepted values.
    fn values(&self) -> &'static str;
    /// Effect, and the default if the variable is not set.
    fn meaning(&self) -> &'static str;
    /// Returns true if a value is valid.
    fn accepts(&self, value: &str) -> bool;

    /// Returns the text of the value in the environment, if it is valid.
    fn text(&self) -> Option<String> {
        raw(self.name()).filter(|v| self.accepts(v))
    }
}

impl<T> Row for Variable<T> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn values(&self) -> &'static str {
        self.values
    }
    fn meaning(&self) -> &'static str {
        self.meaning
    }
    fn accepts(&self, value: &str) -> bool {
        (self.parse)(value).is_some()
    }
}

/// Text of a variable in the environment, unless it is empty.
fn raw(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|v| v.trim().to_string()).filter(|v| !v.is_empty())
}

fn choice<T: Clone>(v: &str, all: &[(&str, T)]) -> Option<T> {
    all.iter().find(|(name, _)| *name == v).map(|(_, value)| value.clone())
}

fn flag(v: &str) -> Option<bool> {
    choice(v, &[("0", false), ("1", true)])
}

fn number<N: FromStr>(v: &str) -> Option<N> {
    v.parse().ok()
}

fn seconds(v: &str) -> Option<Duration> {
    v.parse().ok().map(Duration::from_secs)
}

fn path(v: &str) -> Option<PathBuf> {
    Some(v.into())
}

fn text(v: &str) -> Option<String> {
    Some(v.into())
}

/// Parses two numbers separated by `between`.
fn pair(v: &str, between: &str) -> Option<(u64, u64)> {
    let (a, b) = v.split_once(between)?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// Number of threads.
pub const THREADS: Variable<usize> = Variable {
    name: "QUADRILLE_THREADS",
    values: "a number of threads, or 0",
    meaning: "number of threads that share work, including the caller's; at most eight per processor are used \
              (default: 0, one per processor)",
    parse: number,
};
/// Use of the interpreter instead of generated code.
pub const INTERP: Variable<bool> = Variable {
    name: "QUADRILLE_INTERP",
    values: "0, 1",
    meaning: "1 runs shaders in the reference interpreter (default: 0)",
    parse: flag,
};
/// Checked execution.
pub const CHECK: Variable<Checks> = Variable {
    name: "QUADRILLE_CHECK",
    values: "0, 1, fail",
    meaning: "1 looks for undefined behaviour of shaders while they run, such as races and accesses out of bounds, \
              and prints it to standard error; `fail` also fails the submission in which it is found: the device is \
              lost (default: 0)",
    parse: |v| choice(v, &[("0", Checks::Off), ("1", Checks::On), ("fail", Checks::Fail)]),
};
/// Tiers of compilation.
pub const OPT: Variable<Opt> = Variable {
    name: "QUADRILLE_OPT",
    values: "auto, none, speed",
    meaning: "auto optimizes shaders in the background after some use, none never optimizes, speed optimizes before \
              the first use (default: auto)",
    parse: |v| choice(v, &[("auto", Opt::Auto), ("none", Opt::None), ("speed", Opt::Speed)]),
};
/// Host instructions that generated code may use.
pub const CPU: Variable<Host> = Variable {
    name: "QUADRILLE_CPU",
    values: "v2, v3, v4, native",
    meaning: "host instructions that may be used, if the host has them: x86-64-v2, x86-64-v3 (AVX2), x86-64-v4 \
              (AVX-512), or all (default: native)",
    parse: |v| choice(v, &[("v2", Host::V2), ("v3", Host::V3), ("v4", Host::V4), ("native", Host::Native)]),
};
/// Order of work with atomics. `true` for the relaxed order.
pub const ORDER: Variable<bool> = Variable {
    name: "QUADRILLE_ORDER",
    values: "strict, relaxed",
    meaning: "relaxed runs work whose atomics return results in parallel, in any order (default: strict, the same \
              results every time)",
    parse: |v| choice(v, &[("strict", false), ("relaxed", true)]),
};
/// Lane group size.
pub const LANES: Variable<u32> = Variable {
    name: "QUADRILLE_LANES",
    values: "4, 8, 16, 32",
    meaning: "subgroup size of pipelines that do not request one (default: 8)",
    parse: |v| choice(v, &[("4", 4), ("8", 8), ("16", 16), ("32", 32)]),
};
/// Order in which parts of the work start. `true` for backwards.
pub const PARTS: Variable<bool> = Variable {
    name: "QUADRILLE_PARTS",
    values: "forwards, backwards",
    meaning: "backwards starts with the last tile and the last workgroups; results are the same (default: forwards)",
    parse: |v| choice(v, &[("forwards", false), ("backwards", true)]),
};
/// CPU time limit per dispatch or draw.
pub const BUDGET: Variable<Duration> = Variable {
    name: "QUADRILLE_BUDGET",
    values: "seconds",
    meaning: "CPU time limit of one dispatch or draw, after which the device is lost, measured on the busiest of its \
              threads; 0 for no limit (default: 60)",
    parse: seconds,
};
/// CPU time limit per compilation.
pub const COMPILE_BUDGET: Variable<Duration> = Variable {
    name: "QUADRILLE_COMPILE_BUDGET",
    values: "seconds",
    meaning: "CPU time limit of compiling one shader, after which it is refused; 0 for no limit (default: 60)",
    parse: seconds,
};
/// Size of device memory. In bytes.
pub const HEAP: Variable<u64> = Variable {
    name: "QUADRILLE_HEAP",
    values: "mebibytes",
    meaning: "size of device memory (default: three quarters of the host's)",
    parse: |v| v.parse::<u64>().ok().filter(|n| *n > 0)?.checked_mul(1 << 20),
};
/// Texts to dump.
pub const DUMP: Variable<Vec<Topic>> = Variable {
    name: "QUADRILLE_DUMP",
    values: "spirv, ir, clif, asm: one or more, separated by commas",
    meaning: "writes these texts for every shader and kernel that is compiled (default: none)",
    parse: |v| {
        v.split(',').map(|t| choice(t.trim(), &Topic::ALL.map(|topic| (topic.name(), topic)))).collect()
    },
};
/// Folder for dumped texts.
pub const DUMP_DIR: Variable<PathBuf> = Variable {
    name: "QUADRILLE_DUMP_DIR",
    values: "a folder",
    meaning: "folder for dumped texts (default: standard error)",
    parse: path,
};
/// Rewriting of test expectations.
pub const BLESS: Variable<bool> = Variable {
    name: "QUADRILLE_BLESS",
    values: "0, 1",
    meaning: "1 rewrites the expected pictures and results of tests instead of comparing (default: 0)",
    parse: flag,
};

/// Cache of compiled GLSL on disk.
pub const CACHE: Variable<bool> = Variable {
    name: "QUADRILLE_CACHE",
    values: "0, 1",
    meaning: "0 keeps compiled GLSL out of the user's cache folder (default: 1)",
    parse: flag,
};

/// Verification of proofs of the code generator. `true` for check.
pub const PROOFS: Variable<bool> = Variable {
    name: "QUADRILLE_PROOFS",
    values: "trust, check",
    meaning: "check keeps the bounds checks that were proved unnecessary, and fails if a proof was wrong (default: \
              trust)",
    parse: |v| choice(v, &[("trust", false), ("check", true)]),
};

/// Error messages of the Vulkan driver.
pub const LOG: Variable<bool> = Variable {
    name: "QUADRILLE_LOG",
    values: "0, 1",
    meaning: "1 makes the Vulkan driver write the text of each error (default: 0)",
    parse: flag,
};

/// Vulkan version of the driver. Major and minor number.
pub const API_VERSION: Variable<(u32, u32)> = Variable {
    name: "QUADRILLE_API_VERSION",
    values: "1.1, 1.2, 1.3, 1.4",
    meaning: "maximum Vulkan version of the driver (default: the newest supported version, but 1.1 for wgpu, which \
              hides devices of later versions without conformance)",
    parse: |v| choice(v, &[("1.1", (1, 1)), ("1.2", (1, 2)), ("1.3", (1, 3)), ("1.4", (1, 4))]),
};

/// Identity that the driver reports.
pub const IDENTITY: Variable<Identity> = Variable {
    name: "QUADRILLE_IDENTITY",
    values: "quadrille, swiftshader",
    meaning: "ids and name of the device: programs that accept only SwiftShader accept the driver as `swiftshader` \
              (default: quadrille, but swiftshader where the library has the name of SwiftShader's)",
    parse: |v| choice(v, &[("quadrille", Identity::Quadrille), ("swiftshader", Identity::SwiftShader)]),
};

/// Guard pages.
pub const GUARD: Variable<Guard> = Variable {
    name: "QUADRILLE_GUARD",
    values: "0, end, start",
    meaning: "places memory that shaders can reach between inaccessible pages, adjacent to the page at its end or at \
              its start, so that a stray access ends the process; mapped memory is then aligned to 64 bytes (default: 0)",
    parse: |v| choice(v, &[("0", Guard::Off), ("end", Guard::End), ("start", Guard::Start)]),
};

/// Trace directives.
pub const TRACE: Variable<String> = Variable {
    name: "QUADRILLE_TRACE",
    values: "directives as in RUST_LOG: info, or draw=debug,pass=info",
    meaning: "reports the work of command buffers while they run (default: nothing); `quadrille trace --help` lists \
              targets",
    parse: text,
};
/// Format of trace lines. `true` for JSON.
pub const TRACE_FORMAT: Variable<bool> = Variable {
    name: "QUADRILLE_TRACE_FORMAT",
    values: "text, json",
    meaning: "format of the lines of a trace (default: text)",
    parse: |v| choice(v, &[("text", false), ("json", true)]),
};
/// File for trace lines.
pub const TRACE_FILE: Variable<PathBuf> = Variable {
    name: "QUADRILLE_TRACE_FILE",
    values: "a file",
    meaning: "file for the lines of a trace (default: standard error)",
    parse: path,
};
/// Folder for the page and pictures of a trace.
pub const TRACE_DIR: Variable<PathBuf> = Variable {
    name: "QUADRILLE_TRACE_DIR",
    values: "a folder",
    meaning: "folder for a page and for pictures of attachments (default: none are written)",
    parse: path,
};
/// Events after which a trace takes pictures. `true` for pictures after every draw.
pub const TRACE_EVERY: Variable<bool> = Variable {
    name: "QUADRILLE_TRACE_EVERY",
    values: "pass, draw",
    meaning: "pass takes pictures of attachments after each pass, draw also after each draw (default: pass)",
    parse: |v| choice(v, &[("pass", false), ("draw", true)]),
};
/// Range of traced frames.
pub const TRACE_FRAMES: Variable<Range<u64>> = Variable {
    name: "QUADRILLE_TRACE_FRAMES",
    values: "FIRST..LAST",
    meaning: "range of traced frames, counted from 0, without LAST (default: all)",
    parse: |v| pair(v, "..").map(|(first, last)| first..last),
};

/// Shader coverage report.
pub const COVERAGE: Variable<PathBuf> = Variable {
    name: "QUADRILLE_COVERAGE",
    values: "a file",
    meaning: "adds the lines, functions and branches of shader sources that run to this file, in LCOV format; \
              shaders are then interpreted (default: none)",
    parse: path,
};

/// Variables for every program.
pub const VARIABLES: &[&dyn Row] = &[
    &THREADS,
    &INTERP,
    &CHECK,
    &OPT,
    &CPU,
    &ORDER,
    &LANES,
    &PARTS,
    &BUDGET,
    &COMPILE_BUDGET,
    &HEAP,
    &DUMP,
    &DUMP_DIR,
    &BLESS,
    &CACHE,
    &LOG,
    &API_VERSION,
    &IDENTITY,
    &GUARD,
    &PROOFS,
    &TRACE,
    &TRACE_FORMAT,
    &TRACE_FILE,
    &TRACE_DIR,
    &TRACE_EVERY,
    &TRACE_FRAMES,
    &COVERAGE,
];

/// Selection of file tests.
pub const FILETEST: Variable<String> = Variable {
    name: "QUADRILLE_FILETEST",
    values: "a part of a path",
    meaning: "runs the file tests whose path contains this text (default: all)",
    parse: text,
};
/// Printing of modules of failing file tests.
pub const FILETEST_TEXT: Variable<bool> = Variable {
    name: "QUADRILLE_FILETEST_TEXT",
    values: "0, 1",
    meaning: "1 prints the generated modules of table tests that fail (default: 0)",
    parse: flag,
};
/// Use of the Khronos tools in file tests.
pub const SECOND_OPINION: Variable<Amount> = Variable {
    name: "QUADRILLE_SECOND_OPINION",
    values: "none, some, all",
    meaning: "checks none, some or all modules of the file tests with spirv-as and spirv-val (default: some)",
    parse: |v| choice(v, &[("none", Amount::None), ("some", Amount::Some), ("all", Amount::All)]),
};
/// Variants in which file tests run. `true` for all.
pub const VARIANTS: Variable<bool> = Variable {
    name: "QUADRILLE_VARIANTS",
    values: "few, all",
    meaning: "all runs file tests in every variant at every lane group size (default: few)",
    parse: |v| choice(v, &[("few", false), ("all", true)]),
};
/// Seeds of random modules.
pub const SEEDS: Variable<Range<u64>> = Variable {
    name: "QUADRILLE_SEEDS",
    values: "FIRST..LAST",
    meaning: "seeds of the random modules of `--test differential` (default: 0..60)",
    parse: |v| pair(v, "..").map(|(first, last)| first..last),
};
/// Printing of random modules that fail.
pub const SEED_TEXT: Variable<bool> = Variable {
    name: "QUADRILLE_SEED_TEXT",
    values: "0, 1",
    meaning: "1 prints each random module that fails, reduced as far as possible (default: 0)",
    parse: flag,
};
/// Seeds of random IR programs. First seed and number of seeds.
pub const TEST_SEEDS: Variable<(u64, u64)> = Variable {
    name: "QUADRILLE_TEST_SEEDS",
    values: "FROM+COUNT",
    meaning: "seeds of the random IR programs in unit tests of the code generator (default: 0+30)",
    parse: |v| pair(v, "+"),
};
/// Number of damaged inputs per test.
pub const TEST_ROUNDS: Variable<u32> = Variable {
    name: "QUADRILLE_TEST_ROUNDS",
    values: "a number",
    meaning: "number of damaged copies of each module in `jit/tests/spirv.rs` (default: 300) and of each scene in \
              `emulator/scene/tests/damaged.rs` (default: 60); number of sums, in thousands, on which `fma` in parts \
              is tested (default: 200)",
    parse: number,
};
/// Folder of modules to compile.
pub const TEST_SPV: Variable<PathBuf> = Variable {
    name: "QUADRILLE_TEST_SPV",
    values: "a folder",
    meaning: "folder for the unit test `spirv::tests::folders_of_modules_compile`, which parses, lowers and optimizes \
              all .spv and .spvasm files in it (default: the modules of `conformance/assets`)",
    parse: path,
};
/// Printing of compilation times for [`TEST_SPV`].
pub const TEST_TIME: Variable<bool> = Variable {
    name: "QUADRILLE_TEST_TIME",
    values: "0, 1",
    meaning: "1 prints the compilation time of each module of that test (default: 0)",
    parse: flag,
};
/// Printing of the IR for [`TEST_SPV`].
pub const TEST_PRINT: Variable<bool> = Variable {
    name: "QUADRILLE_TEST_PRINT",
    values: "0, 1",
    meaning: "1 prints the IR of each module of that test (default: 0)",
    parse: flag,
};
/// Requirements of tests that must not be skipped, see [`crate::testing`].
pub const TEST_REQUIRE: Variable<String> = Variable {
    name: "QUADRILLE_TEST_REQUIRE",
    values: "all, or names separated by commas: avx2, avx512, chromium, dma-buf, genhtml, mesa, sampling, spirv-tools, \
             vulkan-loader, wayland, x11, xvfb",
    meaning: "tests fail, instead of being skipped, if the machine lacks one of these requirements (default: none)",
    // An invalid value must not count as unset: `testing` refuses it.
    parse: text,
};
/// List of skipped tests.
pub const TEST_SKIPPED: Variable<PathBuf> = Variable {
    name: "QUADRILLE_TEST_SKIPPED",
    values: "a file",
    meaning: "adds a line with requirement, reason and test to this file for each skipped test or part of a test \
              (default: none)",
    parse: path,
};
/// Marker of processes that tests start from themselves.
pub const TEST_CHILD: Variable<String> = Variable {
    name: "QUADRILLE_TEST_CHILD",
    values: "any value",
    meaning: "marks processes that a test or benchmark starts from itself; must not be set by hand",
    parse: text,
};

/// Variables of the tests and benchmarks of this repository.
pub const TEST_VARIABLES: &[&dyn Row] = &[
    &FILETEST,
    &FILETEST_TEXT,
    &SECOND_OPINION,
    &VARIANTS,
    &SEEDS,
    &SEED_TEXT,
    &TEST_SEEDS,
    &TEST_ROUNDS,
    &TEST_SPV,
    &TEST_TIME,
    &TEST_PRINT,
    &TEST_REQUIRE,
    &TEST_SKIPPED,
    &TEST_CHILD,
];

/// Describes each variable with an invalid value, one sentence per variable.
pub fn problems() -> Vec<String> {
    let problem = |v: &&dyn Row| {
        let raw = raw(v.name()).filter(|raw| !v.accepts(raw))?;
        Some(format!("the environment variable {} is `{raw}`; it takes {}", v.name(), v.values()))
    };
    VARIABLES.iter().filter_map(problem).collect()
}

/// Checked execution of shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Shaders are not checked.
    Off,
    /// Mistakes are printed.
    On,
    /// Mistakes are printed, and the device is lost.
    Fail,
}

/// Host instructions that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Those of x86-64-v2.
    V2,
    /// Those of x86-64-v3.
    V3,
    /// Those of x86-64-v4.
    V4,
    /// All that the host has.
    Native,
}

/// Identity that the driver reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Its own.
    Quadrille,
    /// That of SwiftShader.
    SwiftShader,
}

/// A text that can be dumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// SPIR-V.
    Spirv,
    /// The shader IR.
    Ir,
    /// Cranelift IR.
    Clif,
    /// Machine code.
    Asm,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 4] = [Topic::Spirv, Topic::Ir, Topic::Clif, Topic::Asm];

    /// Name of the topic, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Spirv => "spirv",
            Topic::Ir => "ir",
            Topic::Clif => "clif",
            Topic::Asm => "asm",
        }
    }
}

/// Part of a set of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amount {
    /// No test.
    None,
    /// Some tests.
    #[default]
    Some,
    /// All tests.
    All,
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
    THREADS.get()
}

/// `QUADRILLE_INTERP`.
pub fn interp() -> bool {
    is_on(INTERP)
}

/// `QUADRILLE_CHECK`.
pub fn checks_shaders() -> bool {
    matches!(CHECK.get(), Some(Checks::On | Checks::Fail))
}

/// `QUADRILLE_CHECK=fail`.
pub fn checks_fail() -> bool {
    CHECK.get() == Some(Checks::Fail)
}

/// `QUADRILLE_OPT`.
pub fn opt() -> Opt {
    OPT.get().unwrap_or_default()
}

/// `QUADRILLE_ORDER=relaxed`.
pub fn relaxed_order() -> bool {
    is_on(ORDER)
}

/// `QUADRILLE_LANES`.
pub fn lanes() -> Option<u32> {
    LANES.get()
}

/// `QUADRILLE_PARTS=backwards`.
pub fn backwards() -> bool {
    is_on(PARTS)
}

/// `QUADRILLE_BUDGET`; zero for no limit.
pub fn budget() -> Option<Duration> {
    BUDGET.get()
}

/// `QUADRILLE_COMPILE_BUDGET`; zero for no limit.
pub fn compile_budget() -> Option<Duration> {
    COMPILE_BUDGET.get()
}

/// `QUADRILLE_HEAP`, in bytes.
pub fn heap_bytes() -> Option<u64> {
    HEAP.get()
}

/// `QUADRILLE_BLESS`.
pub fn bless() -> bool {
    is_on(BLESS)
}

/// `QUADRILLE_CACHE`: true if compiled GLSL may be kept on disk.
pub fn cache() -> bool {
    CACHE.get().unwrap_or(true)
}

/// `QUADRILLE_PROOFS=check`.
pub fn checks_proofs() -> bool {
    is_on(PROOFS)
}

/// `QUADRILLE_LOG`.
pub fn log() -> bool {
    is_on(LOG)
}

/// `QUADRILLE_API_VERSION`: major and minor number.
pub fn api_version() -> Option<(u32, u32)> {
    API_VERSION.get()
}

/// `QUADRILLE_GUARD`.
pub fn guard() -> Option<Guard> {
    GUARD.get()
}

/// `QUADRILLE_TRACE_FORMAT=json`.
pub fn trace_json() -> bool {
    is_on(TRACE_FORMAT)
}

/// `QUADRILLE_TRACE_EVERY=draw`.
pub fn trace_every_draw() -> bool {
    is_on(TRACE_EVERY)
}

/// `QUADRILLE_TRACE_FRAMES`.
pub fn trace_frames() -> Option<Range<u64>> {
    TRACE_FRAMES.get()
}

/// `QUADRILLE_SEEDS`.
pub fn seeds() -> Option<Range<u64>> {
    SEEDS.get()
}

/// `QUADRILLE_TEST_SEEDS`: first seed and number of seeds.
pub fn test_seeds() -> Option<(u64, u64)> {
    TEST_SEEDS.get()
}

/// Returns true if a variable is set to its second choice, for example 1.
pub fn is_on(variable: Variable<bool>) -> bool {
    variable.get().unwrap_or(false)
}

/// Returns true if `QUADRILLE_DUMP` contains this topic.
pub fn dumps(topic: Topic) -> bool {
    DUMP.get().is_some_and(|topics| topics.contains(&topic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_one_name_and_read_values() {
        let all: Vec<&&dyn Row> = VARIABLES.iter().chain(TEST_VARIABLES).collect();
        for (i, v) in all.iter().enumerate() {
            assert!(v.name().starts_with("QUADRILLE_"));
            assert!(all[..i].iter().all(|w| w.name() != v.name()));
        }
        assert_eq!((SEEDS.parse)("3..9"), Some(3..9));
        assert_eq!(((SEEDS.parse)("3"), (TEST_SEEDS.parse)("3+9")), (None, Some((3, 9))));
        assert_eq!(((OPT.parse)("none"), (OPT.parse)("O3")), (Some(Opt::None), None));
        assert_eq!((DUMP.parse)("ir, clif"), Some(vec![Topic::Ir, Topic::Clif]));
        assert_eq!((DUMP.parse)("ir,pictures"), None);
        assert_eq!(((LANES.parse)("16"), (LANES.parse)("12")), (Some(16), None));
        assert_eq!((CACHE.parse)("0"), Some(false));
    }

    /// The stated values are those that the row reads.
    #[test]
    fn rows_read_the_values_that_they_state() {
        let words = |v: &str| v.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.');
        let mut listed = 0;
        for v in VARIABLES.iter().chain(TEST_VARIABLES) {
            let choices: Vec<&str> = v.values().split(", ").collect();
            if choices.len() > 1 && choices.iter().all(|c| words(c)) {
                assert!(choices.iter().all(|c| v.accepts(c)), "{}", v.name());
                assert!(!v.accepts("other") && !v.accepts(""), "{}", v.name());
                listed += 1;
            }
        }
        assert!(listed > 15, "{listed}");
    }

    /// More memory than an address can name was valid, but read as unset.
    #[test]
    fn memory_is_valid_if_its_size_in_bytes_is_a_number() {
        assert_eq!(((HEAP.parse)("2"), (HEAP.parse)("0")), (Some(2 << 20), None));
        assert!(HEAP.accepts("17592186044415") && !HEAP.accepts("17592186044416"));
    }
}
