//! The page over its socket: answers to requests that its script makes.
#![cfg(feature = "glsl")]

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;

use common::{GLSL, record};
use quadrille::frontend::Language;
use quadrille_debug::dap::Launched;
use quadrille_debug::page::{Page, Shown};
use quadrille_debug::{MAX_BYTES, Sources};
use serde_json::{Value, json};

/// Serves the recording of invocation 5, and returns the state after each query.
fn states(queries: &[&str]) -> Vec<Value> {
    let page = Page::listen(0).unwrap();
    let url = page.url();
    let (host, token) = url.strip_prefix("http://").unwrap().split_once("/?").unwrap();
    let ask = |path: &str, query: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let request = format!("GET /{path}?{query}&{token} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answers: Vec<String> = std::thread::scope(|s| {
        let asked = s.spawn(|| {
            let answers: Vec<String> = queries.iter().map(|query| ask("do", query)).collect();
            ask("quit", "");
            answers
        });
        let recordings = record(GLSL, Language::Glsl, 5, MAX_BYTES);
        let first =
            Launched { recordings, language: Language::Glsl, sources: Sources::default(), ended: None };
        page.serve(&Shown::default(), Some(first), &mut |_| Err("there is one recording".into())).unwrap();
        asked.join().unwrap()
    });
    let body = |answer: &String| serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    answers.iter().map(body).collect()
}

/// Returns the variable or part with this name, among those that are listed.
fn named<'v>(list: &'v Value, name: &str) -> Option<&'v Value> {
    list.as_array()?.iter().find_map(|v| if v["name"] == name { Some(v) } else { named(&v["parts"], name) })
}

/// Only the parts of open variables are listed: all parts of an array of arrays would be too many.
#[test]
fn parts_are_listed_of_what_is_open() {
    let states = states(&["motion=next&motion=next", "open=light", "open=light.color", "open=light"]);
    let local = |i: usize, name: &str| named(&states[i]["variables"][0]["list"], name).cloned();
    let light = |i: usize| local(i, "light").unwrap();
    assert_eq!(states[0]["variables"][0]["name"], "Locals");
    assert_eq!(
        [&light(0)["has"], &light(0)["open"], &light(0)["parts"]],
        [&json!(true), &json!(false), &json!([])]
    );
    let power = local(1, "light.power").unwrap();
    assert_eq!((&power["value"], &power["has"]), (&json!("5.0"), &json!(false)));
    assert_eq!(local(1, "light.color").unwrap()["parts"], json!([]));
    assert_eq!(local(2, "light.color.y").unwrap()["value"], "0.5");
    assert_eq!((&light(3)["has"], local(3, "light.color")), (&json!(true), None));
}
