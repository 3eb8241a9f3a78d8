//! Reader for Wavefront OBJ: vertices, faces, lines and points. Materials, groups and curves are ignored.
//!
//! Faces of more than three corners become triangles, also concave ones. Texture coordinates are flipped, because their origin
//! in OBJ is the lower left corner. Colours after a vertex position are read.

use rustc_hash::FxHashMap;

use super::{Mesh, polygon};
use crate::Topology;
use crate::error::{Error, Place, Result};

/// Largest number of face corners of a mesh.
const MAX_CORNERS: usize = 1 << 27;

/// Steps of dividing the concave faces of a mesh, after which the others become fans: about a second.
const MAX_STEPS: u64 = 1 << 28;

/// Numbers of the position, texture coordinates and normal of a corner.
type Corner = (u32, Option<u32>, Option<u32>);

#[derive(Default)]
struct Reader {
    places: Vec<[f32; 3]>,
    /// As many as `places`, or empty.
    colors: Vec<[f32; 4]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    triangles: Vec<Corner>,
    lines: Vec<Corner>,
    points: Vec<Corner>,
    /// Number of steps left for concave faces.
    steps: u64,
}

/// Reads a mesh: triangles if there are faces, else lines, else points.
///
/// # Errors
/// `Invalid`, with the line, if the text is not OBJ; `Limit` if there are more corners than can be drawn.
pub fn read_obj(text: &str) -> Result<Mesh> {
    let mut reader = Reader { steps: MAX_STEPS, ..Reader::default() };
    let mut lines = text.lines().enumerate();
    while let Some((n, line)) = lines.next() {
        let mut whole = line.to_owned();
        while whole.ends_with('\\') {
            whole.pop();
            whole.push(' ');
            whole += lines.next().map_or("", |(_, l)| l);
        }
        let line = whole.split('#').next().unwrap_or_default();
        reader.line(line).map_err(|message| match message {
            Wrong::Invalid(message) => {
                let place = Place { line: u32::try_from(n + 1).ok(), ..Place::default() };
                Error::invalid(message).at(place)
            }
            Wrong::Limit => Error::Limit(format!("more than {MAX_CORNERS} corners of faces")),
        })?;
    }
    reader.mesh()
}

