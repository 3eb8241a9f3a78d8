//! Nested scopes that map names to their meanings.

use rustc_hash::FxHashMap;

use super::source::Span;

/// Scopes, innermost last. The outermost always exists.
pub(crate) struct Scopes<T> {
    scopes: Vec<FxHashMap<String, (T, Span)>>,
}

impl<T> Default for Scopes<T> {
    fn default() -> Self {
        Scopes { scopes: vec![FxHashMap::default()] }
    }
}

impl<T> Scopes<T> {
    pub fn push(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    /// Ends the innermost scope; the outermost stays.
    pub fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Hides all scopes but the outermost while another function body is processed. [`Scopes::restore`] undoes this.
    pub fn set_aside(&mut self) -> Vec<FxHashMap<String, (T, Span)>> {
        self.scopes.split_off(1)
    }

    /// Ends all scopes but the outermost and restores those that [`Scopes::set_aside`] hid.
    pub fn restore(&mut self, hidden: Vec<FxHashMap<String, (T, Span)>>) {
        self.scopes.truncate(1);
        self.scopes.extend(hidden);
    }

    /// Declares `name` in the innermost scope. If the scope already has the name, returns the earlier place as `Err`.
    pub fn declare(&mut self, name: &str, value: T, span: Span) -> Result<(), Span> {
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        if let Some((_, earlier)) = scope.get(name) {
            return Err(*earlier);
        }
        scope.insert(name.to_owned(), (value, span));
        Ok(())
    }

    /// Changes the meaning of `name` in the innermost scope.
    pub fn replace(&mut self, name: &str, value: T, span: Span) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), (value, span));
        }
    }

    /// Returns the meaning of `name`, searching the innermost scope first.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).map(|(value, _)| value)
    }

    /// Returns the place where `name` was declared.
    pub fn place(&self, name: &str) -> Option<Span> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).map(|(_, span)| *span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_outer_ones() {
        let mut scopes = Scopes::default();
        let (first, second) = (Span::new(0, 1), Span::new(5, 6));
        scopes.declare("a", 1, first).unwrap();
        assert_eq!(scopes.declare("a", 2, second), Err(first));
        scopes.push();
        scopes.declare("a", 3, second).unwrap();
        assert_eq!((scopes.get("a"), scopes.place("a")), (Some(&3), Some(second)));
        let hidden = scopes.set_aside();
        assert_eq!(scopes.get("a"), Some(&1));
        scopes.restore(hidden);
        assert_eq!(scopes.get("a"), Some(&3));
        scopes.replace("a", 4, first);
        assert_eq!(scopes.get("a"), Some(&4));
        scopes.pop();
        scopes.pop();
        assert_eq!((scopes.get("a"), scopes.get("b")), (Some(&1), None));
    }
}
