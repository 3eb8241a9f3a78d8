//! Layout of values in vectors, which have W bits or as many as the group fills. Also declares the named functions that
//! the wide back end expands inline, for operations that CLIF has no instructions for.

use cranelift_codegen::ir::{
    self as cl, ExtFuncData, ExternalName, InstBuilder, MemFlagsData, Type, Value, types,
};
use quadrille_wide::intrinsics::Intrinsic;
use smallvec::{SmallVec, smallvec};

use super::{Lane, LaneBuilder, Parts, Vecs, is_wide};
use crate::ir::Ty;

/// Key of a declared function: callee, argument types, result type.
pub(super) type Declared = (Intrinsic, SmallVec<[Type; 5]>, Type);

/// Byte order of bitcasts between vectors.
pub(crate) fn le() -> MemFlagsData {
    MemFlagsData::new().with_endianness(cl::Endianness::Little)
}

/// Vectors of 128 bits.
pub(crate) type Quads = SmallVec<[Value; 8]>;

/// Cranelift type of one lane of a varying value.
pub(crate) fn element_type(ty: Ty) -> Type {
    match ty {
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 => types::I32,
        Ty::I64 | Ty::Buffer | Ty::Image => types::I64,
        Ty::F16 | Ty::F32 => types::F32,
        Ty::F64 => types::F64,
    }
}

/// The vector type with these lanes and this number of bits.
pub(super) fn vector_of(element: Type, bits: u32) -> Type {
    element.by(bits / element.bits()).unwrap_or(element)
}

