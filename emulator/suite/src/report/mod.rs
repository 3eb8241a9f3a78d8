//! Reports for people, for programs, and for build servers.
//!
//! ```text
//!   text     a line for each test, and a summary
//!   json     a line for each test as JSON, and one with the counts
//!   github   GitHub Actions annotations
//!   junit    JUnit XML
//!   html     pages with differing pictures, side by side and with a slider
//! ```

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod text;
