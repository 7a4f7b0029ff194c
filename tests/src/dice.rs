//! Random numbers from a seed that a failing test prints.

/// A seeded sequence (SplitMix64, Steele and others 2014).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// From `AURA_SEED`, or else from the time; says which.
    #[must_use]
    pub fn new(test: &str) -> Self {
        let given = std::env::var("AURA_SEED").ok();
        let seed = given.and_then(|seed| seed.parse().ok()).unwrap_or_else(|| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(0, |now| now.as_nanos() as u64)
        });
        println!("{test}: AURA_SEED={seed}");
        Self(seed)
    }

    /// A number below `sides`, which is not 0.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % sides
    }
}
