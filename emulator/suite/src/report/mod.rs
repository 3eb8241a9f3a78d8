//! Reports for people, for programs, and for build servers.
//!
//! ```text
//!   text     a line for each test, and a summary
//!   json     a line for each test as JSON, and one with the counts
//!   github   annotations of GitHub Actions
//!   junit    JUnit's XML
//!   html     pictures that differ, beside each other and under a slider
//! ```

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod text;
