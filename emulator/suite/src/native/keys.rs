//! Keys that only some kinds of tests have: in a test of another kind they would have no effect, without a word.

use super::form::Test;
use super::job::Job;
use crate::outcome::Failure;

/// The name of a key, and whether the test has it.
type Key = (&'static str, bool);

/// Keys of tests with `draw`.
fn of_draw(test: &Test) -> [Key; 23] {
    [
        ("vertex", test.vertex.is_some()),
        ("tessellation-control", test.tessellation_control.is_some()),
        ("tessellation-evaluation", test.tessellation_evaluation.is_some()),
        ("geometry", test.geometry.is_some()),
        ("task", test.task.is_some()),
        ("mesh", test.mesh.is_some()),
        ("workgroups", test.workgroups.is_some()),
        ("patch", test.patch.is_some()),
        ("vertices", test.vertices.is_some()),
        ("instances", test.instances.is_some()),
        ("attribute", !test.attribute.is_empty()),
        ("indices", test.indices.is_some()),
        ("topology", test.topology.is_some()),
        ("restart", test.restart.is_some()),
        ("cull", test.cull.is_some()),
        ("front-face", test.front_face.is_some()),
        ("polygon", test.polygon.is_some()),
        ("depth", test.depth.is_some()),
        ("stencil", test.stencil.is_some()),
        ("target", test.target.is_some()),
        ("clear", test.clear.is_some()),
        ("blend", test.blend.is_some()),
        ("attachment", !test.attachment.is_empty()),
    ]
}

/// Keys of tests with `render`.
fn of_render(test: &Test) -> [Key; 5] {
    [
        ("time", test.time.is_some()),
        ("frame", test.frame.is_some()),
        ("mouse", test.mouse.is_some()),
        ("uniform", !test.uniform.is_empty()),
        ("texture", !test.texture.is_empty()),
    ]
}

/// Keys of tests without `render`.
fn of_resources(test: &Test) -> [Key; 4] {
    [
        ("bind", !test.bind.is_empty()),
        ("sampler", !test.sampler.is_empty()),
        ("push", !test.push.is_empty()),
        ("lanes", test.lanes.is_some()),
    ]
}

/// Keys of results, of which a test that expects an error has none.
fn of_results(test: &Test) -> [Key; 3] {
    [
        ("expect", !test.expect.is_empty()),
        ("golden", test.golden.is_some()),
        ("printed", test.printed.is_some()),
    ]
}

impl Job<'_> {
    /// Refuses keys that have no effect in this kind of test.
    pub(super) fn check_keys(&self) -> Result<(), Failure> {
        let test = self.test;
        let refuse = |keys: &[Key], why: &str| match keys.iter().find(|(_, given)| *given) {
            Some((key, _)) => Err(self.wrong(format!("`{key}` {why}"))),
            None => Ok(()),
        };
        if test.draw.is_none() {
            refuse(&of_draw(test), "is only for tests with `draw`")?;
        }
        match &test.render {
            Some(_) => refuse(&of_resources(test), "is not for tests with `render`")?,
            None => refuse(&of_render(test), "is only for tests with `render`")?,
        }
        if test.draw.is_none() && test.render.is_none() {
            refuse(&[("samples", test.samples.is_some())], "is only for tests with `draw` or `render`")?;
        }
        match &test.error {
            Some(_) => refuse(&of_results(test), "is not compared in a test with `error`"),
            None => Ok(()),
        }
    }
}
