//! How near a message was said to the dates that a question names.

use std::ops::Range;

use aura_core::AskedDate;
use smallvec::SmallVec;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Days after a day asked for in which people still speak of it.
const LATER: i64 = 10;

/// Years that a date without one may mean, the newest first.
const YEARS: i64 = 4;

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day {
    year: i64,
    month: u8,
    day: u8,
}

impl Day {
    /// The day of a time in milliseconds since 1970.
    ///
    /// Howard Hinnant, "chrono-compatible low-level date algorithms": the calendar in eras of 400 years from March.
    pub(crate) const fn at(millis: i64) -> Self {
        let days = millis.div_euclid(DAY) + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let shifted = (5 * of_year + 2) / 153;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        Self {
            year: year + era * 400 + (month <= 2) as i64,
            month: month as u8,
            day: (of_year - (153 * shifted + 2) / 5 + 1) as u8,
        }
    }

    /// When the day begins.
    const fn start(self) -> i64 {
        let year = self.year - (self.month <= 2) as i64;
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let shifted = (self.month as i64 + 9) % 12;
        let of_year = (153 * shifted + 2) / 5 + self.day as i64 - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        (days - 719_468) * DAY
    }
}

/// How near a time is to a date asked for: 1 within the month or year where nothing more is asked, or within a week of
/// the day; 1.5 on the day itself; less further away; 0 elsewhere.
pub(crate) fn nearness(dates: &[AskedDate], time: i64) -> f32 {
    let said = Day::at(time);
    dates
        .iter()
        .map(|date| one(date, said, time))
        .fold(0.0, f32::max)
}

fn one(date: &AskedDate, said: Day, time: i64) -> f32 {
    let year = date.year.is_none_or(|year| i64::from(year) == said.year);
    let month = date.month.is_none_or(|month| month == said.month);
    match date.day {
        None => f32::from(u8::from(year && month)),
        Some(day) if year && month => match day.abs_diff(said.day) {
            0..=1 => 1.5,
            2..=7 => 1.0,
            _ => 0.4,
        },
        Some(day) => {
            let asked = Day {
                year: date.year.map_or(said.year, i64::from),
                month: date.month.unwrap_or(said.month),
                day,
            };
            let after = (time - asked.start()).div_euclid(DAY);
            if (-1..=LATER).contains(&after) {
                0.7
            } else {
                0.0
            }
        }
    }
}

/// The times in which messages near the dates were said, for a history that ends at `newest`.
pub(crate) fn spans(dates: &[AskedDate], newest: i64) -> SmallVec<[Range<i64>; 4]> {
    let mut spans = SmallVec::new();
    let last = Day::at(newest).year;
    for date in dates {
        let years = match date.year {
            Some(year) => i64::from(year)..=i64::from(year),
            None => last - YEARS + 1..=last,
        };
        for year in years {
            let day = |month: u8, day: u8| Day { year, month, day }.start();
            spans.push(match (date.month, date.day) {
                (Some(month), Some(of_month)) => {
                    let start = day(month, of_month);
                    start - 7 * DAY..start + (LATER + 1) * DAY
                }
                (Some(12), None) => day(12, 1)..day(12, 31) + DAY,
                (Some(month), None) => day(month, 1)..day(month + 1, 1),
                (None, _) => day(1, 1)..day(12, 31) + DAY,
            });
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(year: i64, month: u8, day: u8) -> i64 {
        Day { year, month, day }.start()
    }

    fn asked(year: Option<i16>, month: Option<u8>, day: Option<u8>) -> [AskedDate; 1] {
        [AskedDate { year, month, day }]
    }

    #[test]
    fn days_agree_with_the_date_library() {
        for day in (-800_000..800_000).step_by(97) {
            let millis = i64::from(day) * 3_600_000 * 20;
            let said = Day::at(millis);
            let stamp = aura_core::Timestamp::from_millis_clamped(millis);
            let (year, month, day) = stamp.date();
            assert_eq!(
                (said.year, said.month as i8, said.day as i8),
                (year.into(), month, day)
            );
            assert_eq!(said.start(), millis.div_euclid(DAY) * DAY);
        }
    }

    #[test]
    fn nearness_falls_with_distance() {
        let day = asked(Some(2023), Some(5), Some(8));
        let on = |y, m, d| nearness(&day, time(y, m, d));
        assert_eq!(on(2023, 5, 8), 1.5);
        assert_eq!(on(2023, 5, 12), 1.0);
        assert_eq!(on(2023, 5, 28), 0.4);
        assert_eq!(on(2022, 5, 8), 0.0);
        assert_eq!(
            nearness(&asked(Some(2023), Some(4), Some(30)), time(2023, 5, 3)),
            0.7
        );
        assert_eq!(
            nearness(&asked(None, Some(5), None), time(2021, 5, 31)),
            1.0
        );
        assert_eq!(
            nearness(&asked(Some(2021), None, None), time(2021, 1, 1)),
            1.0
        );
        assert_eq!(
            nearness(&asked(Some(2021), None, None), time(2022, 1, 1)),
            0.0
        );
        assert_eq!(nearness(&[], 0), 0.0);
    }

    #[test]
    fn spans_hold_what_is_near() {
        let newest = time(2023, 11, 30);
        for dates in [
            asked(Some(2023), Some(5), Some(8)),
            asked(None, Some(12), None),
            asked(Some(2022), None, None),
            asked(None, Some(2), Some(28)),
        ] {
            let spans = spans(&dates, newest);
            for day in 0..1_400 {
                let at = time(2020, 1, 1) + day * DAY;
                if nearness(&dates, at) > 0.5 {
                    assert!(
                        spans.iter().any(|span| span.contains(&at)),
                        "{dates:?} {:?}",
                        Day::at(at)
                    );
                }
            }
        }
    }
}
