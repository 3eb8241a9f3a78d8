//! A few hundred objects of each kind, some pipelines, devices and frames. `quadrille-conformance endurance` makes many
//! more, and also checks that memory does not grow.

use quadrille_conformance::endurance::client::Host;
use quadrille_conformance::endurance::{devices, frames, kinds, objects, pipelines};

/// Memory of such small runs is not conclusive, so any growth is allowed.
const ANY: i64 = i64::MAX;

/// Runs all parts one after the other, because the driver reports heap usage for the whole process.
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
