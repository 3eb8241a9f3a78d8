//! OpAbortKHR: the parts of its message, and its text. Spec: SPIR-V, SPV_KHR_abort.

use spirv::Decoration;

use super::{Lower, Scalars, group};
use crate::abort::{Field, MAX_MESSAGE, MAX_SCALARS, Part};
use crate::error::{Error, Result};
use crate::ir::{End, Imm, Op, Stage, Ty, Value};
use crate::printf::{DEBUG_SEPARATOR, Format};
use crate::spirv::module::Inst;
use crate::spirv::types::{MatrixLayout, Type, Units};

impl Lower<'_> {
    /// Aborts with the message of `operands`: its type in memory, and its value.
    pub(super) fn abort(&mut self, inst: &Inst, operands: &[u32]) -> Result<End> {
        let (ty, message) = (self.id_at(operands, 0)?, self.id_at(operands, 1)?);
        let values = self.scalars(message)?;
        let mut fields = Vec::new();
        let size = self.place_fields(ty, 0, MatrixLayout::default(), &mut fields)?;
        if fields.len() != values.len() {
            return Err(Error::invalid("the message does not match its type"));
        }
        self.text_work(size as usize)?;
        let (mut bytes, mut fixed) = (vec![0; size as usize], Vec::new());
        let (mut varying, mut places) = (Scalars::new(), Vec::new());
        for (&value, &field) in values.iter().zip(&fields) {
            match self.known_bits(value) {
                Some(bits) => fixed.push((field, bits)),
                None => {
                    varying.push(value);
                    places.push(field);
                }
            }
        }
        for (field, bits) in fixed {
            let at = field.offset as usize;
            bytes[at..at + field.bytes as usize].copy_from_slice(&bits.to_le_bytes()[..field.bytes as usize]);
        }
        self.abort_part(&[], Part::First(bytes.into()));
        for (values, fields) in varying.chunks(MAX_SCALARS).zip(places.chunks(MAX_SCALARS)) {
            self.abort_part(values, Part::Scalars(fields.into()));
        }
        let (args, format) = self.abort_text(inst, ty, &values)?;
        self.text_work(format.text.len())?;
        self.abort_part(&args, Part::Last(format));
        match self.shader.stage {
            Stage::Fragment => {
                self.shader.discards = true;
                Ok(End::Kill)
            }
            _ => self.leave_shader(),
        }
    }

    fn abort_part(&mut self, args: &[Value], part: Part) {
        self.emit(Op::Abort, args, Imm::Abort(std::sync::Arc::new(part)), &[]);
    }

    /// The entry point, the invocation, and the message as text. Arrays of constant bytes are text, in which the other scalars replace
    /// the conversions; a message without text is the list of its scalars.
    fn abort_text(&mut self, inst: &Inst, ty: u32, values: &[Value]) -> Result<(Scalars, Format)> {
        let (mut args, invocation) = group::invocation_args(self)?;
        let name = self.shader.name.replace('%', "%%");
        let mut format = format!("entry point `{name}` aborted: {invocation}");
        let (mut text, mut rest) = (String::new(), Scalars::new());
        let members = match self.module.ty(ty)? {
            Type::Struct { members } => members.to_vec(),
            _ => vec![ty],
        };
        let mut values = values;
        for member in members {
            let (these, others) = values.split_at(self.types.leaves(member)? as usize);
            values = others;
            match self.text_of(these) {
                Some(part) => text.push_str(&part),
                None => rest.extend(these.iter().copied().filter(|&v| self.ty(v).is_plain())),
            }
        }
        rest.truncate(MAX_SCALARS - args.len());
        if text.is_empty() {
            let conversion = |&v: &Value| if self.ty(v).is_float() { "%g" } else { "%d" };
            text = rest.iter().map(conversion).collect::<Vec<_>>().join(", ");
        }
        let place = self.module.place(inst);
        let place = match (place.file, place.line) {
            (_, None) => String::new(),
            (Some(file), Some(line)) if !file.is_empty() => format!(" ({}:{line})", file.replace('%', "%%")),
            (_, Some(line)) => format!(" (line {line})"),
        };
        format.push_str(&text);
        format.push_str(&place);
        args.extend(rest);
        let tys = args.iter().map(|&v| self.ty(v)).collect();
        Ok((args, Format { text: format, tys, separator: DEBUG_SEPARATOR }))
    }

    /// The text of an array of constant bytes, up to its first zero.
    fn text_of(&self, values: &[Value]) -> Option<String> {
        let byte = |&v: &Value| self.known_bits(v).filter(|_| self.ty(v) == Ty::I8);
        let bytes = values.iter().map(byte).collect::<Option<Vec<_>>>().filter(|bytes| bytes.len() > 1)?;
        let bytes: Vec<u8> = bytes.iter().map(|&b| b as u8).take_while(|&b| b != 0).collect();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Appends the place of each scalar of a type at `base`. Returns the end of the type. Members and elements without
    /// an offset or a stride follow each other, as compilers leave them out in arrays of bytes.
    fn place_fields(
        &mut self,
        ty: u32,
        base: u32,
        matrix: MatrixLayout,
        out: &mut Vec<Field>,
    ) -> Result<u32> {
        let m = self.module;
        let add = |at: u32, more: u32| {
            let sum = at.checked_add(more).filter(|&end| end <= MAX_MESSAGE);
            sum.ok_or_else(|| Error::Limit(format!("a message of an abort of more than {MAX_MESSAGE} bytes")))
        };
        // Elements without scalars may be any number, and a message has no byte of theirs.
        if self.types.leaves(ty)? == 0 {
            return Ok(base);
        }
        let mut end = base;
        match m.ty(ty)? {
            Type::Vector { elem, .. } => {
                for _ in 0..self.types.leaves(ty)? {
                    end = self.place_fields(*elem, end, matrix, out)?;
                }
            }
            Type::Matrix { elem, rows, columns, .. } => {
                let (column, row) = self.types.matrix_strides(ty, Units::Explicit, matrix)?;
                for i in 0..*columns {
                    for j in 0..*rows {
                        let at = add(base, i.saturating_mul(column).saturating_add(j.saturating_mul(row)))?;
                        end = end.max(self.place_fields(*elem, at, matrix, out)?);
                    }
                }
            }
            Type::Array { elem, .. } => {
                let stride = m.deco(ty, Decoration::ArrayStride);
                for i in 0..self.types.array_len(ty)? {
                    let at = match stride {
                        Some(stride) => add(base, i.saturating_mul(stride))?,
                        None => end,
                    };
                    end = end.max(self.place_fields(*elem, at, matrix, out)?);
                }
            }
            Type::Struct { members } => {
                for (&member, i) in members.iter().zip(0..) {
                    let at = match m.member_deco(ty, i, Decoration::Offset) {
                        Some(offset) => add(base, offset)?,
                        None => end,
                    };
                    let layout = self.types.member_matrix(ty, i);
                    end = end.max(self.place_fields(member, at, layout, out)?);
                }
            }
            scalar => {
                let Some(bytes) = scalar.scalar().filter(|&ty| ty != Ty::Bool).map(Ty::bytes) else {
                    return Err(Error::invalid(format!("type %{ty} has no layout for a message")));
                };
                end = add(base, bytes)?;
                out.push(Field { offset: base, bytes });
            }
        }
        Ok(end)
    }
}
