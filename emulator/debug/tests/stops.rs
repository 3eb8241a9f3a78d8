//! Steps that breakpoints and watchpoints stop.
#![cfg(feature = "glsl")]

mod common;

use std::sync::Arc;

use common::{GLSL, five};
use quadrille::frontend::Language;
use quadrille_debug::{Session, Stop, Stride, Way};

fn line(session: &Session) -> u32 {
    session.stack()[0].line
}

/// A step over a call, out of it or to the next line stops at what stops in between.
#[test]
fn breakpoints_stop_steps() {
    let mut s = Session::new(Arc::new(five(GLSL, Language::Glsl)), Language::Glsl);
    let file = s.file(None).unwrap();
    let to = |s: &mut Session, at: u32| {
        s.start();
        while line(s) != at {
            s.step(Stride::Over, Way::Forward);
        }
    };
    to(&mut s, 15);
    let inside = s.add_breakpoint(file, 7).unwrap().id;
    assert_eq!((s.step(Stride::Over, Way::Forward), line(&s)), (Stop::Breakpoint(inside), 7));
    assert_eq!((s.step(Stride::Out, Way::Forward), line(&s)), (Stop::Step, 15));
    assert_eq!((s.step(Stride::Over, Way::Forward), line(&s)), (Stop::Step, 14));
    assert_eq!((s.step(Stride::Over, Way::Backward), line(&s)), (Stop::Breakpoint(inside), 7));
    // Out of the call: line 8 is on the way.
    let later = s.add_breakpoint(file, 8).unwrap().id;
    assert_eq!((s.step(Stride::Out, Way::Forward), line(&s)), (Stop::Breakpoint(later), 8));
    // A message is said, and the step goes on.
    s.breakpoints.clear();
    s.add_breakpoint(file, 7).unwrap().message = Some("doubles {x}".into());
    to(&mut s, 15);
    assert_eq!((s.step(Stride::Over, Way::Forward), line(&s)), (Stop::Step, 14));
    assert_eq!(s.said, ["doubles 5.0"]);
    // A change stops as well.
    s.breakpoints.clear();
    to(&mut s, 15);
    let id = s.add_watchpoint("sum").unwrap().id;
    let stop = s.step(Stride::Over, Way::Backward);
    assert_eq!((stop, line(&s)), (Stop::Step, 14));
    let changed = Stop::Changed(id, "sum".into(), "0.0".into(), "10.0".into());
    // Out of `main`, to the end.
    assert_eq!((s.step(Stride::Out, Way::Forward), line(&s)), (changed, 14));
    assert_eq!((s.step(Stride::Over, Way::Forward), line(&s)), (Stop::Step, 15));
}
