//! Repairs output of naga's SPIR-V writer that is correct in meaning but fails validation.
//!
//! - naga declares SampleMask as a plain integer. Spec: Vulkan, VUID-SampleMask-SampleMask-04359, requires an array.
//! - naga extracts the size of a 1D image in an array with OpVectorShuffle, whose result is never a scalar; it is one
//!   component of a vector.
//! - naga gives code without a source span the first line and column, where no statement can be. Such code keeps the
//!   line
//!   of the code before it.
//! - naga queries the layers of a storage image with a level. Spec: Vulkan,
//!   VUID-StandaloneSpirv-OpImageQuerySizeLod-04659.

use std::collections::{HashMap, HashSet};

use spirv::{BuiltIn, Decoration, Op};

use crate::spirv::{HEADER, instructions};

/// Word of the header with the bound of the ids.
const BOUND: usize = 3;

/// Makes a module written by naga valid.
pub(super) fn mend(words: &[u32]) -> Vec<u32> {
    let mut mend = Mend { bound: words[BOUND], out: words[..HEADER].to_vec(), ..Mend::default() };
    instructions(words).for_each(|(op, instruction)| mend.instruction(op, instruction));
    mend.out[BOUND] = mend.bound;
    mend.out
}

#[derive(Default)]
struct Mend {
    out: Vec<u32>,
    bound: u32,
    /// Variables decorated as SampleMask.
    masks: HashSet<u32>,
    /// For each SampleMask variable: the type of a pointer to its element, and the constant 0.
    elements: HashMap<u32, (u32, u32)>,
    /// Pointee type of each pointer type.
    pointees: HashMap<u32, u32>,
    /// Types of storage images.
    storage: HashSet<u32>,
    /// Loaded storage images.
    images: HashSet<u32>,
}

impl Mend {
    fn instruction(&mut self, op: Option<Op>, words: &[u32]) {
        match (op, &words[1..]) {
            (Some(Op::Line), &[_, 1, 1]) => return,
            (Some(Op::Decorate), &[id, decoration, builtin])
                if decoration == Decoration::BuiltIn as u32 && builtin == BuiltIn::SampleMask as u32 =>
            {
                self.masks.insert(id);
            }
            (Some(Op::TypePointer), &[id, _, pointee]) => {
                self.pointees.insert(id, pointee);
            }
            (Some(Op::TypeImage), &[id, _, _, _, _, _, 2, ..]) => {
                self.storage.insert(id);
            }
            (Some(Op::Variable), &[pointer, id, class]) if self.masks.contains(&id) => {
                return self.sample_mask(pointer, id, class);
            }
            (Some(Op::Load), &[ty, id, from, ..]) => {
                if self.storage.contains(&ty) {
                    self.images.insert(id);
                }
                let element = self.element(from);
                self.put(Op::Load, &[&[ty, id, element], &words[4..]].concat());
                return;
            }
            (Some(Op::Store), &[to, ..]) => {
                let element = self.element(to);
                self.put(Op::Store, &[&[element], &words[2..]].concat());
                return;
            }
            (Some(Op::VectorShuffle), &[ty, id, vector, _, component]) => {
                return self.put(Op::CompositeExtract, &[ty, id, vector, component]);
            }
            (Some(Op::ImageQuerySizeLod), &[ty, id, image, _]) if self.images.contains(&image) => {
                return self.put(Op::ImageQuerySize, &[ty, id, image]);
            }
            _ => {}
        }
        self.out.extend_from_slice(words);
    }

    fn put(&mut self, op: Op, operands: &[u32]) {
        self.out.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.out.extend_from_slice(operands);
    }

    fn id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// Declares the variable as an array of one element.
    fn sample_mask(&mut self, pointer: u32, id: u32, class: u32) {
        let Some(&integer) = self.pointees.get(&pointer) else { return };
        let [zero, one, array, to_array] = [(); 4].map(|()| self.id());
        self.put(Op::Constant, &[integer, zero, 0]);
        self.put(Op::Constant, &[integer, one, 1]);
        self.put(Op::TypeArray, &[array, integer, one]);
        self.put(Op::TypePointer, &[to_array, class, array]);
        self.put(Op::Variable, &[to_array, id, class]);
        self.elements.insert(id, (pointer, zero));
    }

    /// Returns the pointer to access instead of `pointer`: for a SampleMask variable, a pointer to its element.
    fn element(&mut self, pointer: u32) -> u32 {
        let Some(&(ty, zero)) = self.elements.get(&pointer) else { return pointer };
        let id = self.id();
        self.put(Op::AccessChain, &[ty, id, pointer, zero]);
        id
    }
}

#[cfg(test)]
mod tests {
    use spirv::Op;

    use crate::{Options, compile_wgsl};

    /// Returns the opcode and operands of each instruction of a shader.
    fn instructions(source: &str) -> Vec<(Op, Vec<u32>)> {
        let words = compile_wgsl(source, &Options::default()).expect("a shader");
        let all = crate::spirv::instructions(&words);
        all.filter_map(|(op, instruction)| Some((op?, instruction[1..].to_vec()))).collect()
    }

    #[test]
    fn sample_mask_is_an_array() {
        let source =
            "@fragment fn main(@builtin(sample_mask) m: u32) -> @builtin(sample_mask) u32 { return m & 5u; }";
        let list = instructions(source);
        let count = |op| list.iter().filter(|i| i.0 == op).count();
        assert_eq!((count(Op::TypeArray), count(Op::AccessChain)), (2, 2));
        // Each variable points to an array type.
        for (_, variable) in list.iter().filter(|i| i.0 == Op::Variable) {
            let pointer =
                list.iter().find(|i| i.0 == Op::TypePointer && i.1[0] == variable[0]).expect("a type");
            assert!(list.iter().any(|i| i.0 == Op::TypeArray && i.1[0] == pointer.1[2]));
        }
    }

    #[test]
    fn layers_of_storage_images_have_no_level() {
        let source = "@group(0) @binding(0) var image: texture_storage_2d_array<rgba8unorm, write>;
            @group(0) @binding(1) var<storage, read_write> n: u32;
            @compute @workgroup_size(1) fn main() { n = textureNumLayers(image); }";
        let list = instructions(source);
        assert!(list.iter().any(|i| i.0 == Op::ImageQuerySize));
        assert!(!list.iter().any(|i| i.0 == Op::ImageQuerySizeLod));
    }
}