impl LaneBuilder<'_> {
    /// Vector Cranelift type of a part of a varying value.
    pub(crate) fn vector_type(&self, ty: Ty) -> Type {
        vector_of(element_type(ty), self.vector_bits)
    }

    /// The type of 32-bit integer lanes.
    pub(super) fn int_vector(&self) -> Type {
        vector_of(types::I32, self.vector_bits)
    }

    /// Number of lanes of this type per vector.
    pub(super) fn per_vec(&self, ty: Ty) -> u32 {
        self.vector_bits / element_type(ty).bits()
    }

    /// Number of vectors of a varying value of this type.
    pub(crate) fn n_vecs(&self, ty: Ty) -> usize {
        (self.lanes * element_type(ty).bits() / self.vector_bits) as usize
    }

    /// Bytes per vector; rows in our own memory have this alignment.
    pub(crate) fn vector_bytes(&self) -> u32 {
        self.vector_bits / 8
    }

    /// Returns true if vectors are wider than 128 bits, so that the wide back end compiles the function.
    pub(crate) fn is_wide_code(&self) -> bool {
        self.vector_bits > 128
    }

    /// Returns true if truth values are kept in mask registers.
    pub(super) fn has_mask_registers(&self) -> bool {
        self.is_wide_code() && self.cpu.wide() == Some(quadrille_wide::Level::Avx512)
    }

    /// A constant vector that repeats the words.
    pub(super) fn vconst32(&mut self, ty: Type, words: &[u32]) -> Value {
        let key = (ty.bytes(), SmallVec::from_slice(words));
        let pool = &mut self.fb.func.dfg.constants;
        let c = *self.constants.entry(key).or_insert_with(|| {
            let all = words.iter().cycle().take(ty.bytes() as usize / 4);
            pool.insert(all.flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>().into())
        });
        self.vector_known(ty, c)
    }

    pub(super) fn vconst64(&mut self, ty: Type, w: u64) -> Value {
        self.vconst32(ty, &[w as u32, (w >> 32) as u32])
    }

    /// Calls a function that the back end expands inline.
    pub(super) fn intrinsic(&mut self, which: Intrinsic, args: &[Value], out: Type) -> Value {
        let inst = self.intrinsic_call(which, args, out);
        self.fb.inst_results(inst)[0]
    }

    /// As [`Self::intrinsic`]; without a result if `out` is invalid.
    pub(super) fn intrinsic_call(&mut self, which: Intrinsic, args: &[Value], out: Type) -> cl::Inst {
        let ins: SmallVec<[Type; 5]> = args.iter().map(|&a| self.fb.func.dfg.value_type(a)).collect();
        let key = (which, ins, out);
        let declared = match self.declared.get(&key) {
            Some(&f) => f,
            None => {
                let mut sig = cl::Signature::new(self.fb.func.signature.call_conv);
                sig.params = key.1.iter().map(|&t| cl::AbiParam::new(t)).collect();
                if out != types::INVALID {
                    sig.returns.push(cl::AbiParam::new(out));
                }
                let signature = self.fb.import_signature(sig);
                let name = self.fb.func.declare_imported_user_function(which.name());
                let name = ExternalName::user(name);
                let data = ExtFuncData { name, signature, colocated: false, patchable: false };
                let f = self.fb.import_function(data);
                self.declared.insert(key, f);
                f
            }
        };
        self.fb.ins().call(declared, args)
    }

    /// As [`Self::intrinsic`], with a constant after the other arguments.
    pub(super) fn intrinsic_of(&mut self, which: Intrinsic, args: &[Value], k: u32, out: Type) -> Value {
        let k = self.fb.ins().iconst(types::I32, i64::from(k));
        let args: SmallVec<[Value; 4]> = args.iter().copied().chain([k]).collect();
        self.intrinsic(which, &args, out)
    }

    /// One half of a vector that is wider than 128 bits.
    pub(super) fn half(&mut self, v: Value, high: bool) -> Value {
        let ty = self.fb.func.dfg.value_type(v);
        let out = vector_of(ty.lane_type(), ty.bits() / 2);
        self.intrinsic_of(Intrinsic::Part, &[v], u32::from(high), out)
    }

    /// Splits a vector into 128-bit parts.
    pub(super) fn cut(&mut self, v: Value) -> Quads {
        self.cut_to(v, 128)
    }

    /// Splits a vector into parts of 128 or 256 bits, unless it has no more.
    fn cut_to(&mut self, v: Value, bits: u32) -> Quads {
        let ty = self.fb.func.dfg.value_type(v);
        if ty.bits() <= bits {
            return smallvec![v];
        }
        let out = vector_of(ty.lane_type(), bits);
        (0..ty.bits() / bits).map(|k| self.intrinsic_of(Intrinsic::Part, &[v], k, out)).collect()
    }

    /// Joins vectors of 128 bits or more to whole ones.
    pub(super) fn put_together(&mut self, parts: &[Value]) -> Vecs {
        let bits = parts.first().map_or(0, |&v| self.fb.func.dfg.value_type(v).bits());
        if !self.is_wide_code() || bits == self.vector_bits {
            return parts.into();
        }
        parts
            .chunks((self.vector_bits / bits) as usize)
            .map(|parts| {
                let ty = vector_of(self.fb.func.dfg.value_type(parts[0]).lane_type(), self.vector_bits);
                let mut v = self.vconst32(ty, &[0]);
                for (k, &part) in parts.iter().enumerate() {
                    v = self.intrinsic_of(Intrinsic::WithPart, &[v, part], k as u32, ty);
                }
                v
            })
            .collect()
    }

    /// The vectors of a value, split into parts of so many bits.
    pub(super) fn cut_all(&mut self, a: Lane, bits: u32) -> Quads {
        self.vecs(a).into_iter().flat_map(|v| self.cut_to(v, bits)).collect()
    }

    /// The vectors of a value, split into 128 bits each: four lanes of up to 32 bits, or two of 64.
    pub(super) fn quads(&mut self, a: Lane) -> Quads {
        self.cut_all(a, 128)
    }

    /// A varying value from 128-bit vectors.
    pub(super) fn push_quads(&mut self, ty: Ty, quads: &[Value]) -> Lane {
        self.push_parts(ty, quads)
    }

    /// A varying value from vectors of 128 bits or more.
    pub(super) fn push_parts(&mut self, ty: Ty, parts: &[Value]) -> Lane {
        let v = self.put_together(parts);
        self.push(ty, Parts::Varying(v))
    }

    /// Selects words of `a` (0..4) and `b` (4..8) in each 128 bits.
    pub(crate) fn shuffle32(&mut self, a: Value, b: Value, words: [u8; 4]) -> Value {
        let ty = self.fb.func.dfg.value_type(a);
        let out = if ty.lane_bits() == 64 { vector_of(types::I32, ty.bits()) } else { ty };
        if ty.bits() > 128 {
            let (a, b) = (self.vcast(out, a), self.vcast(out, b));
            let k = words.iter().rev().fold(0, |k, &w| k << 4 | u32::from(w));
            return self.intrinsic_of(Intrinsic::ShuffleQuads, &[a, b], k, out);
        }
        let v = self.shuffle_words(a, b, words);
        self.vcast(out, v)
    }

    /// As [`Self::shuffle32`] for 128 bits; the result type is bytes.
    pub(super) fn shuffle_words(&mut self, a: Value, b: Value, words: [u8; 4]) -> Value {
        if let (Some(a), Some(b)) = (self.const_words(a), self.const_words(b)) {
            let all = [a, b].concat();
            return self.vconst32(types::I8X16, &words.map(|w| all[usize::from(w)]));
        }
        let bytes: SmallVec<[u8; 16]> = words.iter().flat_map(|w| (0..4).map(move |k| w * 4 + k)).collect();
        let mask = self.fb.func.dfg.immediates.push(bytes[..].into());
        let (a, b) = (self.vcast(types::I8X16, a), self.vcast(types::I8X16, b));
        self.fb.ins().shuffle(a, b, mask)
    }

    /// The words of a 128-bit constant.
    fn const_words(&self, v: Value) -> Option<[u32; 4]> {
        let dfg = &self.fb.func.dfg;
        let data = |v| dfg.value_def(v).inst().map(|i| dfg.insts[i]);
        let constant = match data(v)? {
            cl::InstructionData::UnaryConst { constant_handle, .. } => constant_handle,
            cl::InstructionData::LoadNoOffset { opcode: cl::Opcode::Bitcast, arg, .. } => match data(arg)? {
                cl::InstructionData::UnaryConst { constant_handle, .. } => constant_handle,
                _ => return None,
            },
            _ => return None,
        };
        let (words, _) = dfg.constants.get(constant).as_slice().as_chunks::<4>();
        let words: [[u8; 4]; 4] = words.try_into().ok()?;
        Some(words.map(u32::from_le_bytes))
    }

    /// The even or the odd words of two vectors of 64-bit lanes, concatenated.
    pub(super) fn words_of(&mut self, low: Value, high: Value, odd: bool) -> Value {
        let first = u8::from(odd);
        if !self.is_wide_code() {
            return self.shuffle32(low, high, [first, 2 + first, 4 + first, 6 + first]);
        }
        let ty = self.int_vector();
        let (low, high) = (self.vcast(ty, low), self.vcast(ty, high));
        let words: SmallVec<[u32; 16]> = (0..ty.lane_count()).map(|i| 2 * i + u32::from(first)).collect();
        let order = self.vconst32(ty, &words);
        self.intrinsic(Intrinsic::Permute2, &[low, high, order], ty)
    }

    /// The same bits as lanes of another type.
    pub(super) fn vcast(&mut self, ty: Type, v: Value) -> Value {
        let dfg = &self.fb.func.dfg;
        if dfg.value_type(v) == ty {
            return v;
        }
        // A cast there and back cancels out.
        if let Some(made) = dfg.value_def(v).inst()
            && let cl::InstructionData::LoadNoOffset { opcode: cl::Opcode::Bitcast, arg, .. } =
                dfg.insts[made]
            && dfg.value_type(arg) == ty
        {
            return arg;
        }
        self.cast_known(ty, v)
    }

    /// Bytes of a row of this type in the format of registers.
    pub fn row_bytes(&self, ty: Ty) -> u32 {
        self.lanes * if is_wide(ty) { 8 } else { 4 }
    }
}
