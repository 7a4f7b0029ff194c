//! What is known of a message beside its words.

use aura_core::{MessageTraits, Role};

use super::words::{Word, for_each};

/// The traits of a message.
pub(crate) fn traits_of(role: Role, speaker: &str, text: &str) -> MessageTraits {
    let named = !speaker.is_empty() && speaker != role.as_str();
    MessageTraits::BY_USER
        .when(role == Role::User)
        .with(MessageTraits::NAMED.when(named))
        .with(MessageTraits::ASKS.when(text.trim_end().ends_with(['?', '？'])))
        .with(MessageTraits::TEMPORAL.when(says_when(text)))
}

/// Whether a text says when something was or will be.
fn says_when(text: &str) -> bool {
    let mut found = false;
    let mut last: Option<Word<'_>> = None;
    for_each(text, |word| {
        found = found || tells_time(&word) || last.is_some_and(|last| tell_time(&last, &word));
        last = Some(word);
    });
    found || says_when_in_chinese(text)
}

fn tells_time(word: &Word<'_>) -> bool {
    const WORDS: [&str; 26] = [
        "yesterday",
        "today",
        "tonight",
        "tomorrow",
        "ago",
        "recently",
        "just",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    // Most words are out by their length and first letter.
    let first = word.text.bytes().next().unwrap_or(0) | 0x20;
    (3..=9).contains(&word.text.len())
        && b"adfjmnorstwy".contains(&first)
        && WORDS.iter().any(|other| word.is(other))
}

fn tell_time(before: &Word<'_>, word: &Word<'_>) -> bool {
    const UNITS: [&str; 8] = [
        "night", "week", "weekend", "month", "year", "summer", "winter", "past",
    ];
    if let Some(number) = word.number {
        let is_year = word.text.len() == 4 && (1900..2100).contains(&number);
        return is_year && (before.is("in") || before.is("since"));
    }
    if before
        .number
        .is_some_and(|number| (1..=31).contains(&number))
    {
        return ["st", "nd", "rd", "th"]
            .iter()
            .any(|ending| word.is(ending));
    }
    let relative = before.is("last") || before.is("next") || before.is("this");
    relative && UNITS.iter().any(|unit| word.is(unit))
}

fn says_when_in_chinese(text: &str) -> bool {
    const PHRASES: [&str; 16] = [
        "昨天",
        "今天",
        "明天",
        "前天",
        "后天",
        "上周",
        "下周",
        "这周",
        "周末",
        "上个月",
        "下个月",
        "去年",
        "今年",
        "明年",
        "星期",
        "月",
    ];
    !text.is_ascii() && PHRASES.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_say_when_are_told_from_others() {
        for text in [
            "I went there YESTERDAY.",
            "It was last week, I think",
            "two years ago",
            "in 2019 we moved",
            "on the 3rd",
            "See you on Friday!",
            "我昨天去了公园",
        ] {
            assert!(says_when(text), "{text}");
        }
        for text in [
            "I went there.",
            "He is 3 years old",
            "At last",
            "room 2019",
            "this and that",
            "我去了公园",
            "",
        ] {
            assert!(!says_when(text), "{text}");
        }
    }

    #[test]
    fn traits_are_those_of_role_name_and_text() {
        let traits = traits_of(Role::User, "Ana", "Did you sleep well? ");
        assert!(
            traits.has(
                MessageTraits::BY_USER
                    .with(MessageTraits::NAMED)
                    .with(MessageTraits::ASKS)
            )
        );
        assert!(!traits.has(MessageTraits::TEMPORAL));
        let traits = traits_of(Role::Assistant, "assistant", "Yes.");
        assert_eq!(traits, MessageTraits::default());
        assert!(traits_of(Role::User, "user", "真的？").has(MessageTraits::ASKS));
    }
}
