//! HTTP requests of a browser on the loopback interface: heads of HTTP/1.1, limited in time and size, one per
//! connection.
//!
//! Any local program can connect without knowing the token. Heads therefore have a maximum length and a deadline, and
//! the number of connections is limited. A separate thread reads each connection, because browsers open some that they
//! do not use. The meaning of a request is left to the page.
//!
//! Spec: RFC 9112. Only method and target of a head are used; every answer closes its connection.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_jit::reserve;

/// Maximum size of a head in bytes.
const MAX_HEAD: usize = 16 << 10;
/// Maximum number of connections, including those that wait for an answer.
const MAX_CONNECTIONS: usize = 64;
/// Time limit for a head, and for the browser to accept a part of an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Limits of time and bytes for data after a refused head. If they stay unread, the system may discard the answer.
const REST: (Duration, usize) = (Duration::from_millis(200), 1 << 20);

/// A socket that waits for requests.
pub struct Listener {
    address: SocketAddr,
    requests: Receiver<Request>,
    closed: Arc<AtomicBool>,
}

/// A request with the stream for its answer.
pub struct Request {
    /// Method, such as `GET`.
    pub method: String,
    /// Target: path and query.
    pub target: String,
    stream: TcpStream,
    _one: Arc<()>,
}

impl Listener {
    /// Listens on a port of the loopback interface (0: any port).
    ///
    /// # Errors
    /// Errors of the socket.
    pub fn new(port: u16) -> io::Result<Listener> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let (sender, requests) = sync_channel(MAX_CONNECTIONS);
        let closed = Arc::new(AtomicBool::new(false));
        let seen = closed.clone();
        let accept = move || accept(&listener, &sender, &seen);
        reserve::thread("page", reserve::STACK_BYTES, accept).map_err(|e| io::Error::other(e.to_string()))?;
        Ok(Listener { address, requests, closed })
    }

    /// Address of the socket.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for the next request.
    ///
    /// # Errors
    /// The socket is closed.
    pub fn next(&self) -> io::Result<Request> {
        self.requests.recv().map_err(|_| io::Error::other("the socket is closed"))
    }
}

impl Drop for Listener {
    /// Wakes the accepting thread with a connection, so that it ends.
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
    }
}

/// Accepts connections until the listener is dropped.
fn accept(listener: &TcpListener, sender: &SyncSender<Request>, closed: &AtomicBool) {
    let open = Arc::new(());
    for stream in listener.incoming() {
        if closed.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Perhaps out of file descriptors; other connections may close theirs.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        if Arc::strong_count(&open) > MAX_CONNECTIONS {
            continue;
        }
        let (sender, one) = (sender.clone(), open.clone());
        let read = move || {
            if let Some(request) = receive(stream, one) {
                let _ = sender.send(request);
            }
        };
        // Without a thread there is no answer; the browser retries.
        let _ = reserve::thread("page-connection", reserve::STACK_BYTES, read);
    }
}

/// Reads a request; answers invalid requests itself.
fn receive(mut stream: TcpStream, one: Arc<()>) -> Option<Request> {
    let head = match read_head(&mut stream) {
        Ok(Some(head)) => head,
        Ok(None) => {
            let _ = write_answer(&mut stream, 431, &[], b"the head of the request is too long");
            let _ = stream.shutdown(Shutdown::Write);
            discard(&mut stream);
            return None;
        }
        // The client is gone, or was too slow.
        Err(_) => return None,
    };
    let line = head.split("\r\n").next().unwrap_or_default();
    let mut words = line.split(' ');
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        let _ = write_answer(&mut stream, 400, &[], b"this is not a request");
        return None;
    };
    if !version.starts_with("HTTP/1.") || words.next().is_some() {
        let _ = write_answer(&mut stream, 400, &[], b"this is not an HTTP/1.1 request");
        return None;
    }
    let (method, target) = (method.to_owned(), target.to_owned());
    Some(Request { method, target, stream, _one: one })
}

