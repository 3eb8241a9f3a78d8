//! Inputs of lane functions for a program, and the values that its expectations compare.

use quadrille_jit::abi::interface_words;
use quadrille_jit::ir::{Interface, Shader, Slot, Stage, StageKind};

use super::Program;
use crate::lanes::{Job, Records, Work};

impl Program {
    pub(super) fn job(&self, shader: &Shader) -> Result<Job, String> {
        // Inputs that the shader does not use need no value.
        let find = |list: &[Interface], slot: &str| list.iter().position(|i| slot_name(i.slot) == slot);
        let work = match shader.stage {
            Stage::Compute => Work::Compute(self.dispatch.unwrap_or([1, 1, 1])),
            Stage::Vertex
            | Stage::RayGeneration
            | Stage::Intersection
            | Stage::AnyHit
            | Stage::ClosestHit
            | Stage::Miss
            | Stage::Callable => {
                let count = self.vertices.unwrap_or(1);
                let mut input = vec![vec![0; shader.inputs.len()]; count as usize];
                for (slot, list) in &self.inputs {
                    let Some(at) = find(&shader.inputs, slot) else { continue };
                    input.iter_mut().zip(list).for_each(|(v, word)| v[at] = *word as u32);
                }
                Work::Vertex { count, input }
            }
            Stage::Fragment => {
                let (width, height) = self.pixels.unwrap_or((8, 4));
                let mut planes = vec![[0.0; 3]; shader.inputs.len()];
                for (slot, plane) in &self.planes {
                    if let Some(at) = find(&shader.inputs, slot) {
                        planes[at] = *plane;
                    }
                }
                let inv_w = self.inv_w.unwrap_or([1.0, 0.0, 0.0]);
                Work::Fragment { width, height, covered: self.covered.clone(), planes, inv_w }
            }
            Stage::TessellationControl => {
                let (count, size) = self.patches.unwrap_or((1, 1));
                Work::Patches { size, count, vertices: records(&shader.inputs, &self.inputs, count * size) }
            }
            Stage::TessellationEvaluation => {
                let vertices = records(&shader.inputs, &self.inputs, self.patches.map_or(1, |p| p.1));
                let patch: Vec<_> = self.patch_inputs.iter().map(|(s, v)| (s.clone(), vec![*v])).collect();
                let patch = records(&shader.patch_inputs, &patch, 1);
                Work::Points { vertices, patch, coords: self.coords.clone() }
            }
            Stage::Task => Work::Tasks(self.dispatch.unwrap_or([1, 1, 1])),
            Stage::Mesh => {
                Work::Meshes { groups: self.dispatch.unwrap_or([1, 1, 1]), payload: self.payload.clone() }
            }
            Stage::Geometry => {
                let StageKind::Geometry(modes) = shader.kind else { return Err("no geometry".into()) };
                let count = self.primitives.unwrap_or(1);
                let vertices = records(&shader.inputs, &self.inputs, count * modes.input.vertices());
                Work::Primitives { count, vertices }
            }
        };
        Ok(Job {
            buffers: self.buffers.clone(),
            descriptors: self.descriptors.clone(),
            push: self.push.clone(),
            work,
            given: self.given,
        })
    }
}

/// Records of `count` vertices, or of a patch, with the inputs that the file states.
fn records(list: &[Interface], given: &[(String, Vec<u64>)], count: u32) -> Records {
    let n = interface_words(list) as usize;
    let mut records = Records { there: vec![false; n], words: vec![vec![0; n]; count as usize] };
    for (slot, values) in given {
        let Some(at) = list.iter().position(|i| slot_name(i.slot) == *slot) else { continue };
        let word = interface_words(&list[..at]) as usize;
        let wide = list[at].ty.bytes() == 8;
        records.there[word..word + 1 + usize::from(wide)].fill(true);
        for (record, v) in records.words.iter_mut().zip(values) {
            record[word] = *v as u32;
            if wide {
                record[word + 1] = (v >> 32) as u32;
            }
        }
    }
    records
}

/// Returns one scalar of each record.
pub(super) fn column(list: &[Interface], slot: &str, records: &[Vec<u32>]) -> Result<Vec<u64>, String> {
    let at =
        list.iter().position(|o| slot_name(o.slot) == slot).ok_or_else(|| format!("no output {slot}"))?;
    let word = interface_words(&list[..at]) as usize;
    let wide = list[at].ty.bytes() == 8;
    let high = |v: &Vec<u32>| if wide { u64::from(v[word + 1]) << 32 } else { 0 };
    Ok(records.iter().map(|v| u64::from(v[word]) | high(v)).collect())
}

fn slot_name(slot: Slot) -> String {
    match slot {
        Slot::Location { location, component, index: 0 } => format!("{location}.{component}"),
        Slot::Location { location, component, index } => format!("{location}.{component}#{index}"),
        Slot::BuiltIn(builtin, n) => format!("{builtin:?}.{n}"),
        Slot::Ray(slot) => format!("{slot:?}"),
    }
}
