use std::collections::HashMap;

use aura_core::{Digest, ErrorKind, Message};
use aura_testkit::generators;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn large_texts(messages: &[Message]) -> HashMap<Digest, String> {
    let texts = messages.iter().flat_map(|message| &message.parts);
    let texts = texts.filter_map(|part| part.plain_text());
    let texts = texts.map(|text| (Digest::of(text.as_bytes()), text.to_owned()));
    texts.collect()
}

proptest! {
    #[test]
    fn messages_come_back_from_any_place_on(
        messages in vec(generators::message(), 1..6),
        from in 0..6_usize,
    ) {
        let from = from.min(messages.len() - 1);
        let texts = large_texts(&messages);
        let (body, large) = Encoded::new(&messages).split(from);
        let mut reader = Body::open(&body).unwrap();
        let mut read = Vec::new();
        while let Some(bytes) = reader.next().unwrap() {
            read.push(decode(bytes, &mut |digest| Ok(texts[digest].clone())).unwrap());
        }
        let expected: Vec<_> = messages.into_iter().zip(large).skip(from).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_panic(
        message in generators::message(),
        cut in any::<prop::sample::Index>(),
        flip in any::<prop::sample::Index>(),
        noise in vec(any::<u8>(), 0..40),
    ) {
        let read = |body: &[u8]| -> aura_core::Result<usize> {
            let mut reader = Body::open(body)?;
            let mut count = 0;
            while let Some(bytes) = reader.next()? {
                if !bytes.is_empty() {
                    decode(bytes, &mut |_| Ok(String::new()))?;
                }
                count += 1;
            }
            Ok(count)
        };
        let (body, _) = Encoded::new(std::slice::from_ref(&message)).split(0);
        let cut = &body[..cut.index(body.len())];
        if cut.len() > 1 {
            prop_assert_eq!(read(cut).unwrap_err().kind(), ErrorKind::Corrupt);
        }
        let mut flipped = body.clone();
        flipped[flip.index(body.len())] ^= 0x55;
        let _ = read(&flipped);
        let _ = read(&noise);
    }
}

#[test]
fn the_form_is_version_1() {
    let (body, _) = Encoded::new(&[Message::user("Hi").with_name("Ana")]).split(0);
    assert_eq!(body, b"\x01\x0a\x05\x03Ana\x01\x01\x02Hi");
    assert!(Body::open(b"\x02").is_err());
}
