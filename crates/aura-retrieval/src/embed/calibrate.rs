//! Measures what the cosines of a model mean, on a few questions with their answers.

use aura_core::{Calibration, Embedder, Error, ErrorKind, Result};

/// Questions as people ask them in a chat, each with a message that answers it and no other.
const PAIRS: [(&str, &str); 16] = [
    (
        "Where do I live now?",
        "I moved to a small flat in Lisbon last spring.",
    ),
    (
        "What is the name of my dog?",
        "We got a puppy, she is called Biscuit.",
    ),
    (
        "Which database did we pick?",
        "Let's settle on Postgres for the new service.",
    ),
    (
        "When is the dentist appointment?",
        "The dentist can see me on Thursday at nine.",
    ),
    (
        "What am I allergic to?",
        "Please remember that peanuts make me ill.",
    ),
    (
        "Who is leading the project?",
        "Marta will take over as project lead from Monday.",
    ),
    (
        "How did the marathon go?",
        "I finished the race in just under four hours!",
    ),
    (
        "What did the build fail with?",
        "The compiler complains about a missing lifetime.",
    ),
    (
        "Which book did she recommend?",
        "You should read The Left Hand of Darkness.",
    ),
    (
        "How much is the rent?",
        "They want nine hundred a month for the apartment.",
    ),
    (
        "What instrument is he learning?",
        "My son has started taking cello lessons.",
    ),
    (
        "Where are we going on holiday?",
        "I booked the ferry to Crete for August.",
    ),
    (
        "What did we eat yesterday?",
        "Dinner was lentil soup with fresh bread.",
    ),
    (
        "Which colour should the walls be?",
        "Let's paint the bedroom a pale green.",
    ),
    (
        "Why was the flight delayed?",
        "There was a thunderstorm over the airport.",
    ),
    (
        "What is the deadline of the report?",
        "The paper has to be handed in by the tenth.",
    ),
];

/// How near the vectors of a model are for texts that have nothing to do with each other, and for questions with their
/// answers.
///
/// It embeds 32 short texts; the same model always gives the same.
///
/// # Errors
/// Those of the embedder; `Callback`, when it breaks its contract.
pub fn calibrate(embedder: &dyn Embedder) -> Result<Calibration> {
    let answers: Vec<&str> = PAIRS.iter().map(|(_, answer)| *answer).collect();
    let mut vectors = Vec::with_capacity(answers.len());
    for batch in answers.chunks(embedder.batch().max(1)) {
        vectors.extend(embedder.embed(batch)?);
    }
    let (mut related, mut unrelated) = (Vec::new(), Vec::new());
    for (at, (question, _)) in PAIRS.iter().enumerate() {
        let question = embedder.embed_query(question)?;
        for (other, answer) in vectors.iter().enumerate() {
            let cosine = cosine(&question, answer).ok_or_else(broken)?;
            let list = if at == other {
                &mut related
            } else {
                &mut unrelated
            };
            list.push(cosine);
        }
    }
    // What a question and its answer in other words reach, and as far again as one in nearly the same words goes beyond.
    let reached = mean(&related) + deviation(&related);
    Ok(Calibration {
        mean: mean(&unrelated) as f32,
        deviation: deviation(&unrelated) as f32,
        related: reached.min(1.0) as f32,
    })
}

fn broken() -> Error {
    Error::new(
        ErrorKind::Callback,
        "the embedder gave a vector that is empty, zero, not finite, or of another dimension",
    )
}

fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    let product = |a: &[f32], b: &[f32]| -> f64 {
        let terms = a.iter().zip(b);
        terms.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let cosine = product(a, b) / (product(a, a) * product(b, b)).sqrt();
    (a.len() == b.len() && cosine.is_finite()).then_some(cosine)
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

fn deviation(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    let squares: Vec<f64> = numbers
        .iter()
        .map(|number| (number - mean).powi(2))
        .collect();
    self::mean(&squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts letters: texts that share words are near, like those of a real model but worse.
    struct Letters(f32);

    impl Embedder for Letters {
        fn model(&self) -> &str {
            "letters"
        }

        fn dimension(&self) -> usize {
            26
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            let vector = |text: &&str| {
                let mut vector = vec![self.0; 26];
                for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
                    vector[usize::from(letter.to_ascii_lowercase() - b'a')] += 1.0;
                }
                vector
            };
            Ok(texts.iter().map(vector).collect())
        }
    }

    #[test]
    fn a_threshold_lies_above_what_unrelated_texts_reach() {
        let calibration = calibrate(&Letters(0.0)).unwrap();
        assert!(
            calibration.mean > 0.6 && calibration.mean < calibration.related,
            "{calibration:?}"
        );
        assert!(
            calibration.deviation > 0.01 && calibration.related <= 1.0,
            "{calibration:?}"
        );
        // Every vector of this one points nearly the same way, as those of some models do.
        let narrow = calibrate(&Letters(100.0)).unwrap();
        assert!(narrow.mean > 0.99 && narrow.deviation < 0.01, "{narrow:?}");
    }

    #[test]
    fn a_broken_embedder_is_found_out() {
        assert_eq!(
            calibrate(&Letters(f32::NAN)).unwrap_err().kind(),
            ErrorKind::Callback
        );
    }
}
