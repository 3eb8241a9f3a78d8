//! Table tests: an instruction, its operand and result types, and rows of values.
//!
//! ```text
//! test OpFMod                 # or: test GLSL FMin, test OpenCL fmin
//! # Text after `#` is a comment.
//! sig f32 f32 -> f32          # starts a section; types as in `value`
//! 5.5 -2.0 -> -0.5
//! 1.0 0.1 -> 0.1 ~ 2ulp       # tolerance of the row
//! ```
//!
//! These lines may precede the rows of a section: `tolerance 2ulp` (for rows that state none), `scalar` (no vector
//! forms), `form $0 $1 3 @7` (operands with literals in between; `$n` is the id of an operand, `@n` of a constant),
//! `decorate FPRoundingMode RTZ` (of the result). A `_` among the results is ignored.
//!
//! `sig T T -> T for u8 u16` makes a section for each type. After `wrap`, values that are too large for a type lose
//! their high bits. After `group`, each block of eight rows contains the lanes of a subgroup of eight; components of
//! vectors come from the next blocks.
//!
//! Each section becomes several modules. Their operands are constant, uniform (from a uniform block), varying (a row
//! per invocation), mixed (one operand varying, the others constant or uniform) and, if the instruction allows,
//! specialization constants. If all types are scalars, the modules also test vectors of 2, 3 and 4 components from
//! consecutive rows. Varying operands take every row, the others some. Modules of all these forms run at the first lane
//! group size, those of [few forms](Extent::Short) at the other sizes, and of vectors and matrices only the first section
//! of its scalar types.
//!
//! This file parses; [`build`](make) makes the modules, [`run`] runs and compares them.

mod build;
mod make;
mod run;

pub use build::OUTPUT;
pub use make::{Made, make};
pub use run::{Counts, Generated, generate, run, run_words};

use quadrille_jit::{CpuLevel, Tier};

use crate::lanes::{self, Variant};
use crate::text::{GLSL, OPENCL};
use crate::value::{Scalar, Tolerance, Type, tokens};

/// A row of values.
#[derive(Clone, Debug)]
pub struct Row {
    /// Line in the file.
    pub line: usize,
    /// Bits of the scalars of all operands.
    pub args: Vec<u64>,
    /// Bits of the scalars of all results; `None` is not compared.
    pub want: Vec<Option<u64>>,
    /// Tolerance of the results.
    pub tolerance: Tolerance,
}

/// Rows of one signature.
#[derive(Clone, Debug)]
pub struct Section {
    /// Operand types.
    pub args: Vec<Type>,
    /// Result type.
    pub result: Type,
    /// Operands as text, with `$n` for ids.
    pub form: Option<String>,
    /// Decoration of the result.
    pub decorate: Option<String>,
    /// True to test no vector forms.
    pub scalar: bool,
    /// True if values lose the bits that their type does not have.
    pub wrap: bool,
    /// True if each block of eight rows contains the lanes of a subgroup.
    pub group: bool,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A table test file.
#[derive(Clone, Debug)]
pub struct Table {
    /// `OpFMod`, or the name of an extended instruction.
    pub name: String,
    /// Id of the extended instruction set, for its instructions.
    pub extended: Option<&'static str>,
    /// Sections.
    pub sections: Vec<Section>,
    /// Number of sections of the last `sig`, which the following lines extend.
    open: usize,
}

impl Table {
    /// Parses a file.
    ///
    /// # Errors
    /// The line number, from 1, and the message.
    pub fn parse(text: &str) -> Result<Table, (usize, String)> {
        let mut table = Table { name: String::new(), extended: None, sections: Vec::new(), open: 0 };
        let mut tolerance = Tolerance::Exact;
        for (n, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if !line.is_empty() {
                table.line(n + 1, line, &mut tolerance).map_err(|e| (n + 1, e))?;
            }
        }
        if table.sections.is_empty() {
            return Err((1, "no `sig`".into()));
        }
        let values = |section: &Section| section.rows.iter().any(|row| row.want.iter().any(Option::is_some));
        match table.sections.iter().all(values) {
            true => Ok(table),
            false => Err((1, "a `sig` without a row that has a value".into())),
        }
    }

    fn line(&mut self, n: usize, line: &str, tolerance: &mut Tolerance) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word == "test" {
            (self.name, self.extended) = match (rest.strip_prefix("GLSL "), rest.strip_prefix("OpenCL ")) {
                (Some(name), _) => (name.trim().into(), Some(GLSL)),
                (None, Some(name)) => (name.trim().into(), Some(OPENCL)),
                (None, None) => (rest.into(), None),
            };
            return Ok(());
        }
        if word == "sig" {
            let (rest, types) = rest.split_once(" for ").unwrap_or((rest, ""));
            let (args, result) = rest.split_once("->").ok_or("`sig` without `->`")?;
            *tolerance = Tolerance::Exact;
            let mut types: Vec<&str> = types.split_whitespace().collect();
            if types.is_empty() {
                types.push("T");
            }
            self.open = types.len();
            for ty in types {
                let parse = |t: &str| Type::parse(&t.replace('T', ty));
                self.sections.push(Section {
                    args: args.split_whitespace().map(parse).collect::<Result<_, _>>()?,
                    result: parse(result.trim())?,
                    form: None,
                    decorate: None,
                    scalar: false,
                    wrap: false,
                    group: false,
                    rows: Vec::new(),
                });
            }
            return Ok(());
        }
        if word == "tolerance" {
            *tolerance = Tolerance::parse(rest)?;
            return Ok(());
        }
        let first = self.sections.len() - self.open;
        if self.open == 0 {
            return Err("this line precedes `sig`".into());
        }
        for section in &mut self.sections[first..] {
            section.line(n, line, *tolerance)?;
        }
        Ok(())
    }
}