/// Reads up to the first empty line; `None` if it is not within [`MAX_HEAD`].
fn read_head(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let deadline = Instant::now() + PATIENCE;
    let mut head = Vec::new();
    let mut part = [0; 2048];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let n = stream.read(&mut part)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let seen = head.len().saturating_sub(3);
        head.extend_from_slice(&part[..n]);
        if let Some(end) = head[seen..].windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            head.truncate(seen + end);
            return Ok(Some(String::from_utf8_lossy(&head).into_owned()));
        }
        if head.len() > MAX_HEAD {
            return Ok(None);
        }
    }
}

/// Reads and discards remaining data for a limited time.
fn discard(stream: &mut TcpStream) {
    let deadline = Instant::now() + REST.0;
    let (mut part, mut taken) = ([0; 4096], 0);
    while taken < REST.1 {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut part) {
            Ok(n) if n > 0 => taken += n,
            _ => return,
        }
    }
}

fn write_answer(stream: &mut TcpStream, code: u16, headers: &[(&str, &str)], body: &[u8]) -> io::Result<()> {
    let reason = match code {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        431 => "Request Header Fields Too Large",
        _ => "Answer",
    };
    let mut head =
        format!("HTTP/1.1 {code} {reason}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

impl Request {
    /// True if the connection comes from this machine.
    pub fn is_local(&self) -> bool {
        self.stream.peer_addr().is_ok_and(|peer| peer.ip().is_loopback())
    }

    /// Answers the request. Errors are ignored, because the browser may be gone.
    pub fn answer(mut self, code: u16, headers: &[(&str, &str)], body: &[u8]) {
        let _ = write_answer(&mut self.stream, code, headers, body);
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends bytes in parts and returns the answer.
    fn ask(address: SocketAddr, parts: impl IntoIterator<Item = Vec<u8>>) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        for part in parts {
            // The server may close the connection before all parts are sent.
            if stream.write_all(&part).is_err() {
                break;
            }
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn requests_come_with_method_and_target() {
        let listener = Listener::new(0).unwrap();
        let address = listener.address();
        let asked = thread::spawn(move || {
            let parts = [&b"GET /do?x=1 HTTP/1.1\r\nHost: a\r"[..], b"\n\r", b"\n"];
            ask(address, parts.map(<[u8]>::to_vec))
        });
        let request = listener.next().unwrap();
        assert_eq!((&*request.method, &*request.target, request.is_local()), ("GET", "/do?x=1", true));
        request.answer(200, &[("Content-Type", "text/plain")], b"yes");
        let answer = asked.join().unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nyes"), "{answer}");
        assert!(answer.contains("Content-Type: text/plain\r\n") && answer.contains("Content-Length: 3\r\n"));
    }

    /// Headers without an end, one long line, and many lines: the server refuses them before it has received a
    /// megabyte.
    #[test]
    fn heads_without_an_end_are_refused() {
        let listener = Listener::new(0).unwrap();
        let lines = || std::iter::repeat_n(b"X-Header: 0123456789\r\n".repeat(100), 450);
        let line = || std::iter::repeat_n(vec![b'a'; 4096], 256);
        let start = || std::iter::once(b"GET / HTTP/1.1\r\n".to_vec());
        for answer in [ask(listener.address(), start().chain(lines())), ask(listener.address(), line())] {
            // Data in transit may have caused the loss of the answer.
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
        }
        assert!(listener.requests.try_recv().is_err());
        let answer = ask(listener.address(), [b"hello\r\n\r\n".to_vec()]);
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    }

    /// Silent connections do not block others, and the server closes them.
    #[test]
    fn silent_connections_do_not_last() {
        let listener = Listener::new(0).unwrap();
        let address = listener.address();
        let silent: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(address).unwrap()).collect();
        let asked = thread::spawn(move || ask(address, [b"GET / HTTP/1.1\r\n\r\n".to_vec()]));
        listener.next().unwrap().answer(404, &[], b"");
        assert!(asked.join().unwrap().starts_with("HTTP/1.1 404 "));
        for mut stream in silent {
            stream.set_read_timeout(Some(PATIENCE * 6)).unwrap();
            assert_eq!(stream.read(&mut [0]).unwrap_or(0), 0);
        }
    }
}
