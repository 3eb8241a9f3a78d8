//! Floats of 4, 6 and 8 bits, and bfloat16. Modules convert, copy, select and store them, and take their bits apart; only
//! bfloat16 has arithmetic, the dot product.
//!
//! They occur inside of expressions of other types, and in private arrays and buffers. Their NaNs have the same bits in
//! every run, because conversions to them start from numbers.

use super::{ARRAY, B, F, Generator, INPUTS, SLOTS, Ty, U};
use crate::value::{Scalar, Type};

/// A type of small floats.
pub(super) struct Small {
    /// Operands of OpTypeFloat.
    ty: &'static str,
    bits: u32,
    capability: &'static str,
    extension: &'static str,
    /// `true` if numbers are converted to the type.
    is_target: bool,
    /// Literals of numbers that the type represents.
    numbers: &'static [&'static str],
}

const BFLOAT16: &str = "SPV_KHR_bfloat16";
const FLOAT8: &str = "SPV_EXT_float8";
const MICROSCALING: &str = "SPV_EXT_ocp_microscaling_types";

/// All small floats. Spec: SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types.
#[rustfmt::skip]
const SMALL: [Small; 8] = [
    Small { ty: "16 BFloat16KHR", bits: 16, capability: "BFloat16TypeKHR", extension: BFLOAT16, is_target: true,
        numbers: &["0", "-0", "1", "-1.5", "0x1.fep+127", "0x1p-133", "3.140625"] },
    Small { ty: "8 Float8E4M3EXT", bits: 8, capability: "Float8EXT", extension: FLOAT8, is_target: true,
        numbers: &["0", "-0", "1", "-1.5", "448", "-448", "0x1p-9", "0.015625"] },
    Small { ty: "8 Float8E5M2EXT", bits: 8, capability: "Float8EXT", extension: FLOAT8, is_target: true,
        numbers: &["0", "-0", "1", "-1.5", "57344", "0x1p-16", "-0x1p-14"] },
    Small { ty: "6 Float6E2M3EXT", bits: 6, capability: "Float6EXT", extension: MICROSCALING, is_target: false,
        numbers: &["0", "-0", "1", "-1.5", "7.5", "-0.125", "0.875"] },
    Small { ty: "6 Float6E3M2EXT", bits: 6, capability: "Float6EXT", extension: MICROSCALING, is_target: false,
        numbers: &["0", "-0", "1", "-1.5", "28", "-0.0625", "0.25"] },
    Small { ty: "4 Float4E2M1EXT", bits: 4, capability: "Float4EXT", extension: MICROSCALING, is_target: false,
        numbers: &["0", "-0", "1", "-1.5", "6", "-0.5"] },
    Small { ty: "8 Float8UnsignedE8M0EXT", bits: 8, capability: "Float8UnsignedE8M0EXT", extension: MICROSCALING,
        is_target: false, numbers: &["1", "2", "0.5", "0x1p-127", "0x1p+127"] },
    Small { ty: "8 MXInt8EXT", bits: 8, capability: "MXInt8EXT", extension: MICROSCALING, is_target: false,
        numbers: &["0", "1", "-1.5", "-2", "1.984375"] },
];

/// The memory of a small float.
pub(super) struct Held {
    small: &'static Small,
    /// Components of an element of the array.
    components: u32,
    /// A private array of [`ARRAY`] elements.
    array: String,
    /// Views of the input, of vectors with these components, and of the output, if the type is allowed in buffers.
    views: Option<[String; 2]>,
}

impl Generator {
    /// Chooses the small floats of a module and declares their memory.
    pub(super) fn small_memory(&mut self) {
        for small in &SMALL {
            if !self.r.one_in(3) {
                continue;
            }
            let components = *self.r.pick(&[1, 2, 4]);
            let (id, size) = (self.small_ty(small, components), self.m.u32(ARRAY));
            let array = self.m.global(&format!("OpTypeArray {id} {size}"));
            let pointer = self.m.pointer("Private", &array);
            let numbers: Vec<String> = (0..ARRAY).map(|_| self.small_constant(small, components)).collect();
            let init = self.m.global(&format!("OpConstantComposite {array} {}", numbers.join(" ")));
            let array = self.m.unique(&format!("OpVariable {pointer} Private {init}"));
            let views = (small.bits >= 8).then(|| {
                let input = self.small_view(small, components, 0);
                [input, self.small_view(small, 1, 1)]
            });
            self.smalls.push(Held { small, components, array, views });
        }
        if self.smalls.iter().any(|held| held.views.is_some()) {
            for buffer in [self.input.clone(), self.out.clone()] {
                self.m.decorate(&format!("{buffer} Aliased"));
            }
        }
    }

