//! Matches inputs of a vertex shader with mesh attributes.
//!
//! The match is by a word in the input's name: `position`, `a_position`, `inPos`, `vertexNormal`, `aTexCoord0`,
//! `in_UV`, `colour`, `a_tangent`. An input without such a word takes the attribute of its location: 0 is the position,
//! 1 the normal, 2 the texture coordinates, 3 the colour, 4 the tangent.

use super::Mesh;

/// Vertex attribute of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    Position,
    Normal,
    Uv,
    Color,
    Tangent,
    Bitangent,
}

impl Attribute {
    /// Attributes of unnamed inputs, by location.
    const BY_LOCATION: [Attribute; 5] =
        [Attribute::Position, Attribute::Normal, Attribute::Uv, Attribute::Color, Attribute::Tangent];

    /// Returns the attribute for an input, and `true` if the name determined it.
    pub fn of(name: &str, location: u32) -> Option<(Attribute, bool)> {
        let by_location = || Attribute::BY_LOCATION.get(location as usize).map(|a| (*a, false));
        Attribute::named(name).map(|a| (a, true)).or_else(by_location)
    }

    fn named(name: &str) -> Option<Attribute> {
        let plain: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        let plain = plain.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| plain.contains(part));
        let is = |words: &[&str]| words.contains(&&*plain);
        Some(match () {
            _ if has(&["bitangent", "binormal"]) => Attribute::Bitangent,
            _ if has(&["tangent"]) => Attribute::Tangent,
            _ if has(&["normal"]) || is(&["norm", "n", "an", "anorm", "innorm", "vn"]) => Attribute::Normal,
            _ if has(&["texcoord", "texturecoord", "uv"]) || is(&["tex", "st", "atex", "intex", "vt"]) => {
                Attribute::Uv
            }
            _ if has(&["color", "colour"]) || is(&["col", "acol", "incol", "rgb", "rgba"]) => {
                Attribute::Color
            }
            _ if has(&["pos"]) || is(&["vertex", "avertex", "invertex", "vert", "p", "ap", "v"]) => {
                Attribute::Position
            }
            _ => return None,
        })
    }

    /// Returns the values of all vertices and the number of values per vertex; `None` if the mesh neither has nor
    /// implies them.
    pub fn values(self, mesh: &Mesh) -> Option<(Vec<f32>, usize)> {
        let (values, n): (Vec<f32>, usize) = match self {
            Attribute::Position => (mesh.positions.as_flattened().to_vec(), 3),
            Attribute::Normal => (mesh.normals_or_made().into_flattened(), 3),
            Attribute::Uv => (mesh.uvs.as_flattened().to_vec(), 2),
            Attribute::Color => (mesh.colors.as_flattened().to_vec(), 4),
            Attribute::Tangent => (mesh.tangents_or_made().into_flattened(), 4),
            Attribute::Bitangent => {
                let pairs = mesh.tangents_or_made().into_iter().zip(mesh.normals_or_made());
                let one = |([x, y, z, w], n): ([f32; 4], [f32; 3])| super::cross(n, [x, y, z]).map(|c| c * w);
                (pairs.flat_map(one).collect(), 3)
            }
        };
        (!values.is_empty()).then_some((values, n))
    }

    /// Value for all vertices if the mesh lacks the attribute: white for colours, otherwise zeros with w = 1.
    pub fn default(self) -> [f32; 4] {
        if self == Attribute::Color { [1.0; 4] } else { [0.0, 0.0, 0.0, 1.0] }
    }

    /// Name of the attribute in messages.
    pub fn name(self) -> &'static str {
        match self {
            Attribute::Position => "positions",
            Attribute::Normal => "normals",
            Attribute::Uv => "texture coordinates",
            Attribute::Color => "colours",
            Attribute::Tangent => "tangents",
            Attribute::Bitangent => "bitangents",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_spellings() {
        let all = [
            (
                Attribute::Position,
                "position a_position inPosition vertexPosition aPos in_pos VertexPosition_modelspace aVertex",
            ),
            (Attribute::Normal, "normal a_normal inNormal vertexNormal_modelspace aNormal VERTEX_NORMAL"),
            (
                Attribute::Uv,
                "uv a_uv inUV vertexUV texcoord aTexCoords TexCoord0 in_texCoord textureCoordinates",
            ),
            (Attribute::Color, "color a_color inColor vertexColour aColor0"),
            (Attribute::Tangent, "tangent a_tangent inTangent aTangent"),
            (Attribute::Bitangent, "bitangent aBitangent inBinormal"),
        ];
        for (attribute, names) in all {
            for name in names.split(' ') {
                assert_eq!(Attribute::of(name, 9), Some((attribute, true)), "{name}");
            }
        }
        assert_eq!(Attribute::of("weight", 2), Some((Attribute::Uv, false)));
        assert_eq!(Attribute::of("", 0), Some((Attribute::Position, false)));
        assert_eq!(Attribute::of("weight", 5), None);
    }
}