enum Wrong {
    Invalid(String),
    Limit,
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Wrong::Invalid(message)
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        let mut words = line.split_whitespace();
        let Some(kind) = words.next() else { return Ok(()) };
        match kind {
            "v" => {
                let all = numbers(words, 3)?;
                self.places.push([all[0], all[1], all[2]]);
                // Four numbers are a position with a weight, which polygons do not use.
                let color = all.get(3..6).map(|c| [c[0], c[1], c[2], all.get(6).copied().unwrap_or(1.0)]);
                match color {
                    Some(color) if self.colors.len() + 1 == self.places.len() => self.colors.push(color),
                    _ => {}
                }
            }
            "vt" => {
                let all = numbers(words, 1)?;
                self.uvs.push([all[0], 1.0 - all.get(1).copied().unwrap_or(0.0)]);
            }
            "vn" => {
                let all = numbers(words, 3)?;
                self.normals.push([all[0], all[1], all[2]]);
            }
            "f" => {
                let corners = words.map(|w| self.corner(w)).collect::<Result<Vec<_>, _>>()?;
                if corners.len() < 3 {
                    return Err(format!("a face of {} corners", corners.len()).into());
                }
                match corners[..] {
                    [a, b, c] => self.triangles.extend([a, b, c]),
                    _ => self.polygon(&corners),
                }
            }
            "l" => {
                let corners = words.map(|w| self.corner(w)).collect::<Result<Vec<_>, _>>()?;
                self.lines.extend(corners.windows(2).flatten());
            }
            "p" => {
                let corners = words.map(|w| self.corner(w)).collect::<Result<Vec<_>, _>>()?;
                self.points.extend(corners);
            }
            _ => {}
        }
        let corners = self.triangles.len() + self.lines.len() + self.points.len();
        if corners > MAX_CORNERS { Err(Wrong::Limit) } else { Ok(()) }
    }

    /// Adds the triangles of a face.
    fn polygon(&mut self, corners: &[Corner]) {
        let places: Vec<[f32; 3]> = corners.iter().map(|corner| self.places[corner.0 as usize]).collect();
        let triangles = polygon::triangles(&places, &mut self.steps);
        self.triangles.extend(triangles.iter().flatten().map(|i| corners[*i]));
    }

    /// Parses `1`, `1/2`, `1//3` or `1/2/3`; negative numbers count from the last.
    fn corner(&self, word: &str) -> Result<Corner, String> {
        let one = |text: &str, n: usize, what: &str| -> Result<u32, String> {
            let number: i64 = text.parse().map_err(|_| format!("`{word}` is not a corner of a face"))?;
            let index = if number < 0 { number + n as i64 } else { number - 1 };
            let index = u32::try_from(index).ok().filter(|i| (*i as usize) < n);
            index.ok_or_else(|| format!("`{word}`: there are {n} {what} up to here"))
        };
        let mut parts = word.split('/');
        let place = one(parts.next().unwrap_or_default(), self.places.len(), "vertices")?;
        let mut next = |n: usize, what: &str| {
            parts.next().filter(|t| !t.is_empty()).map(|t| one(t, n, what)).transpose()
        };
        let uv = next(self.uvs.len(), "texture coordinates")?;
        let normal = next(self.normals.len(), "normals")?;
        Ok((place, uv, normal))
    }

    fn mesh(self) -> Result<Mesh> {
        let (corners, topology) = match (self.triangles.is_empty(), self.lines.is_empty()) {
            (false, _) => (self.triangles, Topology::TriangleList),
            (true, false) => (self.lines, Topology::LineList),
            _ if !self.points.is_empty() => (self.points, Topology::PointList),
            _ => ((0..self.places.len() as u32).map(|i| (i, None, None)).collect(), Topology::PointList),
        };
        if corners.is_empty() {
            return Err(Error::invalid("there are no vertices"));
        }
        let (has_uvs, has_normals) =
            (corners.iter().any(|c| c.1.is_some()), corners.iter().any(|c| c.2.is_some()));
        let has_colors = self.colors.len() == self.places.len();
        let mut mesh = Mesh { topology, ..Mesh::default() };
        let mut known: FxHashMap<Corner, u32> = FxHashMap::default();
        for corner @ (place, uv, normal) in corners {
            let index = *known.entry(corner).or_insert_with(|| {
                mesh.positions.push(self.places[place as usize]);
                if has_colors {
                    mesh.colors.push(self.colors[place as usize]);
                }
                if has_uvs {
                    mesh.uvs.push(uv.map_or([0.0; 2], |i| self.uvs[i as usize]));
                }
                if has_normals {
                    let normal = normal.and_then(|i| super::unit(self.normals[i as usize]));
                    mesh.normals.push(normal.unwrap_or([0.0, 0.0, 1.0]));
                }
                mesh.positions.len() as u32 - 1
            });
            mesh.indices.push(index);
        }
        Ok(mesh)
    }
}

