//! Serialization of cases and answers.

use std::io::Read;

use crate::lanes::Buffer;

/// A case for a driver.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// SPIR-V.
    pub words: Vec<u32>,
    /// Specialization constants: id, bits, bytes.
    pub constants: Vec<(u32, u64, u32)>,
    /// Buffers, with true for uniform buffers.
    pub buffers: Vec<(Buffer, bool)>,
    /// Push constants.
    pub push: Vec<u8>,
    /// Workgroups.
    pub groups: [u32; 3],
    /// Required subgroup size if the results depend on it (0: any).
    pub lanes: u32,
}

/// Answer of a driver to a case.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Contents of the buffers after the run.
    Done(Vec<Vec<u8>>),
    /// The driver lacks a feature of the module, or has another subgroup size.
    Refused(String),
    /// The process of the driver ended.
    Crashed,
}

fn word(out: &mut Vec<u8>, v: u32) {
    out.extend(v.to_le_bytes());
}
fn bytes(out: &mut Vec<u8>, b: &[u8]) {
    word(out, b.len() as u32);
    out.extend(b);
}

/// Serializes cases.
pub fn encode(cases: &[Case]) -> Vec<u8> {
    let mut out = Vec::new();
    word(&mut out, cases.len() as u32);
    for c in cases {
        word(&mut out, c.words.len() as u32);
        c.words.iter().for_each(|w| word(&mut out, *w));
        word(&mut out, c.constants.len() as u32);
        for (id, bits, size) in &c.constants {
            word(&mut out, *id);
            word(&mut out, *bits as u32);
            word(&mut out, (*bits >> 32) as u32);
            word(&mut out, *size);
        }
        word(&mut out, c.buffers.len() as u32);
        for (b, uniform) in &c.buffers {
            word(&mut out, b.set);
            word(&mut out, b.binding);
            word(&mut out, u32::from(*uniform));
            bytes(&mut out, &b.bytes);
        }
        bytes(&mut out, &c.push);
        c.groups.iter().for_each(|g| word(&mut out, *g));
        word(&mut out, c.lanes);
    }
    out
}

/// Reads a word.
pub fn read_word(from: &mut impl Read) -> Option<u32> {
    let mut w = [0; 4];
    from.read_exact(&mut w).ok()?;
    Some(u32::from_le_bytes(w))
}

fn read_bytes(from: &mut impl Read) -> Option<Vec<u8>> {
    let n = read_word(from)? as usize;
    let mut b = vec![0; n.min(1 << 28)];
    from.read_exact(&mut b).ok()?;
    Some(b)
}

/// Reads the output of [`encode`].
pub fn decode(from: &mut impl Read) -> Option<Vec<Case>> {
    let n = read_word(from)?;
    let mut list = Vec::new();
    for _ in 0..n {
        let mut c = Case::default();
        for _ in 0..read_word(from)? {
            c.words.push(read_word(from)?);
        }
        for _ in 0..read_word(from)? {
            let (id, low, high) = (read_word(from)?, read_word(from)?, read_word(from)?);
            c.constants.push((id, u64::from(low) | u64::from(high) << 32, read_word(from)?));
        }
        for _ in 0..read_word(from)? {
            let (set, binding, uniform) = (read_word(from)?, read_word(from)?, read_word(from)?);
            c.buffers.push((Buffer { set, binding, bytes: read_bytes(from)? }, uniform != 0));
        }
        c.push = read_bytes(from)?;
        for g in &mut c.groups {
            *g = read_word(from)?;
        }
        c.lanes = read_word(from)?;
        list.push(c);
    }
    Some(list)
}

/// Serializes the first message of a client.
pub fn hello(device: &str, lanes: u32) -> Vec<u8> {
    let mut out = Vec::new();
    bytes(&mut out, device.as_bytes());
    word(&mut out, lanes);
    out
}

/// Reads the output of [`hello`].
pub fn read_hello(from: &mut impl Read) -> Option<(String, u32)> {
    let name = read_bytes(from)?;
    Some((String::from_utf8_lossy(&name).into_owned(), read_word(from)?))
}

/// Serializes an answer.
pub fn answer(a: &Answer) -> Vec<u8> {
    let mut out = Vec::new();
    match a {
        Answer::Done(buffers) => {
            word(&mut out, 1 + buffers.len() as u32);
            buffers.iter().for_each(|b| bytes(&mut out, b));
        }
        Answer::Refused(why) => {
            word(&mut out, 0);
            bytes(&mut out, why.as_bytes());
        }
        Answer::Crashed => {}
    }
    out
}

/// Reads the output of [`answer`].
pub fn read_answer(from: &mut impl Read) -> Option<Answer> {
    match read_word(from)? {
        0 => Some(Answer::Refused(String::from_utf8_lossy(&read_bytes(from)?).into_owned())),
        n => (1..n).map(|_| read_bytes(from)).collect::<Option<Vec<_>>>().map(Answer::Done),
    }
}
