//! Dates that a question names.

use aura_core::AskedDate;

use super::words::Word;

const MONTHS: [&str; 12] = [
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
];

/// Words before a month that is also another word.
const BEFORE_MONTH: [&str; 13] = [
    "in", "of", "during", "since", "by", "until", "till", "from", "on", "this", "last", "early",
    "late",
];

/// Words around a month that may belong to its date.
const AROUND: usize = 4;

/// The dates of a question: days and months, or else years. `take` is given the words that make them up.
pub(super) fn find<'a>(words: &[Word<'a>], mut take: impl FnMut(&'a str)) -> Vec<AskedDate> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        if let Some(date) = numeric(words, at).or_else(|| named(words, at)) {
            let around = at.saturating_sub(AROUND)..(at + AROUND + 2).min(words.len());
            let parts = words.get(around).unwrap_or_default().iter();
            for part in parts.filter(|part| is_part(part, date)) {
                take(part.text);
            }
            if !found.contains(&date) {
                found.push(date);
            }
        }
    }
    if found.is_empty() {
        for word in words {
            if let Some(year) = year_of(word) {
                take(word.text);
                found.push(AskedDate {
                    year: Some(year),
                    ..AskedDate::default()
                });
            }
        }
    }
    found
}

/// Whether a word says the day, month or year of a date.
fn is_part(word: &Word<'_>, date: AskedDate) -> bool {
    let number =
        |part: Option<i16>| part.is_some() && word.number.map(i16::try_from) == part.map(Ok);
    number(date.year)
        || number(date.month.map(i16::from))
        || number(date.day.map(i16::from))
        || month_named(word).is_some_and(|(month, _)| date.month == Some(month))
        || ["年", "月", "日", "号"].contains(&word.text)
}

/// `2024-05-03`, `2024/05`, `2024年5月3日`, `5月3日`, `5月`, beginning at a word.
fn numeric(words: &[Word<'_>], at: usize) -> Option<AskedDate> {
    let follows =
        |offset: usize, mark: &str| words.get(at + offset).is_some_and(|word| word.text == mark);
    let number = |offset: usize| words.get(at + offset)?.number;
    let first = words.get(at)?;
    if let Some(year) = year_of(first) {
        if follows(1, "年") {
            let month = number(2).and_then(month_of).filter(|_| follows(3, "月"))?;
            let day = number(4)
                .and_then(day_of)
                .filter(|_| follows(5, "日") || follows(5, "号"));
            return Some(date(Some(year), month, day));
        }
        let joined = |offset: usize| {
            let word = words.get(at + offset)?;
            word.number
                .filter(|_| matches!(word.joint, Some('-' | '/')))
        };
        let month = joined(1).and_then(month_of)?;
        return Some(date(Some(year), month, joined(2).and_then(day_of)));
    }
    let after_year = at >= 2 && words.get(at - 1).is_some_and(|word| word.text == "年");
    if after_year || !follows(1, "月") {
        return None;
    }
    let day = number(2)
        .and_then(day_of)
        .filter(|_| follows(3, "日") || follows(3, "号"));
    Some(date(None, month_of(first.number?)?, day))
}

/// `7 May 2023`, `7th of May`, `May 7th, 2023`, `May 2023`, `in May`, with the month at a word.
fn named(words: &[Word<'_>], at: usize) -> Option<AskedDate> {
    let word = words.get(at)?;
    let (month, doubtful) = month_named(word)?;
    let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at));
    let is_ordinal = |word: Option<&Word<'_>>| {
        word.is_some_and(|word| {
            ["st", "nd", "rd", "th"]
                .iter()
                .any(|ending| word.is(ending))
        })
    };
    // Before the month: "7", "7th", "7 of", "7th of".
    let of = usize::from(before(1).is_some_and(|word| word.is("of")));
    let back = 1 + of + usize::from(is_ordinal(before(1 + of)));
    let day_before = before(back).and_then(|word| word.number).and_then(day_of);
    // After it: "7", "7th", "7th, 2023", "2023".
    let day_after = words
        .get(at + 1)
        .and_then(|word| word.number)
        .and_then(day_of);
    let after = match day_after {
        Some(_) => 2 + usize::from(is_ordinal(words.get(at + 2))),
        None => 1,
    };
    let year = words.get(at + after).and_then(year_of);
    let day = day_before.or(day_after);
    let introduced = before(1).is_some_and(|word| BEFORE_MONTH.iter().any(|other| word.is(other)));
    let sure = day.is_some()
        || year.is_some()
        || match doubtful {
            Doubt::None => true,
            Doubt::Word => introduced,
            Doubt::Short => false,
        };
    sure.then(|| date(year, month, day))
}