/// Parses a list of at least `least` numbers.
fn numbers<'a>(words: impl Iterator<Item = &'a str>, least: usize) -> Result<Vec<f32>, String> {
    let one = |word: &str| {
        word.parse::<f32>().ok().filter(|x| x.is_finite()).ok_or_else(|| format!("`{word}` is not a number"))
    };
    let all = words.map(one).collect::<Result<Vec<_>, _>>()?;
    if all.len() < least {
        Err(format!("{least} numbers are expected, {} are given", all.len()))
    } else {
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_become_triangles() {
        let text = "# a quad\nmtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.25\nvn 0 0 2\n\
                    usemtl m\ns off\nf 1/1/1 2/2/1 \\\n 3/1/1 -1/1/-1\n";
        let mesh = read_obj(text).unwrap();
        assert_eq!(mesh.indices, [0, 1, 2, 0, 2, 3]);
        assert_eq!(mesh.positions[3], [0.0, 1.0, 0.0]);
        assert_eq!(mesh.uvs, [[0.0, 1.0], [1.0, 0.75], [0.0, 1.0], [0.0, 1.0]]);
        assert_eq!(mesh.normals, vec![[0.0, 0.0, 1.0]; 4]);
        assert_eq!(mesh.topology, Topology::TriangleList);

        // Corners that differ in any number become separate vertices; colours belong to positions.
        let mesh = read_obj("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 2//1 3//1")
            .unwrap();
        assert_eq!((mesh.positions.len(), mesh.indices.as_slice()), (4, &[0, 1, 2, 3, 1, 2][..]));
        assert_eq!(mesh.colors[1], [0.0, 1.0, 0.0, 1.0]);
        assert!(mesh.uvs.is_empty());
        let lines = read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3").unwrap();
        assert_eq!((lines.topology, lines.indices.as_slice()), (Topology::LineList, &[0, 1, 1, 2][..]));
        assert_eq!(read_obj("v 0 0 0\nv 1 0 0").unwrap().topology, Topology::PointList);
    }

    /// An arrow, whose first corner does not see the third.
    #[test]
    fn concave_faces_are_covered() {
        let mesh = read_obj("v 0 0 0\nv 3 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n").unwrap();
        // The fourth, first and second corner, then the third, fourth and second.
        assert_eq!(mesh.indices, [0, 1, 2, 3, 0, 2]);
        assert_eq!(mesh.positions[0], [1.0, 1.0, 0.0]);
    }

    /// A new copy of a line for each of its parts would take minutes.
    #[test]
    fn lines_of_many_parts() {
        let text = format!("v 0 0 0\np {} 1", "1 \\\n".repeat(1 << 20));
        assert_eq!(read_obj(&text).unwrap().indices.len(), (1 << 20) + 1);
        assert_eq!(read_obj("v 0 0 0\np 1 1\\").unwrap().indices, [0, 0]);
    }

    #[test]
    fn what_is_wrong() {
        for (text, why) in [
            ("v 0 0", "3 numbers are expected, 2 are given"),
            ("v 0 0 x", "`x` is not a number"),
            ("v 0 0 inf", "`inf` is not a number"),
            ("v 0 0 0\nf 1 2 1", "there are 1 vertices"),
            ("v 0 0 0\nf 1 0 1", "`0`"),
            ("v 0 0 0\nf 1 -2 1", "`-2`"),
            ("v 0 0 0\nf 1/1 1 1", "0 texture coordinates"),
            ("v 0 0 0\nf 1 1", "a face of 2 corners"),
            ("v 0 0 0\nf a b c", "not a corner"),
            ("", "no vertices"),
        ] {
            let error = read_obj(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(read_obj("\n\nv x 0 0").unwrap_err().to_string().contains('3'));
    }

    #[test]
    fn damaged_files_are_errors_or_meshes() {
        let good = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvt 0 0\nvt 1 1\nvn 0 0 1\n\
                    f 1/1/1 2/2/1 3/1/1\nf -1//1 -2//1 -3//1\nl 1 2 3\np 1 2\n";
        let mut state = 1u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let pieces =
            ["-", "/", "9", " ", "\n", "\\", "f 1 1 1", "1e39", "v", "#", "18446744073709551616", "\u{e9}"];
        let mut meshes = 0;
        for _ in 0..10_000 {
            let mut text = good.to_owned();
            for _ in 0..1 + random(3) {
                let from = random(text.len() + 1);
                let to = (from + random(4)).min(text.len());
                if text.is_char_boundary(from) && text.is_char_boundary(to) {
                    text.replace_range(from..to, pieces[random(pieces.len())]);
                }
            }
            if let Ok(mesh) = read_obj(&text) {
                meshes += 1;
                let n = mesh.positions.len();
                assert!(mesh.indices.iter().all(|i| (*i as usize) < n), "{text}");
                let all = [mesh.normals.len(), mesh.uvs.len(), mesh.colors.len()];
                assert!(all.iter().all(|len| [0, n].contains(len)), "{text}");
            }
        }
        assert!((500..9_500).contains(&meshes), "{meshes}");
    }
}
