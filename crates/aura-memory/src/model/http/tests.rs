//! A local server that answers well, badly, slowly, cut off, and not at all.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use super::*;

/// Serves one answer a connection, in order, then hangs up; gives its address and what was asked.
fn serve(answers: Vec<Option<String>>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = String::new();
            let mut buffer = [0; 4096];
            // The body ends with the object that it is.
            while !request.trim_end().ends_with('}') {
                let read = stream.read(&mut buffer).unwrap();
                request.push_str(&String::from_utf8_lossy(&buffer[..read]));
            }
            let _ = sender.send(request);
            match answer {
                Some(answer) => drop(stream.write_all(answer.as_bytes())),
                // Longer than anybody waits.
                None => std::thread::sleep(Duration::from_secs(2)),
            }
        }
    });
    (address, asked)
}

fn answer(status: &str, body: &str) -> Option<String> {
    let length = body.len();
    Some(format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))
}

fn model(name: &str, address: &str) -> HttpModel {
    HttpModel::new(&HttpOptions {
        base_url: Some(address.to_owned()),
        api_key: Some("k-123".to_owned()),
        timeout: Duration::from_millis(500),
        ..HttpOptions::new(name)
    })
    .unwrap()
}

#[test]
fn each_provider_is_spoken_to_in_its_manner() {
    for (name, body, path, header) in [
        (
            "openai/m1",
            r#"{"choices":[{"message":{"content":"[]"}}]}"#,
            "POST /chat/completions",
            "authorization: bearer k-123",
        ),
        (
            "anthropic/m1",
            r#"{"content":[{"type":"text","text":"[]"}]}"#,
            "POST /messages",
            "x-api-key: k-123",
        ),
        (
            "gemini/m1",
            r#"{"candidates":[{"content":{"parts":[{"text":"[]"}]}}]}"#,
            "POST /models/m1:generateContent",
            "x-goog-api-key: k-123",
        ),
    ] {
        let (address, asked) = serve(vec![answer("200 OK", body)]);
        assert_eq!(
            model(name, &address).complete("What changes?").unwrap(),
            "[]"
        );
        let asked = asked.recv().unwrap();
        assert!(asked.starts_with(path), "{asked}");
        assert!(asked.to_lowercase().contains(header), "{asked}");
        assert!(asked.contains("What changes?"), "{asked}");
    }
}

#[test]
fn failures_are_told_apart() {
    for (status, kind) in [
        ("503 Busy", ErrorKind::Unavailable),
        ("429 Slow down", ErrorKind::Unavailable),
        ("401 Who", ErrorKind::Denied),
        ("400 What", ErrorKind::Callback),
    ] {
        let (address, _asked) = serve(vec![answer(status, "{}")]);
        let error = model("groq/m", &address).complete("x").unwrap_err();
        assert_eq!(error.kind(), kind, "{status}");
        assert!(!error.message().contains("k-123"));
    }
    // Nobody listens, nobody answers in time, and the line is cut.
    let nobody = model("groq/m", "http://127.0.0.1:1").complete("x");
    assert_eq!(nobody.unwrap_err().kind(), ErrorKind::Unavailable);
    let (address, _asked) = serve(vec![None]);
    let slow = model("groq/m", &address).complete("x");
    assert_eq!(slow.unwrap_err().kind(), ErrorKind::Unavailable);
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{\"choi".to_owned();
    let (address, _asked) = serve(vec![Some(cut)]);
    let cut = model("groq/m", &address).complete("x");
    assert_eq!(cut.unwrap_err().kind(), ErrorKind::Unavailable);
}

#[test]
fn what_is_no_json_is_passed_on() {
    let (address, _asked) = serve(vec![answer(
        "200 OK",
        r#"sure: {"op":"invalidate","fact":1}"#,
    )]);
    let said = model("ollama/m", &address).complete("x").unwrap();
    assert!(said.contains("invalidate"));
}

#[test]
fn the_environment_names_model_address_and_key() {
    let of = |pairs: &[(&str, &str)]| {
        HttpOptions::from(|name| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    };
    let plain = of(&[("GROQ_API_KEY", "g"), ("OPENAI_API_KEY", "o")]);
    assert_eq!(plain.model, DEFAULT_EXTRACTOR_MODEL);
    assert_eq!(plain.api_key.as_deref(), Some("g"));
    let named = of(&[
        ("CONTEXT_EXTRACTOR_MODEL", "openai/m"),
        ("AURA_EXTRACTOR_MODEL", "ollama/m"),
        ("AURA_EXTRACTOR_BASE_URL", "http://there"),
        ("AURA_EXTRACTOR_API_KEY", "own"),
    ]);
    assert_eq!(named.model, "ollama/m");
    assert_eq!(named.base_url.as_deref(), Some("http://there"));
    assert_eq!(named.api_key.as_deref(), Some("own"));
    for bad in ["", "m", "groq/", "nobody/m"] {
        let error = HttpModel::new(&HttpOptions::new(bad)).unwrap_err();
        assert_eq!(error.field(), Some("model"), "{bad}");
    }
}
