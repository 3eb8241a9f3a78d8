//! A few hundred objects of each kind, some pipelines, devices and frames. For many there is
//! `quadrille-conformance endurance`, where memory must not grow, either.

use quadrille_conformance::endurance::client::Host;
use quadrille_conformance::endurance::{devices, frames, kinds, objects, pipelines};

/// Memory of so small runs says nothing.
const ANY: i64 = i64::MAX;

/// One after the other: what is in use of the heap is told for the whole process.
#[test]
fn all_are_made_used_and_destroyed() {
    let host = Host::new(vk_quadrille::entry()).unwrap();
    for kind in &kinds::KINDS {
        println!("{}", objects::check(&host, kind, 300, ANY).unwrap());
    }
    println!("{}", pipelines::check(&host, 20, ANY).unwrap());
    println!("{}", devices::one_by_one(&host, 20, ANY).unwrap());
    println!("{}", devices::together(&host, 1, ANY).unwrap());
    println!("{}", frames::check(&host, 1000, ANY).unwrap());
}
