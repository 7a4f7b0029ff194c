//! Points in time: UTC, millisecond resolution, RFC 3339 in JSON.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, Result};

/// Milliseconds since 1970-01-01T00:00:00Z, within the years 0000 to 9999.
///
/// ```
/// use aura_core::Timestamp;
/// let time: Timestamp = "2024-05-03T10:00:00.5Z".parse().unwrap();
/// assert_eq!(time.to_string(), "2024-05-03T10:00:00.500Z");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 0000-01-01T00:00:00.000Z.
    pub const MIN: Self = Self(-62_167_219_200_000);
    /// 9999-12-30T00:00:00.000Z: the last full day before the calendar of the date library ends.
    pub const MAX: Self = Self(253_402_128_000_000);

    /// A time from milliseconds since the epoch; `Invalid` outside `MIN..=MAX`.
    pub fn from_millis(millis: i64) -> Result<Self> {
        let time = Self(millis);
        if time < Self::MIN || time > Self::MAX {
            return Err(Error::invalid_field(
                "time",
                "timestamp",
                "outside the years 0000 to 9999",
            ));
        }
        Ok(time)
    }

    /// Like [`Timestamp::from_millis`], but clamps instead of failing.
    #[must_use]
    pub fn from_millis_clamped(millis: i64) -> Self {
        Self(millis.clamp(Self::MIN.0, Self::MAX.0))
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Milliseconds from `earlier` to `self`, negative if it is later.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Reads RFC 3339 and also a time without a zone ("2024-05-03T10:00:00", "2024-05-03"), taken as UTC.
    pub fn parse_lenient(text: &str) -> Result<Self> {
        if let Ok(time) = text.parse::<Self>() {
            return Ok(time);
        }
        let text = text.trim();
        text.parse::<jiff::civil::DateTime>()
            .ok()
            .or_else(|| {
                let date = text.parse::<jiff::civil::Date>().ok()?;
                Some(date.to_datetime(jiff::civil::Time::midnight()))
            })
            .and_then(|time| jiff::tz::TimeZone::UTC.to_timestamp(time).ok())
            .ok_or_else(|| {
                Error::invalid_field("time", "timestamp", "not an RFC 3339 time or date")
            })
            .and_then(|time| Self::from_millis(time.as_millisecond()))
    }

    /// Year, month (1–12) and day (1–31) in UTC.
    #[must_use]
    pub fn date(self) -> (i16, i8, i8) {
        let date = self.zoned().date();
        (date.year(), date.month(), date.day())
    }

    /// The day as `YYYY-MM-DD` and the time as `HH:MM`, in UTC, as excerpts show them.
    #[must_use]
    pub fn date_minute(self) -> String {
        let time = self.zoned();
        format!(
            "{:04}-{:02}-{:02} {:02}:{:02}",
            time.year(),
            time.month(),
            time.day(),
            time.hour(),
            time.minute()
        )
    }

    fn zoned(self) -> jiff::civil::DateTime {
        let time = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        jiff::tz::TimeZone::UTC.to_datetime(time)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.zoned();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            time.year(),
            time.month(),
            time.day(),
            time.hour(),
            time.minute(),
            time.second(),
            time.millisecond()
        )
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    /// Reads RFC 3339 with any offset; digits below a millisecond are cut off.
    fn from_str(text: &str) -> Result<Self> {
        let time: jiff::Timestamp = text
            .parse()
            .map_err(|_| Error::invalid_field("time", "timestamp", "not an RFC 3339 time"))?;
        Self::from_millis(time.as_millisecond())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse()
            .map_err(|error: Error| serde::de::Error::custom(error.message()))
    }
}

/// Where the engine gets the time from, so that a test can decide what it is.
pub trait Clock: Send + Sync {
    /// The present time; it may step backwards.
    fn now(&self) -> Timestamp;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_offsets_and_plain_times() {
        let utc: Timestamp = "2024-05-03T12:00:00+02:00".parse().unwrap();
        assert_eq!(
            utc,
            Timestamp::parse_lenient("2024-05-03T10:00:00").unwrap()
        );
        assert_eq!(
            Timestamp::parse_lenient("2024-05-03").unwrap().to_string(),
            "2024-05-03T00:00:00.000Z"
        );
        assert!(Timestamp::parse_lenient("yesterday").is_err());
        assert!("2024-05-03T10:00:00".parse::<Timestamp>().is_err());
    }

    #[test]
    fn ends_of_the_range_survive_a_round_trip() {
        for time in [
            Timestamp::MIN,
            Timestamp::MAX,
            Timestamp::from_millis_clamped(-1),
        ] {
            assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        }
        assert!(Timestamp::from_millis(i64::MAX).is_err());
    }
}
