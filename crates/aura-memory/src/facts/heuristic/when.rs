//! Since when a statement holds, where it says so in plain words.

use aura_core::Timestamp;

use super::clause::Clause;
use super::lexicon::Class;
use super::patterns::words;
use super::token::{Kind, Tokens};

const DAY: i64 = 24 * 60 * 60 * 1000;
const NUMERALS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// When what the clause says began, if it says so and that is before it was said: `yesterday`, `last month`, `two weeks
/// ago`, `since 2019`, `since March`.
pub(super) fn began(tokens: &Tokens<'_>, clause: &Clause, said: Timestamp) -> Option<Timestamp> {
    let found = (clause.start..clause.end).find_map(|at| before(tokens, at, said))?;
    (found < said).then_some(found)
}

fn before(tokens: &Tokens<'_>, at: usize, said: Timestamp) -> Option<Timestamp> {
    let days = |count: i64| {
        Some(Timestamp::from_millis_clamped(
            said.as_millis().saturating_sub(count.saturating_mul(DAY)),
        ))
    };
    tokens.any(at, words!["yesterday", "last", "ago", "since", "as of"])?;
    if tokens.any(at, words!["yesterday"]).is_some() {
        return days(1);
    }
    if let Some(unit) = tokens.any(at, words!["last"]) {
        return days(unit_days(tokens.fold(unit))?);
    }
    if tokens.any(at, words!["ago"]).is_some() && at >= 2 {
        let count = amount(tokens, at - 2)?;
        return days(unit_days(tokens.fold(at - 1))?.saturating_mul(count));
    }
    let since = tokens.any(at, words!["since", "as of"])?;
    if let Some(year) = year(tokens, since) {
        return start_of(year, 1);
    }
    let name = tokens.fold(since);
    let month = MONTHS
        .iter()
        .position(|short| name.starts_with(short))
        .filter(|_| tokens.has(since, Class::MONTH))?;
    let month = i8::try_from(month + 1).ok()?;
    let (this_year, this_month, _) = said.date();
    let named = year(tokens, since + 1);
    start_of(
        named.unwrap_or(if month <= this_month {
            this_year
        } else {
            this_year - 1
        }),
        month,
    )
}

fn year(tokens: &Tokens<'_>, at: usize) -> Option<i16> {
    let plain = tokens.kind(at) == Kind::Number && tokens.fold(at).len() == 4;
    tokens
        .fold(at)
        .parse()
        .ok()
        .filter(|year| plain && (1900..2100).contains(year))
}

fn start_of(year: i16, month: i8) -> Option<Timestamp> {
    Timestamp::parse_lenient(&format!("{year:04}-{month:02}-01")).ok()
}

/// The days of a unit of time; months and years by their usual length.
fn unit_days(unit: &str) -> Option<i64> {
    Some(match unit.trim_end_matches('s') {
        "day" | "night" => 1,
        "week" => 7,
        "fortnight" => 14,
        "month" => 30,
        "year" => 365,
        _ => return None,
    })
}

fn amount(tokens: &Tokens<'_>, at: usize) -> Option<i64> {
    let word = tokens.fold(at);
    if matches!(word, "a" | "an") {
        return Some(1);
    }
    let spelt = NUMERALS
        .iter()
        .position(|numeral| *numeral == word)
        .and_then(|n| i64::try_from(n).ok());
    spelt.or_else(|| word.parse().ok().filter(|n| (1..1000).contains(n)))
}
