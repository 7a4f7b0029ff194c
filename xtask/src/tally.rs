//! Counting what passed and failed, whatever runner printed it.

use std::process::ExitStatus;

/// How many tests passed, failed and were ignored so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
    /// The names of the Rust tests that failed.
    names: Vec<String>,
    /// Test binaries of the current cargo run that began but have not summed up yet.
    begun: u64,
}

impl Tally {
    /// Reads one line of what Rust's test harness prints.
    pub(crate) fn see_cargo(&mut self, line: &str) {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("test result: ") {
            self.begun = self.begun.saturating_sub(1);
            self.passed += number_before(rest, "passed");
            self.failed += number_before(rest, "failed");
            self.ignored += number_before(rest, "ignored");
        } else if line.starts_with("running ")
            && (line.ends_with(" tests") || line.ends_with(" test"))
        {
            self.begun += 1;
        } else if let Some(name) = failed_name(line) {
            self.names.push(name.to_owned());
        }
    }

    /// Ends a cargo run that had `failed_before` failures when it began.
    ///
    /// A binary that was killed prints no sum: it counts as one failure. A run that failed without
    /// any counted failure does too, so that a bad end can never read as a good one.
    pub(crate) fn end_cargo(&mut self, status: ExitStatus, failed_before: u64) {
        self.end(status.success(), failed_before);
    }

    /// Adds what another runner counted.
    pub(crate) fn add(&mut self, passed: u64, failed: u64, ignored: u64) {
        self.passed += passed;
        self.failed += failed;
        self.ignored += ignored;
    }

    /// Adds what another runner counted and how it ended: a run without any test counts as failed.
    pub(crate) fn add_run(&mut self, status: ExitStatus, passed: u64, failed: u64, ignored: u64) {
        let bad_end = failed == 0 && (!status.success() || passed == 0);
        self.add(passed, failed + u64::from(bad_end), ignored);
    }

    fn end(&mut self, success: bool, failed_before: u64) {
        if !success {
            self.failed += self.begun;
            if self.failed == failed_before {
                self.failed += 1;
            }
        }
        self.begun = 0;
    }

    /// Prints the closing line and says whether the whole may count as passed.
    pub(crate) fn close(self) -> bool {
        if self.ignored > 0 {
            println!("{} ignored (their reasons are printed above)", self.ignored);
        }
        for name in &self.names {
            println!("failed: {name}");
        }
        if self.passed == 0 && self.failed == 0 {
            println!("no test ran");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        self.passed > 0 && self.failed == 0
    }
}

/// The test that a line such as `test a::b ... FAILED` reports.
fn failed_name(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// The number right before ` word` in a line; 0 when there is none.
fn number_before(line: &str, word: &str) -> u64 {
    let before = line.split(&format!(" {word}")).next().unwrap_or("");
    if before.len() == line.len() {
        return 0;
    }
    let digits = before.rsplit(' ').next().unwrap_or("");
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cargo(lines: &str, success: bool) -> Tally {
        let mut tally = Tally::default();
        lines.lines().for_each(|line| tally.see_cargo(line));
        tally.end(success, 0);
        tally
    }

    #[test]
    fn sums_over_several_binaries() {
        let tally = cargo(
            "running 3 tests\n\
             test a ... ok\n\
             test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
             running 1 test\n\
             test b::c ... FAILED\n\
             test result: FAILED. 40 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n",
            false,
        );
        assert_eq!((tally.passed, tally.failed, tally.ignored), (42, 2, 1));
        assert_eq!(tally.names, ["b::c"]);
        assert!(!tally.close());
    }

    #[test]
    fn a_killed_binary_is_a_failure() {
        let text = "running 3 tests\ntest a ... ok\nrunning 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored;";
        let tally = cargo(text, false);
        assert_eq!((tally.passed, tally.failed), (1, 1));
        // A test may start a child that shares its output and kill it: cargo then still succeeds.
        assert_eq!(cargo(text, true).failed, 0);
    }

    #[test]
    fn a_failed_run_without_a_count_is_a_failure() {
        assert_eq!(cargo("", false).failed, 1);
    }

    #[test]
    fn nothing_ran_is_no_success() {
        assert!(!cargo("", true).close());
    }
}
