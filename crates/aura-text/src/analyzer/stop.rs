//! Stop words: words too common to rank by.

use rustc_hash::FxHashSet;

use super::fold::strip_marks;
use super::language::Language;

/// The English stop words. They are the list with which the ranking weights were measured; longer lists ("example", "system",
/// "home") cost recall in chats.
const ENGLISH: &str = "a an the and or but if of to in on at for with from by as is are was were be been being am do \
    does did doing have has had having i me my mine we our ours you your yours he him his she her hers it its they \
    them their theirs this that these those what which who whom whose when where why how will would shall should can \
    could may might must not no nor so than then too very s ll re ve there here just about into over under again \
    once own same few more most other some such only both each any all up down out off myself yourself himself herself \
    itself ourselves yourselves themselves cannot";

/// Parts of addresses that say nothing about where they lead.
const ADDRESS: [&str; 3] = ["http", "https", "www"];

/// The stop words of one language, without marks and with them.
#[derive(Debug, Default)]
pub(super) struct StopWords {
    words: FxHashSet<Box<str>>,
    /// Verbs joined to "not" count as stop words too ("don't", "wouldn't").
    pub(super) negations: bool,
}

impl StopWords {
    pub(super) fn of(language: Language) -> Self {
        let mut words: FxHashSet<Box<str>> = ADDRESS.iter().map(|&w| w.into()).collect();
        match language {
            Language::English => words.extend(ENGLISH.split_ascii_whitespace().map(Box::from)),
            Language::Neutral => {}
            other => {
                for word in stop_words::lookup(other.code()).unwrap_or_default() {
                    let mut plain = String::new();
                    strip_marks(word, &mut plain);
                    words.insert(plain.into());
                    words.insert((*word).into());
                }
            }
        }
        Self {
            words,
            negations: matches!(language, Language::English),
        }
    }

    #[inline]
    pub(super) fn contains(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_cover_the_languages_and_both_spellings() {
        assert!(StopWords::of(Language::English).contains("which"));
        assert!(!StopWords::of(Language::English).contains("home"));
        let french = StopWords::of(Language::French);
        assert!(french.contains("même") && french.contains("meme"));
        for language in [
            Language::German,
            Language::Spanish,
            Language::Russian,
            Language::Arabic,
            Language::Portuguese,
            Language::Italian,
            Language::Swedish,
            Language::Turkish,
        ] {
            assert!(StopWords::of(language).words.len() > 40, "{language:?}");
        }
        assert!(!StopWords::of(Language::Neutral).contains("the"));
    }
}
