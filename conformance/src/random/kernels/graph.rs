//! Reducible graphs of blocks. Leaves the instructions at the ends of blocks to the caller.

use super::super::Random;

/// For each block, the blocks to which its end leads. The last block is the end of the kernel.
pub fn random(r: &mut Random) -> Vec<Vec<usize>> {
    let n = r.below(9) + 2;
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); n];
    // Every block is reached.
    for block in 1..n {
        let from = (0..block).rev().find(|&b| edges[b].len() < 2 && (b + 1 == block || r.one_in(2)));
        edges[from.unwrap_or(block - 1)].push(block);
    }
    for (block, list) in edges.iter_mut().enumerate().take(n - 1) {
        while list.is_empty() || (list.len() < 3 && r.one_in(2)) {
            let to = block + 1 + r.below(n - 1 - block);
            if list.contains(&to) {
                break;
            }
            list.push(to);
        }
    }
    let dominators = dominators(&edges);
    for (block, list) in edges.iter_mut().enumerate().take(n - 1).skip(1) {
        if r.one_in(2) {
            let to: Vec<usize> = dominators[block].iter().copied().filter(|&to| to > 0).collect();
            if !to.is_empty() {
                list.push(*r.pick(&to));
            }
        }
    }
    edges
}

/// The blocks that dominate each block, ascending, with itself. Edges lead forwards.
fn dominators(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![0]];
    for block in 1..edges.len() {
        let mut own: Option<Vec<usize>> = None;
        for from in (0..block).filter(|&from| edges[from].contains(&block)) {
            own = Some(match own {
                None => all[from].clone(),
                Some(list) => list.into_iter().filter(|b| all[from].contains(b)).collect(),
            });
        }
        let mut own = own.unwrap_or_default();
        own.push(block);
        all.push(own);
    }
    all
}