impl Table {
    /// The extents of a section's modules: one of vectors or matrices is [short](Extent::Short), too, if it is the first of
    /// its scalar types.
    fn extents(&self, section: &Section) -> &'static [Extent] {
        let types = section.scalars();
        let first = self.sections.iter().find(|s| !s.is_scalar() && s.scalars() == types);
        match section.is_scalar() || first.is_some_and(|s| std::ptr::eq(s, section)) {
            true => &[Extent::Full, Extent::Short],
            false => &[Extent::Full],
        }
    }
}

impl Section {
    /// `true` if neither operands nor results have several scalars.
    fn is_scalar(&self) -> bool {
        self.args.iter().chain([&self.result]).all(|t| t.leaves().len() == 1)
    }

    /// The scalar types of operands and results, without repetitions.
    fn scalars(&self) -> Vec<Scalar> {
        let mut list: Vec<Scalar> = self.args.iter().chain([&self.result]).flat_map(Type::leaves).collect();
        list.dedup();
        list
    }

    fn line(&mut self, n: usize, line: &str, tolerance: Tolerance) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "scalar" => self.scalar = true,
            "wrap" => self.wrap = true,
            "group" => self.group = true,
            "form" => self.form = Some(rest.into()),
            "decorate" => self.decorate = Some(rest.into()),
            _ => {
                let (args, rest) = line.split_once("->").ok_or("a row without `->`")?;
                let (want, own) = rest.split_once('~').map_or((rest, None), |(w, t)| (w, Some(t.trim())));
                let types: Vec<Scalar> = self.args.iter().flat_map(Type::leaves).collect();
                let results = self.result.leaves();
                let (args, want): (Vec<_>, Vec<_>) = (tokens(args).collect(), tokens(want).collect());
                if args.len() != types.len() || want.len() != results.len() {
                    return Err(format!("{} operands and {} results wanted", types.len(), results.len()));
                }
                let value = |t: &Scalar, text: &str| match self.wrap {
                    true => t.wrapped(text),
                    false => t.value(text),
                };
                self.rows.push(Row {
                    line: n,
                    args: args.iter().zip(&types).map(|(a, t)| value(t, a)).collect::<Result<_, _>>()?,
                    want: want
                        .iter()
                        .zip(&results)
                        .map(|(w, t)| if *w == "_" { Ok(None) } else { value(t, w).map(Some) })
                        .collect::<Result<_, _>>()?,
                    tolerance: own.map_or(Ok(tolerance), Tolerance::parse)?,
                });
            }
        }
        Ok(())
    }
}

/// Source of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Constants.
    Constant,
    /// Specialization constants, with the instruction in an OpSpecConstantOp.
    Specialized,
    /// A uniform block.
    Uniform,
    /// A storage buffer, at the invocation's index.
    Varying,
    /// One operand from a storage buffer, the others constant or uniform.
    Mixed,
}

/// Forms of an instruction in a module.
///
/// A module's vectors and matrices become scalar instructions before code is generated, and each of them costs as much to
/// compile as the scalar form. So one lane group size is enough for most of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Scalars and vectors; several rows of mixed operands. For the first lane group size.
    Full,
    /// Scalars, and one row of mixed operands. For the other sizes.
    Short,
}

impl Extent {
    /// The variants that run modules of this extent: of mixed and varying operands, and as a reference the interpreter
    /// at the first size.
    fn select(self, variants: Vec<Variant>) -> Vec<Variant> {
        let Some(&reference) = variants.first() else { return variants };
        let here = |v: &Variant| (v.lanes == reference.lanes) == (self == Extent::Full);
        let mut list: Vec<Variant> = variants.into_iter().filter(here).collect();
        if self == Extent::Short && !list.is_empty() {
            list.insert(0, reference);
        }
        list
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Constant, Kind::Specialized, Kind::Uniform, Kind::Varying, Kind::Mixed];

    /// Variants in which modules of this kind run: uniform values are computed once, whatever the number of lanes.
    fn variants(self, lanes: &[u32], words: &[u32]) -> Vec<Variant> {
        match self {
            Kind::Varying => lanes::variants(lanes, words),
            Kind::Mixed => {
                let mut list = lanes::few_variants(lanes);
                // The interpreter at the first size is the reference.
                let others = list.split_off(1);
                list.extend(lanes::a_sixth(others, words));
                list
            }
            Kind::Uniform => {
                let first_tier = Variant::code(lanes[0], Tier::First, CpuLevel::V2);
                [lanes::few_variants(&lanes[..1]), vec![first_tier]].concat()
            }
            Kind::Constant | Kind::Specialized => lanes::few_variants(&lanes[..1]),
        }
    }
}
