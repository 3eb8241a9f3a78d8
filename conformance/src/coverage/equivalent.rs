//! Changes that no test can notice, each with its reason. [`super::mutate`] lists the others.

use super::edit::How;
use super::facts::Table;

/// A row, the beginning of its class (empty: any), the kind of change, and the reason why the results are equal.
type Row = (Table, &'static str, &'static str, How, &'static str);

const LOW_BITS: &str = "products and sums as wide as their operands: the low bits do not depend on the sign";
const OVERFLOW: &str = "the instructions differ only where a product overflows, which is undefined";
const COHERENT: &str = "all memory is coherent, and no access is removed";
const PROMISE: &str = "a promise about the depth the shader writes: nothing differs while it is kept";
const EXTENDED: &str =
    "the texel format determines the extension of integers; Vulkan requires the operand to agree with it";
const BLOCK: &str = "storage class and type identify the block; without the decoration the module is invalid";
const FACTORS: &str = "the order of the factors of a product does not matter";
const CODES: &str = "every code gives a NaN, and tests take any NaN for equal";
const QUADS: &str = "instructions that use the quad request whole quads themselves";

/// Changes that cannot be noticed.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    (Table::Instruction, "OpSDot", "i32x2>i32", How::Similar, LOW_BITS),
    (Table::Instruction, "OpSDot", "i64x2>i64", How::Similar, LOW_BITS),
    (Table::Instruction, "OpUDot", "u32x2>u32", How::Similar, LOW_BITS),
    (Table::Instruction, "OpUDot", "u64x2>u64", How::Similar, LOW_BITS),
    (Table::Instruction, "OpSUDot", "i32x2>i32", How::Similar, LOW_BITS),
    (Table::Instruction, "OpSDotAccSat", "i32x2>i32", How::Similar, OVERFLOW),
    (Table::Instruction, "OpSUDotAccSat", "i32x2>i32", How::Similar, OVERFLOW),
    (Table::OpenCl, "fma", "", How::Swapped, FACTORS),
    (Table::OpenCl, "nan", "", How::Negated, CODES),
    (Table::Decoration, "Volatile", "", How::Changed, COHERENT),
    (Table::Decoration, "Coherent", "", How::Changed, COHERENT),
    (Table::Mode, "DepthGreater", "", How::Changed, PROMISE),
    (Table::Mode, "DepthLess", "", How::Changed, PROMISE),
    (Table::Mode, "DepthUnchanged", "", How::Changed, PROMISE),
    (Table::Mode, "RequireFullQuadsKHR", "", How::Changed, QUADS),
    (Table::Decoration, "Block", "", How::Changed, BLOCK),
    (Table::ImageOperand, "SIGN_EXTEND", "", How::Changed, EXTENDED),
    (Table::ImageOperand, "ZERO_EXTEND", "", How::Changed, EXTENDED),
];

/// Reason why a change cannot be noticed, if there is one.
pub fn reason(table: Table, name: &str, class: &str, how: How) -> Option<&'static str> {
    let row = |r: &&Row| r.0 == table && r.1 == name && class.starts_with(r.2) && r.3 == how;
    ROWS.iter().find(row).map(|r| r.4)
}
