//! Selection of tests: by filters, and then every Nth of those.

use crate::find::Test;

/// One of N parts of a suite, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

impl Shard {
    /// Parses `K/N`.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if number >= 1 && number <= of => Ok(Shard { number, of }),
            _ => Err("give K/N with K from 1 to N, as in 2/4".into()),
        }
    }
}

/// The tests whose names contain one of `filters` (all if there are none), limited to those of a shard. Each test is in
/// exactly one shard, on every machine.
pub fn select(tests: Vec<Test>, filters: &[String], shard: Option<Shard>) -> Vec<Test> {
    let named = |t: &Test| filters.is_empty() || filters.iter().any(|f| t.name.contains(f.as_str()));
    let mine = |i: usize| shard.is_none_or(|s| i % s.of == s.number - 1);
    let all = tests.into_iter().filter(named).enumerate();
    all.filter(|(i, _)| mine(*i)).map(|(_, test)| test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::Body;

    #[test]
    fn shards_part_the_suite() {
        let tests: Vec<Test> =
            (0..10).map(|i| Test { name: format!("t{i}"), file: "".into(), body: Body::Script }).collect();
        let names = |filters: &[&str], shard| {
            let filters: Vec<String> = filters.iter().map(|f| (*f).to_owned()).collect();
            select(tests.clone(), &filters, shard).into_iter().map(|t| t.name).collect::<Vec<_>>()
        };
        let mut all: Vec<String> =
            (1..=3).flat_map(|number| names(&[], Some(Shard { number, of: 3 }))).collect();
        assert_eq!(names(&[], Some(Shard { number: 3, of: 3 })), ["t2", "t5", "t8"]);
        all.sort();
        assert_eq!(all, names(&[], None));
        assert_eq!(names(&["t1", "t7"], None), ["t1", "t7"]);
        assert_eq!(Shard::parse("2/4"), Ok(Shard { number: 2, of: 4 }));
        for bad in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(Shard::parse(bad).is_err(), "{bad}");
        }
    }
}
