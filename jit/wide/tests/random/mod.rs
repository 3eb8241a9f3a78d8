//! Random programs, compared with Cranelift: every byte of memory must be equal.

mod across;
pub mod emit;
mod flow;
mod numbers;
mod plain;
pub mod program;

use cranelift_codegen::isa::OwnedTargetIsa;
use quadrille_wide::Level;

use crate::support::{self, Code, Random};
use emit::{INPUT, OUTPUT, RESULT};
use program::{Program, Ty};

/// Levels with vectors of a width.
fn levels(bits: u32) -> Vec<Level> {
    support::levels().into_iter().filter(|&level| bits < 512 || level == Level::Avx512).collect()
}

fn memory(seed: u64, outputs: usize) -> Vec<u8> {
    let mut r = Random(seed ^ 0x5eed);
    let mut all: Vec<u8> = (0..OUTPUT / 8).flat_map(|_| numbers::hard(&mut r).to_le_bytes()).collect();
    all.resize(OUTPUT as usize + RESULT as usize * outputs + 64, 0);
    all
}

/// Replaces every NaN among the results by the same one.
fn canonical(p: &Program, memory: &mut [u8]) {
    for (i, &v) in p.outputs.iter().enumerate() {
        let at = OUTPUT as usize + RESULT as usize * i;
        let all = &mut memory[at..at + RESULT as usize];
        match p.types[v] {
            Ty::F32 | Ty::Vf32 => all.chunks_mut(4).for_each(|c| {
                if f32::from_le_bytes(c.try_into().expect("four")).is_nan() {
                    c.copy_from_slice(&f32::NAN.to_le_bytes());
                }
            }),
            Ty::F64 | Ty::Vf64 => all.chunks_mut(8).for_each(|c| {
                if f64::from_le_bytes(c.try_into().expect("eight")).is_nan() {
                    c.copy_from_slice(&f64::NAN.to_le_bytes());
                }
            }),
            _ => {}
        }
    }
}

/// Describes the first value that differs.
fn difference(p: &Program, want: &[u8], got: &[u8]) -> Option<String> {
    let i = want.iter().zip(got).position(|(a, b)| a != b)?;
    if i < OUTPUT as usize {
        return Some(format!("byte {i} of memory (written from {INPUT})"));
    }
    let n = (i - OUTPUT as usize) / RESULT as usize;
    let at = OUTPUT as usize + n * RESULT as usize;
    let (v, end) = (p.outputs[n], at + RESULT as usize);
    Some(format!("value {v} of {:?}:\n  {:02x?}\n  {:02x?}", p.types[v], &want[at..end], &got[at..end]))
}

/// Compiles a program at every level and width, and runs each result on `inputs` inputs. Returns the first difference, or else the
/// number of executions.
pub fn check(p: &Program, seed: u64, inputs: usize, isa: &OwnedTargetIsa) -> Result<usize, String> {
    let inputs: Vec<Vec<u8>> =
        (0..inputs as u64).map(|i| memory(seed.wrapping_add(i << 40), p.outputs.len())).collect();
    let mut runs = 0;
    for bits in [128, 256, 512].into_iter().filter(|&b| b <= p.bits) {
        let oracle = emit::write(p, bits, false, isa.frontend_config());
        support::verify(&oracle);
        let code = Code::new(&support::by_cranelift(isa, oracle));
        let wanted = |input: &Vec<u8>| {
            let mut want = input.clone();
            code.call(&mut want, 1, 2);
            canonical(p, &mut want);
            want
        };
        let wanted: Vec<Vec<u8>> = inputs.iter().map(wanted).collect();
        let wide = emit::write(p, bits, true, isa.frontend_config());
        for level in levels(bits) {
            let say = |e: String| format!("seed {seed}, {level:?}, {bits} bits: {e}");
            let code = support::compile(&wide, level).map_err(|e| say(e.to_string()))?;
            let placed = Code::new(&code.bytes);
            for (input, want) in inputs.iter().zip(&wanted) {
                let mut got = input.clone();
                let r = placed.call(&mut got, 40, 2);
                if r != 42 {
                    return Err(say(format!("returned {r}")));
                }
                canonical(p, &mut got);
                if let Some(d) = difference(p, want, &got) {
                    return Err(say(d));
                }
                runs += 1;
            }
        }
    }
    Ok(runs)
}

/// The program with the given seed.
pub fn of_seed(seed: u64) -> Program {
    let bits = [512, 512, 256, 128][seed as usize % 4];
    program::make(seed, 20 + 10 * (seed as usize % 12), |r| program::widest(r) >= bits)
}

/// The CLIF of a failing program, reduced to as few operations and outputs as possible.
#[allow(dead_code)]
pub fn reduced(p: &Program, seed: u64, inputs: usize, isa: &OwnedTargetIsa) -> String {
    let mut best = p.clone();
    for i in (0..best.outputs.len()).rev() {
        let mut less = best.clone();
        less.outputs.remove(i);
        if check(&less, seed, inputs, isa).is_err() {
            best = less;
        }
    }
    let error = check(&best, seed, inputs, isa).err().unwrap_or_default();
    let f = emit::write(&best, best.bits, true, isa.frontend_config());
    format!("{error}\n{f}")
}
