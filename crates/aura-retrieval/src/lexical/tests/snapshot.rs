//! Snapshots give back the same index, or an error.

use aura_core::{ErrorKind, EventId, EventRange, LexicalBackend, LexicalIndex, Timestamp};
use aura_text::{Analyzer, AnalyzerOptions, Language};
use proptest::prelude::*;

use super::corpus::{Random, everything, message, query, request, session};
use crate::{Bm25Backend, SessionIndex};

/// A session with times, gaps in its events, and hidden and removed messages.
fn eventful(seed: u64, count: u64) -> SessionIndex {
    let mut random = Random(seed);
    let mut index = SessionIndex::default();
    let mut event = 0;
    for words in session(seed, count, 60, 9) {
        event += 1 + random.below(20) / 19 * random.below(1_000);
        let mut message = message(event, &words);
        message.time = (random.below(3) > 0)
            .then(|| Timestamp::from_millis_clamped(random.below(u64::MAX / 2) as i64 - (1 << 61)));
        index.append(&message).unwrap();
    }
    for _ in 0..random.below(4) {
        let first = random.below(event + 1);
        let range = EventRange::new(EventId(first), EventId(first + random.below(count / 4 + 1)));
        if random.below(2) == 0 {
            index.hide(range);
        } else {
            index.remove(range);
        }
    }
    index
}

fn written(index: &SessionIndex, change_seq: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    index.write_snapshot(change_seq, &mut bytes);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn gives_back_the_same_index(seed in any::<u64>(), count in 0u64..2_000, change_seq in any::<u64>()) {
        let mut index = eventful(seed, count);
        let bytes = written(&index, change_seq);
        let (mut restored, seen) = Bm25Backend::default().read_snapshot(&bytes).unwrap();
        prop_assert_eq!(seen, change_seq);
        prop_assert_eq!(restored.last_event(), index.last_event());
        prop_assert_eq!(&written(&restored, change_seq), &bytes);
        let next = index.last_event().map_or(1, |event| event.0 + 1);
        let more = session(seed ^ 1, 700, 80, 9);
        for (event, words) in (next..).zip(&more) {
            index.append(&message(event, words)).unwrap();
            restored.append(&message(event, words)).unwrap();
        }
        for words in [["w1", "w9"], ["w50", "w3"], ["w0", "w79"]] {
            let query = query(&words);
            let whole = everything();
            let mut request = request(&query, &whole, 30);
            prop_assert_eq!(index.search(&request), restored.search(&request));
            request.neighbours = Some(1 << 40);
            prop_assert_eq!(index.search(&request), restored.search(&request));
        }
    }

    #[test]
    fn damage_never_loads(seed in any::<u64>(), places in prop::collection::vec((any::<u32>(), 1u8..), 1..4)) {
        let bytes = written(&eventful(seed, 80), 7);
        let mut damaged = bytes.clone();
        for (place, flip) in places {
            let place = place as usize % damaged.len();
            damaged[place] ^= flip;
        }
        if damaged != bytes {
            prop_assert_eq!(Bm25Backend::default().restore(&damaged).err().unwrap().kind(), ErrorKind::Corrupt);
        }
        let short = Random(seed).below(bytes.len() as u64) as usize;
        prop_assert!(Bm25Backend::default().restore(&bytes[..short]).is_err());
        let mut long = bytes;
        long.push(0);
        prop_assert!(Bm25Backend::default().restore(&long).is_err());
    }

    #[test]
    fn noise_never_loads(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Bm25Backend::default().restore(&bytes).is_err());
        prop_assert!(Bm25Backend::default().restore(&signed(&bytes)).is_err());
    }

    #[test]
    fn a_forged_snapshot_does_no_harm(seed in any::<u64>(), places in prop::collection::vec((any::<u32>(), any::<u8>()), 1..6)) {
        // The digest is right, so only the reader's own checks stand between these bytes and the index.
        let bytes = written(&eventful(seed, 80), 7);
        let mut body = bytes[8..bytes.len() - 32].to_vec();
        for (place, value) in places {
            let place = place as usize % body.len();
            body[place] = value;
        }
        if let Ok((index, _)) = Bm25Backend::default().read_snapshot(&signed(&body)) {
            let whole = everything();
            let query = query(&["w1", "w2", "w3"]);
            let mut request = request(&query, &whole, 30);
            index.search(&request);
            request.neighbours = Some(5);
            index.search(&request);
            written(&index, 8);
        }
    }
}

/// `body` with the right magic and digest.
fn signed(body: &[u8]) -> Vec<u8> {
    let mut bytes = b"auralex\x01".to_vec();
    bytes.extend_from_slice(body);
    let digest = aura_core::Digest::of(&bytes);
    bytes.extend_from_slice(digest.as_bytes());
    bytes
}

#[test]
fn another_analyzer_is_told_apart() {
    let bytes = written(&SessionIndex::default(), 3);
    let german = Analyzer::new(AnalyzerOptions {
        language: Language::German,
        ..AnalyzerOptions::default()
    });
    let error = Bm25Backend::new(german).restore(&bytes).err().unwrap();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Corrupt, Some("analyzer"))
    );
}

#[test]
fn every_single_flipped_bit_is_noticed() {
    let bytes = written(&eventful(9, 12), 7);
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(
            Bm25Backend::default().restore(&damaged).is_err(),
            "bit {bit}"
        );
    }
}

#[test]
fn is_appended_to_what_is_there() {
    let mut bytes = b"before".to_vec();
    SessionIndex::default().write_snapshot(5, &mut bytes);
    assert_eq!(Bm25Backend::default().restore(&bytes[6..]).unwrap().1, 5);
}