/// How sure a month's name is by itself.
#[derive(Debug, Clone, Copy)]
enum Doubt {
    /// It is nothing else.
    None,
    /// It is also another word.
    Word,
    /// It is an abbreviation.
    Short,
}

fn month_named(word: &Word<'_>) -> Option<(u8, Doubt)> {
    for (month, name) in (1..).zip(MONTHS) {
        if word.is(name) {
            let doubt = if month == 3 || month == 5 {
                Doubt::Word
            } else {
                Doubt::None
            };
            return Some((month, doubt));
        }
        if name.get(..3).is_some_and(|short| word.is(short)) || (month == 9 && word.is("sept")) {
            return Some((month, Doubt::Short));
        }
    }
    None
}

fn date(year: Option<i16>, month: u8, day: Option<u8>) -> AskedDate {
    AskedDate {
        year,
        month: Some(month),
        day,
    }
}

/// A number of four digits that is a year of living memory or near.
fn year_of(word: &Word<'_>) -> Option<i16> {
    let year = i16::try_from(word.number?).ok()?;
    (word.text.len() == 4 && (1900..2100).contains(&year)).then_some(year)
}

fn month_of(number: u16) -> Option<u8> {
    u8::try_from(number)
        .ok()
        .filter(|month| (1..=12).contains(month))
}

fn day_of(number: u16) -> Option<u8> {
    u8::try_from(number)
        .ok()
        .filter(|day| (1..=31).contains(day))
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn dates_are_read_in_the_forms_people_write() {
        let date = |year, month, day| AskedDate { year, month, day };
        let find = |words: &[Word<'_>]| super::find(words, |_| {});
        for (text, expected) in [
            ("What did Ana say in May?", date(None, Some(5), None)),
            ("What did Ana say on May 7?", date(None, Some(5), Some(7))),
            (
                "on 7 May, 2023, what happened?",
                date(Some(2023), Some(5), Some(7)),
            ),
            ("on the 7th of May 2023", date(Some(2023), Some(5), Some(7))),
            (
                "on December 31st, 2022",
                date(Some(2022), Some(12), Some(31)),
            ),
            ("in August 2023", date(Some(2023), Some(8), None)),
            ("the trip of 3 Sept", date(None, Some(9), Some(3))),
            (
                "What was due 2024-05-03?",
                date(Some(2024), Some(5), Some(3)),
            ),
            ("the report of 2024/05", date(Some(2024), Some(5), None)),
            (
                "2024年5月3日发生了什么？",
                date(Some(2024), Some(5), Some(3)),
            ),
            ("5月3号我去了哪里？", date(None, Some(5), Some(3))),
            ("他在5月做了什么？", date(None, Some(5), None)),
            ("Where was I in 2021?", date(Some(2021), None, None)),
        ] {
            assert_eq!(find(&words(text)), [expected], "{text}");
        }
    }

    #[test]
    fn other_words_and_numbers_are_no_dates() {
        for text in [
            "What may I do?",
            "Did they march?",
            "Mark the sun and sat down",
            "order 1234567 of 12 pieces",
            "the 7th try",
            "room 305",
            "版本5月",
        ] {
            let found = find(&words(text), |_| {});
            assert!(
                found.len() <= usize::from(text.contains('月')),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn several_dates_are_kept_once_each() {
        let mut parts = Vec::new();
        let text = "between May 3 and June 4, or May 3 again, in 2023";
        let found = find(&words(text), |part| parts.push(part));
        parts.dedup();
        assert_eq!(parts, ["May", "3", "June", "4", "May", "3"]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].month, Some(6));
    }
}