    /// Declares a view of a buffer as vectors of small floats.
    fn small_view(&mut self, small: &Small, components: u32, binding: u32) -> String {
        let bytes = small.bits / 8;
        match bytes {
            1 => {
                self.m.capability("StorageBuffer8BitAccess");
                self.m.extension("SPV_KHR_8bit_storage");
            }
            _ => {
                self.m.capability("StorageBuffer16BitAccess");
                self.m.extension("SPV_KHR_16bit_storage");
            }
        }
        let id = self.small_ty(small, components);
        let array = self.m.unique(&format!("OpTypeRuntimeArray {id}"));
        self.m.decorate(&format!("{array} ArrayStride {}", bytes * components));
        let block = self.m.unique(&format!("OpTypeStruct {array}"));
        self.m.decorate(&format!("{block} Block"));
        self.m.decorate_member(&format!("{block} 0 Offset 0"));
        let pointer = self.m.pointer("StorageBuffer", &block);
        let view = self.m.unique(&format!("OpVariable {pointer} StorageBuffer"));
        self.m.decorate(&format!("{view} DescriptorSet 0"));
        self.m.decorate(&format!("{view} Binding {binding}"));
        self.m.decorate(&format!("{view} Aliased"));
        view
    }

    /// Returns the id of a small float or a vector.
    fn small_ty(&mut self, small: &Small, n: u32) -> String {
        self.m.capability(small.capability);
        self.m.extension(small.extension);
        let scalar = self.m.global(&format!("OpTypeFloat {}", small.ty));
        if n == 1 { scalar } else { self.m.global(&format!("OpTypeVector {scalar} {n}")) }
    }

    fn small_constant(&mut self, small: &Small, n: u32) -> String {
        let scalar = self.small_ty(small, 1);
        let number = |g: &mut Generator| {
            let number = *g.r.pick(small.numbers);
            g.m.global(&format!("OpConstant {scalar} {number}"))
        };
        if n == 1 {
            return number(self);
        }
        let numbers: Vec<String> = (0..n).map(|_| number(self)).collect();
        let id = self.small_ty(small, n);
        self.m.global(&format!("OpConstantComposite {id} {}", numbers.join(" ")))
    }

    /// Makes a value of another type from small floats, if the module has any and they convert to the type.
    pub(super) fn from_small(&mut self, (s, n): Ty, depth: u32) -> Option<String> {
        if self.smalls.is_empty() {
            return None;
        }
        let at = self.r.below(self.smalls.len());
        let small = self.smalls[at].small;
        let id = self.ty((s, n));
        match s {
            Scalar::Float(_) if small.bits == 16 && n == 1 && self.r.one_in(3) => {
                self.m.capability("BFloat16DotProductKHR");
                let wide = self.r.below(3) as u32 + 2;
                let (a, b) = (self.small(at, wide, depth + 1), self.small(at, wide, depth + 1));
                let dot = self.small_ty(small, 1);
                let dot = self.m.push(&format!("OpDot {dot} {a} {b}"));
                Some(self.m.push(&format!("OpFConvert {id} {dot}")))
            }
            Scalar::Float(_) => {
                let v = self.small(at, n, depth + 1);
                Some(self.m.push(&format!("OpFConvert {id} {v}")))
            }
            Scalar::Int(_, signed) if small.is_target && self.r.one_in(2) => {
                let v = self.small(at, n, depth + 1);
                let name = if signed { "OpConvertFToS" } else { "OpConvertFToU" };
                Some(self.m.push(&format!("{name} {id} {v}")))
            }
            Scalar::Int(bits, _) if bits % small.bits == 0 && bits / small.bits * n <= 4 => {
                let v = self.small(at, bits / small.bits * n, depth + 1);
                Some(self.m.push(&format!("OpBitcast {id} {v}")))
            }
            Scalar::Int(..) | Scalar::Bool => None,
        }
    }

