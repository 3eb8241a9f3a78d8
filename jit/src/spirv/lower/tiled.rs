//! Products of cooperative matrices of several tiles: sums of products of tiles, in ascending order of the inner index.
//! Each product of tiles is an operation of the IR.

use super::{Lower, Scalars};
use crate::error::Result;
use crate::ir::{Imm, MatrixOp, Op, Tiles, Ty, Value};

impl Lower<'_> {
    /// `A * B + C`, where each matrix is one tile with these sides.
    pub(super) fn tile_product(
        &mut self,
        [a, b, c]: [&[Value]; 3],
        [of_a, _, of_c]: [[usize; 2]; 3],
        saturates: Option<bool>,
    ) -> Scalars {
        let [rows, inner] = of_a.map(|side| side as u8);
        let op = MatrixOp::MulAdd { rows, columns: of_c[1] as u8, inner, saturates };
        let ty = c.first().map_or(Ty::F32, |&v| self.ty(v));
        self.emit(Op::Matrix, &[a, b, c].concat(), Imm::Matrix(op), &vec![ty; c.len()])
    }

    /// `A * B + C`, where the matrices consist of tiles.
    pub(super) fn tiled_product(
        &mut self,
        [a, b, c]: [&Scalars; 3],
        tiles: [Tiles; 3],
        saturates: Option<bool>,
    ) -> Result<Scalars> {
        let lanes = self.types.lanes.max(1) as usize;
        let sides = tiles.map(|t| t.tile);
        let [in_a, in_b, in_c] = sides.map(|[height, width]| height * width / lanes);
        let ([down, across], inner) = (tiles[2].grid(), tiles[0].grid()[1]);
        let mut out = Scalars::with_capacity(c.len());
        for row in 0..down {
            for column in 0..across {
                let start = Scalars::from_slice(&c[(row * across + column) * in_c..][..in_c]);
                // The exact sum of all products is added to C with saturation, so it needs a sum of its own.
                let mut sum = match saturates {
                    Some(_) => start.iter().map(|_| self.i32(0)).collect(),
                    None => start.clone(),
                };
                for k in 0..inner {
                    self.work(in_a + in_b + in_c)?;
                    let x = &a[(row * inner + k) * in_a..][..in_a];
                    let y = &b[(k * across + column) * in_b..][..in_b];
                    sum = self.tile_product([x, y, &sum], sides, None);
                }
                if let Some(signed) = saturates {
                    let add = |(c, sum): (&Value, Value)| self.saturating_sum(*c, sum, signed);
                    sum = start.iter().zip(sum).map(add).collect();
                }
                out.extend(sum);
            }
        }
        Ok(out)
    }

    /// `c + sum`, clamped to the range of signed or unsigned numbers. `sum` is signed, `c` is as the result.
    fn saturating_sum(&mut self, c: Value, sum: Value, signed: bool) -> Value {
        let (zero, least) = (self.i32(0), self.i32(1 << 31));
        let total = self.op(Op::IAdd, Ty::I32, &[c, sum]);
        let falls = self.op(Op::SLt, Ty::Bool, &[sum, zero]);
        if signed {
            // The sum overflows if its sign differs from that of both numbers.
            let (x, y) = (self.op(Op::Xor, Ty::I32, &[c, total]), self.op(Op::Xor, Ty::I32, &[sum, total]));
            let both = self.op(Op::And, Ty::I32, &[x, y]);
            let over = self.op(Op::SLt, Ty::Bool, &[both, zero]);
            let most = self.i32(i32::MAX as u32);
            let end = self.op(Op::Select, Ty::I32, &[falls, least, most]);
            return self.op(Op::Select, Ty::I32, &[over, end, total]);
        }
        let all = self.i32(u32::MAX);
        let up = self.op(Op::ULt, Ty::Bool, &[total, c]);
        let risen = self.op(Op::Select, Ty::I32, &[up, all, total]);
        let down = self.op(Op::ULt, Ty::Bool, &[c, total]);
        let fallen = self.op(Op::Select, Ty::I32, &[down, zero, total]);
        self.op(Op::Select, Ty::I32, &[falls, fallen, risen])
    }
}
