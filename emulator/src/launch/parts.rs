//! Parts of a scene: triangles or boxes, and their text, as in `triangles:0,0,0,1,0,0,0,1,0`.

use crate::data::list::Type;
use crate::error::{Result, ensure};

/// Primitives of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Primitives {
    /// Corners of triangles.
    Triangles(Vec<[[f32; 3]; 3]>),
    /// Smallest and largest corners of boxes, in which intersection shaders find hits.
    Boxes(Vec<[[f32; 3]; 2]>),
}

/// A part of a scene: an instance without transform, which rays of every mask see. Part `k` has custom index `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePart {
    /// Triangles or boxes.
    pub primitives: Primitives,
    /// `true` if no any-hit shader runs for them, and ray queries commit them.
    pub opaque: bool,
    /// Offset of the part's hit group records.
    pub record_offset: u32,
}

impl ScenePart {
    /// Number of primitives.
    pub fn len(&self) -> usize {
        match &self.primitives {
            Primitives::Triangles(list) => list.len(),
            Primitives::Boxes(list) => list.len(),
        }
    }

    /// `true` without primitives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Name, floats per primitive, opacity.
const KINDS: [(&str, usize, bool); 4] =
    [("triangles", 9, false), ("opaque-triangles", 9, true), ("boxes", 6, false), ("opaque-boxes", 6, true)];

/// Kind and record offset of the words in front of a part's colon.
fn kind(words: &str) -> Option<(&'static (&'static str, usize, bool), Option<&str>)> {
    let (name, offset) = match words.split_once('@') {
        Some((name, offset)) => (name, Some(offset)),
        None => (words, None),
    };
    KINDS.iter().find(|kind| kind.0 == name.trim()).map(|kind| (kind, offset))
}

/// Returns true for the text of a scene, as opposed to other data.
pub fn is_scene(text: &str) -> bool {
    text.split_once(':').is_some_and(|(words, _)| kind(words).is_some())
}

/// Parses a scene: parts such as `triangles:X,Y,Z,...` (nine numbers each) and `boxes:X,Y,Z,...` (six), separated by
/// semicolons. Numbers may be the name of a file, of which `read` returns them. `opaque-` in front of a kind makes
/// geometry opaque. Part `k` has record offset `k`, or `N` with `@N` behind its kind.
///
/// # Errors
/// A description of the mistake.
pub fn parse_scene(
    text: &str,
    read: &mut dyn FnMut(&str) -> std::result::Result<Vec<f32>, String>,
) -> std::result::Result<Vec<ScenePart>, String> {
    let mut parts = Vec::new();
    for part in text.split(';').filter(|part| !part.trim().is_empty()) {
        let (words, values) = part.split_once(':').unwrap_or((part, ""));
        let (&(name, size, opaque), offset) = kind(words).ok_or_else(|| {
            let kinds = KINDS.map(|kind| kind.0).join(", ");
            format!("`{}` is not a part of a scene; parts are {kinds}, as in boxes:0,0,0,1,1,1", words.trim())
        })?;
        let record_offset = match offset {
            Some(offset) => {
                let number = offset.trim().parse().ok().filter(|n| *n < 1 << 24);
                number.ok_or_else(|| format!("`@{offset}` is not a record offset, as in {name}@1"))?
            }
            None => parts.len() as u32,
        };
        let floats = numbers(values.trim(), read)?;
        if !floats.len().is_multiple_of(size) {
            let count = floats.len();
            return Err(format!("{count} numbers are not a whole number of {name}, of {size} numbers each"));
        }
        let points = floats.as_chunks::<3>().0;
        let primitives = match size {
            9 => Primitives::Triangles(points.as_chunks::<3>().0.to_vec()),
            _ => Primitives::Boxes(points.as_chunks::<2>().0.to_vec()),
        };
        parts.push(ScenePart { primitives, opaque, record_offset });
    }
    Ok(parts)
}

/// Numbers of a part: a list, or those of a file.
fn numbers(
    values: &str,
    read: &mut dyn FnMut(&str) -> std::result::Result<Vec<f32>, String>,
) -> std::result::Result<Vec<f32>, String> {
    match Type::Float(4).encode(values) {
        Ok(bytes) => Ok(bytes.as_chunks().0.iter().map(|word| f32::from_le_bytes(*word)).collect()),
        // The name of a file has no commas.
        Err(why) if values.contains(',') => Err(why),
        Err(_) => read(values),
    }
}

/// Checks that each part of a scene has its hit group record.
///
/// # Errors
/// `Invalid` if a part has no hit group record.
pub fn fit_records(parts: &[ScenePart], hit_records: usize) -> Result<()> {
    let past = parts.iter().enumerate().find(|(_, part)| part.record_offset as usize >= hit_records);
    ensure(past.is_none(), || {
        let (k, offset) = past.map_or((0, 0), |(k, part)| (k, part.record_offset));
        format!(
            "part {k} of the scene has hit group record {offset}, and there are {hit_records} records: a group is \
             missing, or `@0` behind the part's kind"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_scenes() {
        let mut files = |name: &str| match name {
            "two.bin" => Ok(vec![2.0; 18]),
            other => Err(format!("no {other}")),
        };
        let text = "triangles:0,0,0, 1,0,0, 0,1,0; opaque-boxes@7:-1*3,1*3;triangles:two.bin";
        let parts = parse_scene(text, &mut files).unwrap();
        let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(parts[0].primitives, Primitives::Triangles(vec![triangle]));
        assert_eq!(parts[1].primitives, Primitives::Boxes(vec![[[-1.0; 3], [1.0; 3]]]));
        let rest: Vec<_> = parts.iter().map(|p| (p.len(), p.opaque, p.record_offset)).collect();
        assert_eq!(rest, [(1, false, 0), (1, true, 7), (2, false, 2)]);
        assert!(fit_records(&parts, 8).is_ok());
        let error = fit_records(&parts, 7).unwrap_err().to_string();
        assert!(error.contains("part 1 of the scene has hit group record 7"), "{error}");
        assert_eq!(parse_scene("triangles:", &mut files).unwrap()[0].len(), 0);
        for (wrong, message) in [
            ("boxes:1,2,3", "3 numbers are not a whole number of boxes"),
            ("boxes:1,x", "`x` is not a value of type f32"),
            ("boxes:x", "no x"),
            ("boxes@:1", "not a record offset"),
            ("boxes:;spheres:1", "`spheres` is not a part of a scene"),
        ] {
            let error = parse_scene(wrong, &mut files).unwrap_err();
            assert!(error.contains(message), "{wrong}: {error}");
        }
        assert!(is_scene("boxes@2:") && is_scene("triangles:x.obj"));
        assert!(!is_scene("boxes") && !is_scene("f32:1") && !is_scene("a.obj"));
    }
}
