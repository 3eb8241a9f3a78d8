//! Objects: the maximum number of a kind, alive at once and destroyed in several orders, round after round.

use std::time::{Duration, Instant};

use super::client::{Host, Stock};
use super::kinds::{Kind, Made};
use super::points::{POINTS, Points};
use crate::calls::resident;

/// Order in which a round destroys its objects.
fn order(round: u64, made: Vec<Made>) -> Vec<Made> {
    match round % 3 {
        0 => made,
        1 => made.into_iter().rev().collect(),
        _ => {
            let (even, odd): (Vec<_>, Vec<_>) = made.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
            odd.into_iter().chain(even).map(|(_, made)| made).collect()
        }
    }
}

/// Makes and destroys objects of a kind, `count` at once.
///
/// # Errors
/// An error of the driver, device memory that is not freed, or host memory that grows.
pub fn check(host: &Host, kind: &Kind, count: u32, margin: i64) -> Result<String, String> {
    let count = kind.most.map_or(count, |most| most.min(count));
    let stock = Stock::new(host, count).map_err(|e| format!("a device: {e}"))?;
    let before = host.heap_used();
    let mut points = Points::new(kind.name);
    let (mut making, mut destroying, mut most) = (Duration::ZERO, Duration::ZERO, 0);
    for round in 0..POINTS {
        let (start, resident) = (Instant::now(), resident::bytes());
        let mut all = Vec::with_capacity(count as usize);
        for i in 0..count {
            all.push((kind.make)(&stock, i).map_err(|e| format!("{}, number {i}: {e}", kind.name))?);
        }
        making += start.elapsed();
        most = most.max(resident::bytes().saturating_sub(resident));
        distinct(kind.name, &all)?;
        let all = order(round, all);
        let start = Instant::now();
        all.into_iter().for_each(|made| (kind.destroy)(&stock, made));
        destroying += start.elapsed();
        points.mark();
        let after = host.heap_used();
        if after != before {
            return Err(format!("{}: {after} bytes of the heap in use, {before} before", kind.name));
        }
    }
    let each = |time: Duration| time.as_nanos() as u64 / u64::from(count) / POINTS;
    let (making, destroying, most) = (each(making), each(destroying), most / u64::from(count));
    let line = points.check(margin)?;
    Ok(format!("{count} {line}; {making} ns made, {destroying} ns destroyed, {most} bytes each"))
}

/// Checks that live objects have distinct handles.
fn distinct(name: &str, all: &[Made]) -> Result<(), String> {
    let mut handles: Vec<u64> = all.iter().map(|made| made[0]).collect();
    handles.sort_unstable();
    match handles.windows(2).any(|two| two[0] == two[1]) || handles.first() == Some(&0) {
        true => Err(format!("{name}: handles are null or not distinct")),
        false => Ok(()),
    }
}