    /// Makes a value of one of the module's small floats.
    fn small(&mut self, at: usize, n: u32, depth: u32) -> String {
        let Held { small, components, ref array, ref views } = self.smalls[at];
        let (array, views) = (array.clone(), views.clone());
        let id = self.small_ty(small, n);
        match if depth > 4 { self.r.below(3) } else { self.r.below(11) } {
            1 | 2 if n == components => {
                let p = self.small_element(small, components, &array, depth);
                self.m.push(&format!("OpLoad {id} {p}"))
            }
            3 if let Some([input, _]) = views => {
                let i = self.index(4 * INPUTS as u32 / (small.bits / 8 * components), depth);
                let (part, zero) = (self.small_ty(small, components), self.m.u32(0));
                let pointer = self.m.pointer("StorageBuffer", &part);
                let p = self.m.push(&format!("OpAccessChain {pointer} {input} {zero} {i}"));
                let v = self.m.push(&format!("OpLoad {part} {p}"));
                self.small_shuffled(small, &v, components, n)
            }
            4 | 5 if n > 1 => {
                let parts: Vec<String> = (0..n).map(|_| self.small(at, 1, depth + 1)).collect();
                self.m.push(&format!("OpCompositeConstruct {id} {}", parts.join(" ")))
            }
            4 | 5 => {
                let wide = self.r.below(3) as u32 + 2;
                let v = self.small(at, wide, depth + 1);
                let i = self.index(wide, depth);
                let (word, wide) = (self.m.scalar(U), self.m.u32(wide));
                let i = self.m.push(&format!("OpUMod {word} {i} {wide}"));
                self.m.push(&format!("OpVectorExtractDynamic {id} {v} {i}"))
            }
            6 => {
                let c = self.expression((B, n), depth + 1);
                let (x, y) = (self.small(at, n, depth + 1), self.small(at, n, depth + 1));
                self.m.push(&format!("OpSelect {id} {c} {x} {y}"))
            }
            7..=9 if small.is_target => self.to_small(small, n, depth),
            7..=10 => self.small_bits(small, n, depth),
            _ => self.small_constant(small, n),
        }
    }

    /// Makes a vector, or a component, of a value with other components.
    fn small_shuffled(&mut self, small: &Small, v: &str, from: u32, n: u32) -> String {
        let id = self.small_ty(small, n);
        let at = |g: &mut Generator| g.r.below(from as usize).to_string();
        match (from, n) {
            (1, 1) => v.into(),
            (1, _) => {
                let parts = vec![v; n as usize].join(" ");
                self.m.push(&format!("OpCompositeConstruct {id} {parts}"))
            }
            (_, 1) => {
                let k = at(self);
                self.m.push(&format!("OpCompositeExtract {id} {v} {k}"))
            }
            _ => {
                let parts: Vec<String> = (0..n).map(|_| at(self)).collect();
                self.m.push(&format!("OpVectorShuffle {id} {v} {v} {}", parts.join(" ")))
            }
        }
    }

    /// Converts a number to a small float.
    fn to_small(&mut self, small: &Small, n: u32, depth: u32) -> String {
        let id = self.small_ty(small, n);
        let numbers: Vec<Scalar> = self.scalars.iter().copied().filter(|s| *s != B).collect();
        let from = *self.r.pick(&numbers);
        let e = self.expression((from, n), depth + 1);
        let e = self.without_nan(&e, (from, n));
        let name = match from {
            Scalar::Int(_, true) => "OpConvertSToF",
            Scalar::Int(_, false) => "OpConvertUToF",
            Scalar::Float(_) | Scalar::Bool => "OpFConvert",
        };
        let v = self.m.push(&format!("{name} {id} {e}"));
        if small.bits == 8 && self.r.one_in(3) {
            self.m.decorate(&format!("{v} SaturatedToLargestFloat8NormalConversionEXT"));
        }
        v
    }

