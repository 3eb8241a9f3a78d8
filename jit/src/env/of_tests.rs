//! Environment variables of the tests and benchmarks of this repository. Leaves those of every program to
//! [`crate::env`].

use std::ops::Range;
use std::path::PathBuf;

use super::values::Amount;
use super::variable::{Row, Variable, choice, flag, number, pair, path, text};

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
    meaning: "all runs file tests in every variant at every lane group size, draws the whole gallery (also by the \
              interpreter), compiles the shapes of `jit/tests/growth.rs` at up to four times the size, breaks every row \
              that coverage counts instead of every fourth, and measures errors of maths at eight times the operands \
              (default: few)",
    parse: |v| choice(v, &[("few", false), ("all", true)]),
};
/// Seeds of random modules.
pub const SEEDS: Variable<Range<u64>> = Variable {
    name: "QUADRILLE_SEEDS",
    values: "FIRST..LAST",
    meaning: "seeds of the random modules of `--test differential` (default: 0..10) and `--test random_rays` (default: 0..2)",
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
/// Registry of Vulkan with which tables are compared.
pub const REGISTRY: Variable<PathBuf> = Variable {
    name: "QUADRILLE_REGISTRY",
    values: "a file",
    meaning: "registry of Vulkan, vk.xml of KhronosGroup/Vulkan-Docs, whose extensions and declarations `--test registry` \
              compares with ours (default: /usr/share/vulkan/registry/vk.xml)",
    parse: path,
};
/// Requirements of tests that must not be skipped, see [`crate::testing`].
pub const TEST_REQUIRE: Variable<String> = Variable {
    name: "QUADRILLE_TEST_REQUIRE",
    values: "all, or names separated by commas: avx2, avx512, chromium, clang, dma-buf, genhtml, memory, mesa, registry, sampling, \
             spirv-tools, vulkan-loader, wayland, x11, xvfb",
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
    &REGISTRY,
    &TEST_REQUIRE,
    &TEST_SKIPPED,
    &TEST_CHILD,
];
