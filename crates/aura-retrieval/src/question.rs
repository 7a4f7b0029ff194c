//! What a text tells beside its words: what a question asks for, and whether a message asks or says when.
//!
//! English and Chinese are understood; in other languages the signals say nothing, which costs rank but loses nothing.

mod dates;
mod said;
mod words;

use aura_core::Asked;

pub(crate) use said::traits_of;

use words::{Word, words};

/// How many words at the beginning of a question say what it asks for.
const OPENING: usize = 4;

/// Reads a question; `date_words` is given what makes up its dates, a space between the words.
pub(crate) fn read(text: &str, date_words: &mut String) -> Asked {
    let words = words(text);
    let dates = dates::find(&words, |word| {
        date_words.push_str(word);
        date_words.push(' ');
    });
    Asked {
        first_person: words.iter().any(is_first_person) || speaks_of_oneself(text),
        when: asks_when(&words) || asks_when_in_chinese(text),
        dates,
    }
}

fn is_first_person(word: &Word<'_>) -> bool {
    word.is("i") || word.is("me") || word.is("my") || word.is("mine") || word.is("myself")
}

/// Chinese 我, but not 我们.
fn speaks_of_oneself(text: &str) -> bool {
    !text.is_ascii()
        && text.match_indices('我').any(|(at, found)| {
            !text
                .get(at + found.len()..)
                .is_some_and(|rest| rest.starts_with('们'))
        })
}

fn asks_when(words: &[Word<'_>]) -> bool {
    let opening = words.get(..words.len().min(OPENING)).unwrap_or_default();
    let pair = opening.array_windows().any(|[a, b]| {
        (a.is("how") && b.is("long")) || ((a.is("what") || a.is("which")) && is_unit(b))
    });
    let count = opening
        .array_windows()
        .any(|[a, b, c]| a.is("how") && b.is("many") && is_unit(c));
    pair || count || opening.iter().any(|word| word.is("when"))
}

fn is_unit(word: &Word<'_>) -> bool {
    const UNITS: [&str; 11] = [
        "year", "years", "month", "months", "week", "weeks", "day", "days", "date", "dates", "time",
    ];
    UNITS.iter().any(|unit| word.is(unit))
}

fn asks_when_in_chinese(text: &str) -> bool {
    const PHRASES: [&str; 9] = [
        "什么时候",
        "何时",
        "几点",
        "哪天",
        "哪一天",
        "多久",
        "几月",
        "几号",
        "哪年",
    ];
    !text.is_ascii() && PHRASES.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Asked {
        super::read(text, &mut String::new())
    }

    #[test]
    fn questions_for_a_time_are_told_from_others() {
        for text in [
            "When did Ana move?",
            "Since when does he run?",
            "How long have I had the car?",
            "How many weeks did it take?",
            "On which day was the fair?",
            "what year was that?",
            "你什么时候搬家的？",
        ] {
            assert!(read(text).when, "{text}");
        }
        for text in [
            "What did Ana say when she moved to the new house?",
            "How many cats has she?",
            "Which dish did he cook?",
            "他住在哪里？",
            "",
        ] {
            assert!(!read(text).when, "{text}");
        }
    }

    #[test]
    fn the_first_person_is_heard() {
        for text in [
            "Where do I live?",
            "What's MY plan?",
            "I've what?",
            "我住在哪里？",
        ] {
            assert!(read(text).first_person, "{text}");
        }
        for text in [
            "Where does Mina live?",
            "In which year?",
            "我们住在哪里？",
            "",
        ] {
            assert!(!read(text).first_person, "{text}");
        }
    }
}