    /// Makes a small float from bits of integers.
    fn small_bits(&mut self, small: &Small, n: u32, depth: u32) -> String {
        let id = self.small_ty(small, n);
        // Integers of the size of the whole value.
        let whole = small.bits * n;
        if matches!(whole, 8 | 16 | 32 | 64) && (small.bits < 8 || self.r.one_in(2)) && self.r.one_in(2) {
            let e = self.expression((Scalar::Int(whole, false), 1), depth + 1);
            return self.m.push(&format!("OpBitcast {id} {e}"));
        }
        if small.bits >= 8 {
            let e = self.expression((Scalar::Int(small.bits, false), n), depth + 1);
            return self.m.push(&format!("OpBitcast {id} {e}"));
        }
        self.m.capability("BitcastExtractEXT");
        let ints: Vec<Scalar> =
            self.scalars.iter().copied().filter(|s| matches!(s, Scalar::Int(..))).collect();
        let from = *self.r.pick(&ints);
        let e = self.expression((from, n), depth + 1);
        // All bits must be inside of the component.
        let (word, last) = (self.m.scalar(U), self.m.u32(from.bits() - small.bits + 1));
        let offset = self.expression((U, 1), depth + 1);
        let offset = self.m.push(&format!("OpUMod {word} {offset} {last}"));
        self.m.push(&format!("OpBitcastExtractEXT {id} {e} {offset}"))
    }

    /// Makes a pointer to an element of a private array.
    fn small_element(&mut self, small: &Small, components: u32, array: &str, depth: u32) -> String {
        let part = self.small_ty(small, components);
        let pointer = self.m.pointer("Private", &part);
        let i = self.index(ARRAY, depth);
        self.m.push(&format!("OpAccessChain {pointer} {array} {i}"))
    }

    /// Stores a small float to a private array, or to the invocation's own part of the output.
    pub(super) fn store_small(&mut self) {
        let at = self.r.below(self.smalls.len());
        let Held { small, components, ref array, ref views } = self.smalls[at];
        let (array, views) = (array.clone(), views.clone());
        if let Some([_, out]) = views
            && !self.id.is_empty()
            && self.r.one_in(2)
        {
            let v = self.small(at, 1, 0);
            let per = 4 * SLOTS as u32 / (small.bits / 8);
            let (word, part) = (self.m.scalar(U), self.small_ty(small, 1));
            let (zero, n, id) = (self.m.u32(0), self.m.u32(per), self.id.clone());
            let i = self.index(per, 0);
            let i = self.m.push(&format!("OpUMod {word} {i} {n}"));
            let base = self.m.push(&format!("OpIMul {word} {id} {n}"));
            let i = self.m.push(&format!("OpIAdd {word} {base} {i}"));
            let pointer = self.m.pointer("StorageBuffer", &part);
            let p = self.m.push(&format!("OpAccessChain {pointer} {out} {zero} {i}"));
            return self.m.push_only(&format!("OpStore {p} {v}"));
        }
        let v = self.small(at, components, 0);
        let p = self.small_element(small, components, &array, 0);
        self.m.push_only(&format!("OpStore {p} {v}"));
    }

    /// Returns words that show the elements of the private arrays.
    pub(super) fn small_words(&mut self) -> Vec<String> {
        let mut words = Vec::new();
        for at in 0..self.smalls.len() {
            let Held { small, components, ref array, .. } = self.smalls[at];
            let array = array.clone();
            let (part, scalar, float) =
                (self.small_ty(small, components), self.small_ty(small, 1), self.m.scalar(F));
            let pointer = self.m.pointer("Private", &part);
            for k in 0..ARRAY {
                let i = self.m.u32(k);
                let p = self.m.push(&format!("OpAccessChain {pointer} {array} {i}"));
                let mut v = self.m.push(&format!("OpLoad {part} {p}"));
                if components > 1 {
                    v = self.m.push(&format!("OpCompositeExtract {scalar} {v} {}", k % components));
                }
                words.push(if small.bits < 8 {
                    let v = self.m.push(&format!("OpFConvert {float} {v}"));
                    self.to_word(&v, F)
                } else {
                    let bits = self.m.ty(&Type::Scalar(Scalar::Int(small.bits, false)));
                    let v = self.m.push(&format!("OpBitcast {bits} {v}"));
                    self.to_word(&v, Scalar::Int(small.bits, false))
                });
            }
        }
        words
    }
}
