//! Every scene equals its golden, byte for byte.
//!
//! `quadrille-conformance scenes --bless` writes the goldens; `SCENES.md` lists the differences of other drivers.

use quadrille_conformance::scenes::{self, client::Client};
use quadrille_jit::guarded;

#[test]
fn scenes_are_the_golden_pictures() {
    guarded::enable(guarded::Mode::End);
    let client = Client::new(vk_quadrille::entry()).unwrap();
    let mut wrong = Vec::new();
    let mut names = std::collections::HashSet::new();
    for scene in scenes::all() {
        assert!(names.insert(scene.name), "two scenes `{}`", scene.name);
        let pixels = scene.make(&client).unwrap().unwrap_or_else(|lacks| panic!("{}: {lacks}", scene.name));
        let golden = scenes::golden(scene.name).unwrap();
        if pixels != golden {
            wrong.push(format!("{}: {:?}", scene.name, scenes::compare(&pixels, &golden)));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
