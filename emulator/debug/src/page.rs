//! The page: a debugger in a browser, served on the loopback interface.
//!
//! It first shows the picture. A click on a pixel shows its invocation: the source with the current line, variables,
//! other lanes, and changes of a variable. Every request contains a token that only the printed address has, so that no
//! other page in the browser can make requests. The page is one HTML file with one script, both contained in this
//! program.

mod http;
mod state;

use std::io;

use quadrille::frontend::Language;

use crate::dap::Launched;
use crate::session::Session;
use crate::source::Sources;
use crate::target::Target;
use http::{Listener, Request};
use state::State;

const HTML: &str = include_str!("page/page.html");
const SCRIPT: &str = include_str!("page/page.js");

/// Maximum length of a request's address in bytes.
const MAX_URL: usize = 8192;

/// A remark about a line, from a check.
#[derive(Clone, Debug, Default)]
pub struct Remark {
    /// Name of the file in the debug information; empty: any file.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Severity: `error`, `warning`, `note`.
    pub level: String,
    /// Text of the remark.
    pub text: String,
}

/// Contents of the page besides the invocation.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Title: the name of the file.
    pub title: String,
    /// The picture as PNG; empty if there is none.
    pub picture: Vec<u8>,
    /// The picture's size.
    pub size: (u32, u32),
    /// True if the picture's rows are in the opposite order of the framebuffer's.
    pub flipped: bool,
    /// Cost of each pixel, as a PNG of the same size; empty if unknown.
    pub heat: Vec<u8>,
    /// Remarks about the source.
    pub remarks: Vec<Remark>,
}

/// Records another invocation.
pub type Record<'a> = &'a mut dyn FnMut(Target) -> Result<Launched, String>;

/// A page that waits for its browser.
pub struct Page {
    listener: Listener,
    token: String,
}

impl Page {
    /// Listens on a port of the loopback interface (0: any port).
    ///
    /// # Errors
    /// Errors of the socket.
    pub fn listen(port: u16) -> io::Result<Page> {
        Ok(Page { listener: Listener::new(port)?, token: token()? })
    }

    /// Address to open.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.listener.address(), self.token)
    }

    /// Answers the browser until a request for `/quit`.
    ///
    /// # Errors
    /// Errors of the socket.
    pub fn serve(&self, shown: &Shown, first: Option<Launched>, record: Record<'_>) -> io::Result<()> {
        let mut state = State::new(shown.clone());
        if let Some(launched) = first {
            state.open(launched);
        }
        loop {
            let request = self.listener.next()?;
            let url = request.target.clone();
            let (path, query) = url.split_once('?').unwrap_or((&url, ""));
            let query = parse(query);
            let given = query.iter().find(|(name, _)| name == "token").map_or("", |(_, v)| v);
            // The script needs no token, because it contains no secrets.
            let allowed = path == "/page.js" || same(given, &self.token);
            if url.len() > MAX_URL || !request.is_local() || !allowed || request.method != "GET" {
                answer(request, 403, "text/plain", b"not the address that was printed");
                continue;
            }
            if path == "/quit" {
                answer(request, 200, "text/plain", b"bye");
                return Ok(());
            }
            let (code, kind, body) = respond(&mut state, shown, path, &query, record);
            answer(request, code, kind, &body);
        }
    }
}

/// Returns status, content type and body of an answer.
fn respond(
    state: &mut State,
    shown: &Shown,
    path: &str,
    query: &[(String, String)],
    record: Record<'_>,
) -> (u16, &'static str, Vec<u8>) {
    let png = |bytes: &[u8]| match bytes.is_empty() {
        true => (404, "text/plain", Vec::new()),
        false => (200, "image/png", bytes.to_vec()),
    };
    match path {
        "/" => (200, "text/html; charset=utf-8", HTML.as_bytes().to_vec()),
        "/page.js" => (200, "text/javascript; charset=utf-8", SCRIPT.as_bytes().to_vec()),
        "/picture.png" => png(&shown.picture),
        "/heat.png" => png(&shown.heat),
        "/do" => {
            let problem = query.iter().find_map(|(name, value)| state.act(name, value, record).err());
            let mut json = state.json();
            if let Some(problem) = problem {
                json["problem"] = problem.into();
            }
            (200, "application/json", json.to_string().into_bytes())
        }
        _ => (404, "text/plain", b"there is no such page".to_vec()),
    }
}

fn answer(request: Request, code: u16, kind: &str, body: &[u8]) {
    let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", policy),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
    ];
    request.answer(code, &headers, body);
}

/// Returns 128 random bits in hexadecimal digits.
fn token() -> io::Result<String> {
    use std::io::Read as _;
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// Compares two texts in a time that does not depend on the place of a difference.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Splits a query into names and values.
fn parse(query: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decode(name), decode(value))
    };
    query.split('&').filter(|p| !p.is_empty()).map(pair).collect()
}

/// Decodes `%20` and `+`.
fn decode(text: &str) -> String {
    let (bytes, mut out, mut i) = (text.as_bytes(), Vec::new(), 0);
    while i < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|&b| (b as char).to_digit(16));
        match (bytes[i], hex(i + 1), hex(i + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                i += 2;
            }
            (b'+', ..) => out.push(b' '),
            (b, ..) => out.push(b),
        }
        i += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Makes the sessions of a launch.
fn sessions(launched: Launched) -> (Vec<Session>, Sources, Language) {
    let language = launched.language;
    let sources = launched.sources.clone();
    let make = |r| {
        let mut session = Session::new(std::sync::Arc::new(r), language);
        session.give(sources.clone());
        session
    };
    (launched.recordings.into_iter().map(make).collect(), launched.sources, language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries() {
        let got = parse("token=a&eval=a%2Bb+c&x");
        let expected = [("token", "a"), ("eval", "a+b c"), ("x", "")];
        assert_eq!(got, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(decode("%zz%4"), "%zz%4");
        assert!(same("ab", "ab") && !same("ab", "ac") && !same("ab", "abc"));
        assert_eq!(token().unwrap().len(), 32);
    }
}
