//! Segments give back the same index, or an error.

use aura_core::{ErrorKind, EventId, EventRange, LexicalIndex, Timestamp};
use aura_text::{Analyzer, AnalyzerOptions, Language};
use proptest::prelude::*;

use super::corpus::{Random, everything, message, query, request, session};
use crate::{Bm25Backend, SessionIndex};

/// A session with times, gaps in its events, and hidden and removed messages; the hidden ranges are returned too.
fn eventful(seed: u64, count: u64) -> (SessionIndex, Vec<EventRange>) {
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
    let mut hidden = Vec::new();
    for _ in 0..random.below(4) {
        let first = random.below(event + 1);
        let range = EventRange::new(EventId(first), EventId(first + random.below(count / 4 + 1)));
        if random.below(2) == 0 {
            index.hide(range);
            hidden.push(range);
        } else {
            index.remove(range);
        }
    }
    (index, hidden)
}

fn all() -> EventRange {
    EventRange::new(EventId(0), EventId(u64::MAX))
}

fn written(index: &SessionIndex, events: EventRange) -> Vec<u8> {
    let mut bytes = Vec::new();
    index.write_segment(events, &mut bytes);
    bytes
}

fn read(bytes: &[u8]) -> aura_core::Result<SessionIndex> {
    let mut index = SessionIndex::default();
    index.append_segments(&[bytes]).map(|()| index)
}

/// The index that segments cut at these events give.
fn reassembled(index: &SessionIndex, cuts: &[u64], split: usize) -> SessionIndex {
    let mut cuts = cuts.to_vec();
    cuts.sort_unstable();
    let mut segments = Vec::new();
    let mut first = 0;
    for last in cuts.into_iter().chain([u64::MAX]) {
        if last >= first {
            let events = EventRange::new(EventId(first), EventId(last));
            segments.push(written(index, events));
            first = last.saturating_add(1);
        }
    }
    let segments: Vec<&[u8]> = segments.iter().map(Vec::as_slice).collect();
    let mut restored = SessionIndex::default();
    // In one go, or in two.
    let (now, later) = segments.split_at(segments.len() / split);
    restored.append_segments(now).unwrap();
    restored.append_segments(later).unwrap();
    restored
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn give_back_the_same_index(
        seed in any::<u64>(),
        count in 0u64..2_000,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        split in 1usize..3,
    ) {
        let (mut index, hidden) = eventful(seed, count);
        let last = index.last_event().map_or(1, |event| event.0 as usize);
        let cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(last) as u64).collect();
        let mut restored = reassembled(&index, &cuts, split);
        prop_assert_eq!(restored.last_event(), index.last_event());
        prop_assert_eq!(written(&restored, all()).len(), written(&index, all()).len());
        hidden.iter().for_each(|range| restored.hide(*range));
        prop_assert_eq!(restored.len(), index.len());
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
            prop_assert_eq!(restored.search_exhaustively(&request).hits, restored.search(&request).hits);
            request.neighbours = Some(1 << 40);
            prop_assert_eq!(index.search(&request), restored.search(&request));
        }
        for range in hidden {
            index.show(range);
            restored.show(range);
        }
        prop_assert_eq!(restored.len(), index.len());
    }

    #[test]
    fn noise_never_loads(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(&bytes).is_err());
        prop_assert!(read(&[b"auralex\x03", &bytes[..]].concat()).is_err());
    }

    #[test]
    fn a_damaged_segment_does_no_harm(seed in any::<u64>(), places in prop::collection::vec((any::<u32>(), any::<u8>()), 1..6)) {
        // Only the reader's own checks stand between these bytes and the index.
        let mut bytes = written(&eventful(seed, 80).0, all());
        for (place, value) in places {
            let place = place as usize % bytes.len();
            bytes[place] = value;
        }
        if let Ok(index) = read(&bytes) {
            let whole = everything();
            let query = query(&["w1", "w2", "w3"]);
            let mut request = request(&query, &whole, 30);
            index.search(&request);
            request.neighbours = Some(5);
            index.search(&request);
            written(&index, all());
        }
    }

    #[test]
    fn a_cut_or_longer_segment_never_loads(seed in any::<u64>()) {
        let bytes = written(&eventful(seed, 80).0, all());
        let short = Random(seed).below(bytes.len() as u64) as usize;
        prop_assert!(read(&bytes[..short]).is_err());
        prop_assert!(read(&[&bytes[..], &[0]].concat()).is_err());
    }
}

#[test]
fn a_removed_message_leaves_no_word() {
    let mut index = SessionIndex::default();
    for (event, words) in [(1, ["stays", "both"]), (2, ["secret", "both"])] {
        let words = words.map(str::to_owned);
        index.append(&message(event, &words)).unwrap();
    }
    index.remove(EventRange::new(EventId(2), EventId(2)));
    let bytes = written(&index, all());
    assert!(!bytes.windows(6).any(|part| part == b"secret"));
    let restored = read(&bytes).unwrap();
    assert_eq!((restored.len(), index.len()), (1, 1));
}

#[test]
fn another_analyzer_is_told_apart() {
    let bytes = written(&SessionIndex::default(), all());
    let german = Analyzer::new(AnalyzerOptions {
        language: Language::German,
        ..AnalyzerOptions::default()
    });
    let mut index = Bm25Backend::new(german).new_index();
    let error = index.append_segments(&[&bytes]).err().unwrap();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Corrupt, Some("analyzer"))
    );
}

#[test]
fn a_segment_must_follow_what_is_there() {
    let index = eventful(3, 20).0;
    let bytes = written(&index, all());
    let mut restored = read(&bytes).unwrap();
    let again = restored.append_segments(&[&bytes]).err().unwrap();
    assert_eq!(again.kind(), ErrorKind::Conflict);
}

#[test]
fn is_appended_to_what_is_there() {
    let mut bytes = b"before".to_vec();
    SessionIndex::default().write_segment(all(), &mut bytes);
    assert!(read(&bytes[6..]).unwrap().is_empty());
}
