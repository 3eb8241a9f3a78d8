//! Interpolation of a channel between its keys.
//!
//! Spec: glTF 2.0, appendix C.

use std::ops::{Add, Mul};

use glam::{Quat, Vec3, Vec4};

use crate::model::{Channel, Interpolation, Values};

/// An interpolated value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Translation(Vec3),
    Rotation(Quat),
    Scale(Vec3),
    Weights(Vec<f32>),
}

/// Value at a time; before the first and after the last key, the value of that key.
pub fn at(channel: &Channel, time: f32) -> Value {
    let at = Place::of(&channel.times, time);
    let how = channel.interpolation;
    match &channel.values {
        Values::Translation(list) => Value::Translation(at.vector(list, how)),
        Values::Scale(list) => Value::Scale(at.vector(list, how)),
        Values::Rotation(list) => Value::Rotation(at.rotation(list, how)),
        Values::Weights(list) => Value::Weights(at.weights(list, how, channel.times.len())),
    }
}

/// Place of a time among the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// At a key.
    Key(usize),
    /// After key `key`, by `part` of the `span` in seconds to the next key.
    Behind { key: usize, part: f32, span: f32 },
}

impl Place {
    fn of(times: &[f32], time: f32) -> Place {
        let next = times.partition_point(|t| *t <= time);
        if next == 0 {
            return Place::Key(0);
        }
        if next == times.len() || times[next - 1] == time {
            return Place::Key(next - 1);
        }
        let (before, span) = (times[next - 1], times[next] - times[next - 1]);
        Place::Behind { key: next - 1, part: ((time - before) / span).clamp(0.0, 1.0), span }
    }

    /// Last key at or before the time.
    fn key(self) -> usize {
        match self {
            Place::Key(key) | Place::Behind { key, .. } => key,
        }
    }

    fn vector(self, list: &[Vec3], how: Interpolation) -> Vec3 {
        match (how, self) {
            (Interpolation::CubicSpline, at) => at.spline(list, 1, 0),
            (Interpolation::Linear, Place::Behind { key, part, .. }) => {
                list[key] * (1.0 - part) + list[key + 1] * part
            }
            (_, at) => list[at.key()],
        }
    }

    fn rotation(self, list: &[Quat], how: Interpolation) -> Quat {
        match (how, self) {
            (Interpolation::CubicSpline, Place::Key(key)) => list[3 * key + 1],
            (Interpolation::CubicSpline, at) => {
                let value = at.spline_by(|i| Vec4::from(list[i]), 1, 0);
                value.try_normalize().map_or(list[3 * at.key() + 1], Quat::from_vec4)
            }
            (Interpolation::Linear, Place::Behind { key, part, .. }) => slerp(list[key], list[key + 1], part),
            (_, at) => list[at.key()],
        }
    }

    fn weights(self, list: &[f32], how: Interpolation, keys: usize) -> Vec<f32> {
        let each = if how == Interpolation::CubicSpline { 3 } else { 1 };
        let count = list.len() / (keys * each);
        let one = |w: usize| match (how, self) {
            (Interpolation::CubicSpline, at) => at.spline(list, count, w),
            (Interpolation::Linear, Place::Behind { key, part, .. }) => {
                list[key * count + w] * (1.0 - part) + list[(key + 1) * count + w] * part
            }
            (_, at) => list[at.key() * count + w],
        };
        (0..count).map(one).collect()
    }

    fn spline<T: Copy + Add<Output = T> + Mul<f32, Output = T>>(
        self,
        list: &[T],
        count: usize,
        of: usize,
    ) -> T {
        self.spline_by(|i| list[i], count, of)
    }

    /// Evaluates element `of` of `count` of a spline's value. The list has, for each key, `count` incoming tangents,
    /// `count` values and `count` outgoing tangents.
    fn spline_by<T: Add<Output = T> + Mul<f32, Output = T>>(
        self,
        list: impl Fn(usize) -> T,
        count: usize,
        of: usize,
    ) -> T {
        let get = |key: usize, part: usize| list((3 * key + part) * count + of);
        let (key, t, span) = match self {
            Place::Key(key) => return get(key, 1),
            Place::Behind { key, part, span } => (key, part, span),
        };
        let (t2, t3) = (t * t, t * t * t);
        get(key, 1) * (2.0 * t3 - 3.0 * t2 + 1.0)
            + get(key, 2) * (span * (t3 - 2.0 * t2 + t))
            + get(key + 1, 1) * (-2.0 * t3 + 3.0 * t2)
            + get(key + 1, 0) * (span * (t3 - t2))
    }
}

/// Interpolates two rotations on the shorter arc.
fn slerp(from: Quat, to: Quat, part: f32) -> Quat {
    let dot = from.dot(to);
    let to = if dot < 0.0 { -to } else { to };
    let angle = libm::acosf(dot.abs().min(1.0));
    // The arc between such close rotations is nearly a line.
    if angle < 1e-3 {
        return (from * (1.0 - part) + to * part).normalize();
    }
    let whole = libm::sinf(angle);
    let (a, b) = (libm::sinf(angle * (1.0 - part)) / whole, libm::sinf(angle * part) / whole);
    (from * a + to * b).normalize()
}
