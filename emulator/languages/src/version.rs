//! The `#version` directive of GLSL, in a text without comments.

/// Byte range and contents of the `#version` line.
pub(super) struct Version {
    pub start: usize,
    pub end: usize,
    pub number: u32,
}

/// Contents of a `#version` directive.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    pub number: u32,
    /// True for OpenGL ES.
    pub es: bool,
}

/// Parses the `#version` of a text without comments.
pub(super) fn profile(blank: &str) -> Option<Profile> {
    version(blank).map(|v| Profile { number: v.number, es: blank[v.start..v.end].ends_with("es") })
}

/// Finds the `#version` of a text without comments.
pub(super) fn version(blank: &str) -> Option<Version> {
    let mut start = 0;
    for line in blank.split_inclusive('\n') {
        let text = line.trim();
        if let Some(rest) =
            text.strip_prefix('#').map(str::trim_start).and_then(|t| t.strip_prefix("version"))
        {
            let number = rest.split_whitespace().next()?.parse().ok()?;
            let end = start + line.trim_end().len();
            return Some(Version { start: start + (line.len() - line.trim_start().len()), end, number });
        }
        if !text.is_empty() {
            return None;
        }
        start += line.len();
    }
    None
}
