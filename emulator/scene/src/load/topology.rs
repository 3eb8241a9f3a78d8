//! Topologies: converts every topology of glTF to a list of points, lines or triangles.

use quadrille::{Error, Result};

use super::file::Budget;
use crate::model::Topology;

/// A list topology with the indices of its vertices.
pub struct List {
    pub topology: Topology,
    /// Indices in order; `None`: all vertices in order.
    pub indices: Option<Vec<u32>>,
    /// Number of leftover vertices.
    pub rest: usize,
}

/// Converts `count` vertices, or those that `indices` select, from a mode of glTF to a list.
pub fn list(mode: u32, indices: Option<Vec<u32>>, count: usize, budget: &Budget) -> Result<List> {
    let n = indices.as_ref().map_or(count, Vec::len);
    let vertex = |i: usize| indices.as_ref().map_or(i as u32, |list| list[i]);
    let (topology, each) = match mode {
        0 => (Topology::Points, 1),
        1..=3 => (Topology::Lines, 2),
        4..=6 => (Topology::Triangles, 3),
        _ => return Err(Error::invalid(format!("the mode {mode} does not exist"))),
    };
    if matches!(mode, 0 | 1 | 4) {
        let rest = n % each;
        let indices = match indices {
            Some(mut list) => {
                list.truncate(n - rest);
                Some(list)
            }
            None if rest == 0 => None,
            None => {
                let mut list = budget.room(n - rest)?;
                list.extend(0..(n - rest) as u32);
                Some(list)
            }
        };
        return Ok(List { topology, indices, rest });
    }
    // Strips, loops and fans.
    let shapes = match mode {
        2 if n >= 2 => n,
        _ => n.saturating_sub(each - 1),
    };
    let mut list = budget.room(shapes * each)?;
    for i in 0..shapes {
        match mode {
            2 | 3 => list.extend([vertex(i), vertex((i + 1) % n)]),
            5 => list.extend([vertex(i), vertex(i + 1 + i % 2), vertex(i + 2 - i % 2)]),
            _ => list.extend([vertex(i + 1), vertex(i + 2), vertex(0)]),
        }
    }
    let rest = if shapes == 0 { n } else { 0 };
    Ok(List { topology, indices: Some(list), rest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Limits;

    /// Spec: glTF 2.0, 3.7.2.1, the equations of each topology.
    #[test]
    fn every_mode_becomes_a_list() {
        use Topology::{Lines, Points, Triangles};
        let rows: [(u32, Topology, &[u32]); 7] = [
            (0, Points, &[5, 6, 7, 8, 9]),
            (1, Lines, &[5, 6, 7, 8]),
            (2, Lines, &[5, 6, 6, 7, 7, 8, 8, 9, 9, 5]),
            (3, Lines, &[5, 6, 6, 7, 7, 8, 8, 9]),
            (4, Triangles, &[5, 6, 7]),
            (5, Triangles, &[5, 6, 7, 6, 8, 7, 7, 8, 9]),
            (6, Triangles, &[6, 7, 5, 7, 8, 5, 8, 9, 5]),
        ];
        let budget = Budget::new(&Limits::default());
        for (mode, topology, expected) in rows {
            let got = list(mode, Some(vec![5, 6, 7, 8, 9]), 100, &budget).unwrap();
            assert_eq!((got.topology, got.indices.unwrap()), (topology, expected.to_vec()), "{mode}");
            // Without indices, the vertices are in order.
            let got = list(mode, None, 5, &budget).unwrap();
            let got = got.indices.unwrap_or((0..5).collect());
            assert_eq!(got, expected.iter().map(|i| i - 5).collect::<Vec<_>>(), "{mode}");
            // Too few vertices for a primitive.
            for n in 0..3 {
                let got = list(mode, None, n, &budget).unwrap();
                let least = [1, 2, 2, 2, 3, 3, 3][mode as usize];
                let made = got.indices.map_or(n, |l| l.len());
                assert_eq!(made == 0, n < least, "{mode} {n}");
                assert_eq!(
                    got.rest,
                    if n < least { n } else { n % [1, 2, n, n, 3, n, n][mode as usize] },
                    "{mode} {n}"
                );
            }
        }
        assert!(list(7, None, 3, &budget).is_err());
    }
}
