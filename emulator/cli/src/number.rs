//! Numbers in options.

/// Parses a number that is finite, also as `f32`.
pub fn parse_finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|n| (*n as f32).is_finite());
    number.ok_or_else(|| "give a finite number".into())
}
