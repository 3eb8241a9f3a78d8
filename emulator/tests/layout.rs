//! The layout calculator, compared with the output of glslang for random blocks under every rule.
#![cfg(feature = "glsl")]

use std::fmt::Write;

use quadrille::frontend::{Options, compile_glsl};
use quadrille::layout::{Block, Member, Placed, Rules, Scalar, Type};
use quadrille_jit::spirv::{self, reflect};

/// A random generator that creates the same blocks in every run.
struct Random {
    state: u64,
    /// Members of structs cannot have a matrix layout, so the whole block is row-major or column-major.
    row_major: bool,
}

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) % u64::from(n)) as u32
    }

    fn scalar(&mut self) -> Scalar {
        use Scalar::*;
        [Bool, I8, U8, I16, U16, F16, I32, U32, F32, F32, I64, U64, F64][self.below(13) as usize]
    }

    fn ty(&mut self, depth: u32) -> Type {
        match self.below(if depth == 0 { 7 } else { 12 }) {
            0..=2 => Type::from(self.scalar()),
            3..=5 => Type::vector(self.scalar(), 2 + self.below(3)),
            6 => Type::Matrix {
                scalar: [Scalar::F16, Scalar::F32, Scalar::F64][self.below(3) as usize],
                columns: 2 + self.below(3),
                rows: 2 + self.below(3),
                row_major: self.row_major,
            },
            7..=9 => Type::array(self.ty(depth - 1), 1 + self.below(4)),
            _ => Type::Struct(self.block(depth - 1)),
        }
    }

    fn block(&mut self, depth: u32) -> Block {
        Block::new((0..1 + self.below(5)).map(|i| Member::new(format!("m{i}"), self.ty(depth))))
    }
}

/// GLSL of a block; struct definitions precede it.
#[derive(Default)]
struct Glsl {
    structs: String,
    count: usize,
}

impl Glsl {
    /// The members, one per line.
    fn members(&mut self, block: &Block) -> String {
        let mut text = String::new();
        for m in &block.members {
            let (mut ty, mut dims) = (&m.ty, String::new());
            loop {
                match ty {
                    Type::Array(inner, n) => (_, ty) = (write!(dims, "[{n}]").unwrap(), inner),
                    Type::RuntimeArray(inner) => (_, ty) = (dims.push_str("[]"), inner),
                    _ => break,
                }
            }
            let mut layout = String::new();
            if let Some(align) = m.align {
                write!(layout, "layout(align = {align}) ").unwrap();
            }
            let name = match ty {
                Type::Scalar(s) => scalar(*s).0.to_string(),
                Type::Vector(s, n) => format!("{}{n}", scalar(*s).1),
                Type::Matrix { scalar, columns, rows, .. } => {
                    let prefix = match scalar {
                        Scalar::F16 => "f16mat",
                        Scalar::F32 => "mat",
                        _ => "dmat",
                    };
                    format!("{prefix}{columns}x{rows}")
                }
                Type::Struct(inner) => {
                    let body = self.members(inner);
                    self.count += 1;
                    writeln!(self.structs, "struct S{} {{\n{body}}};", self.count).unwrap();
                    format!("S{}", self.count)
                }
                Type::Array(..) | Type::RuntimeArray(_) => unreachable!("peeled above"),
            };
            writeln!(text, "    {layout}{name} {}{dims};", m.name).unwrap();
        }
        text
    }
}

/// Names of a scalar and of its vectors.
fn scalar(s: Scalar) -> (&'static str, &'static str) {
    match s {
        Scalar::Bool => ("bool", "bvec"),
        Scalar::I8 => ("int8_t", "i8vec"),
        Scalar::U8 => ("uint8_t", "u8vec"),
        Scalar::I16 => ("int16_t", "i16vec"),
        Scalar::U16 => ("uint16_t", "u16vec"),
        Scalar::F16 => ("float16_t", "f16vec"),
        Scalar::I32 => ("int", "ivec"),
        Scalar::U32 => ("uint", "uvec"),
        Scalar::F32 => ("float", "vec"),
        Scalar::I64 => ("int64_t", "i64vec"),
        Scalar::U64 => ("uint64_t", "u64vec"),
        Scalar::F64 => ("double", "dvec"),
        Scalar::Address => unreachable!("not generated"),
    }
}

fn compare(ours: &[Placed], theirs: &[reflect::Member], source: &str) {
    assert_eq!(ours.len(), theirs.len(), "{source}");
    for (a, b) in ours.iter().zip(theirs) {
        let a_key = (&a.name, a.offset, a.array_stride, a.matrix_stride);
        assert_eq!(a_key, (&b.name, b.offset, b.array_stride, b.matrix_stride), "{source}");
        compare(&a.members, &b.members, source);
    }
}

#[test]
fn random_blocks_stand_where_glslang_puts_them() {
    let rules = [(Rules::Std140, "std140"), (Rules::Std430, "std430"), (Rules::Scalar, "scalar")];
    let mut random = Random { state: 7, row_major: false };
    for _ in 0..120 {
        random.row_major = random.below(2) == 1;
        let major = if random.row_major { "row_major" } else { "column_major" };
        let mut block = random.block(3);
        block.members.insert(0, Member::new("used", Type::from(Scalar::U32)));
        if random.below(3) == 0 {
            let last = block.members.len() - 1;
            block.members[last].align = Some(1 << random.below(8));
        }
        if random.below(2) == 0 {
            block.members.push(Member::new("rest", Type::runtime_array(random.ty(2))));
        }
        for (rules, name) in rules {
            // `align` is only allowed in std140 and std430.
            let mut block = block.clone();
            if rules == Rules::Scalar {
                block.members.iter_mut().for_each(|m| m.align = None);
            }
            let mut glsl = Glsl::default();
            let members = glsl.members(&block);
            let source = format!(
                "#version 460\n\
                 #extension GL_EXT_scalar_block_layout : require\n\
                 #extension GL_EXT_shader_explicit_arithmetic_types : require\n\
                 #extension GL_EXT_shader_8bit_storage : require\n\
                 #extension GL_EXT_shader_16bit_storage : require\n\
                 {}layout({name}, {major}, binding = 0) buffer B {{\n{members}}} b;\nvoid main() {{ b.used = 1u; }}\n",
                glsl.structs
            );
            let words = compile_glsl(&source, quadrille::Stage::Compute, &Options::named("layout.comp"))
                .unwrap_or_else(|e| panic!("{e:?}\n{source}"));
            let module = spirv::Module::parse(&words).unwrap_or_else(|e| panic!("{e}\n{source}"));
            let reflection = reflect::reflect(&module).unwrap();
            let theirs = reflection.entry_points[0].bindings[0].block.as_ref().unwrap();
            let ours = block.layout(rules).unwrap_or_else(|e| panic!("{e}\n{source}"));
            compare(&ours.members, &theirs.members, &source);
        }
    }
}
