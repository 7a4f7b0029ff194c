//! Corrections and the facts that they may and may not end.

use aura_core::{EventId, FactId, Timestamp, Trust};

use super::*;

const TRIP: &[&str] = &[
    "Itinerary: Tokyo for 5 nights",
    "Itinerary: Kyoto for 3 nights",
    "Itinerary: Osaka for 2 nights",
    "The budget of the trip is 4000 euros",
    "The deadline for booking is 3 June",
];

const HOME: &[&str] = &[
    "User lives in Oslo",
    "User has two cats, Miso and Nori",
    "User works as a nurse at the city hospital",
    "User is allergic to peanuts",
    "User plays the violin on Tuesdays",
];

const WORK: &[&str] = &[
    "Ana leads the payments team",
    "Bruno leads the search team",
    "The launch is planned for 12 May",
    "The database is PostgreSQL",
    "The office is on Elm Street",
    "The contract with Acme runs until December",
];

const KITCHEN: &[&str] = &[
    "The worktop will be oak",
    "The cabinets will be white",
    "The floor will be tiles",
    "The oven is from Bosch",
    "The fitter comes on Monday",
];

/// The facts, the correction, and which of the facts it may end.
const CASES: &[(&[&str], &str, &[usize])] = &[
    (
        TRIP,
        "Please extend Tokyo to 7 nights and drop Osaka.",
        &[0, 2],
    ),
    (TRIP, "Let us skip Kyoto this time.", &[1]),
    (TRIP, "The budget is 3000 now.", &[3]),
    (TRIP, "The deadline moved to 10 June.", &[4]),
    (TRIP, "Make it 4 nights in Kyoto instead.", &[1]),
    (TRIP, "We need fewer nights.", &[]),
    (TRIP, "Actually 3 is too many.", &[]),
    (TRIP, "Change of plans: Osaka first, then Tokyo.", &[0, 2]),
    (TRIP, "The itinerary looks good.", &[]),
    (TRIP, "What does it cost?", &[]),
    (HOME, "I just moved to Berlin.", &[0]),
    (HOME, "I do not live in Oslo any more.", &[0]),
    (HOME, "Miso has died, sadly.", &[1]),
    (HOME, "I quit yesterday.", &[2]),
    (HOME, "I am a teacher at the school now, not a nurse.", &[2]),
    (HOME, "The doctor says I can eat peanuts again.", &[3]),
    (HOME, "Violin is on Thursdays now.", &[4]),
    (HOME, "I changed my mind.", &[]),
    (HOME, "That was wrong.", &[]),
    (HOME, "My user name is different now.", &[]),
    (WORK, "Dalia takes over from Ana.", &[0]),
    (WORK, "Bruno now does payments.", &[0, 1]),
    (WORK, "The launch is on 19 May.", &[2]),
    (WORK, "We switched the database to MySQL.", &[3]),
    (WORK, "The office is now on Oak Street.", &[4]),
    (WORK, "Acme ended it early.", &[5]),
    (WORK, "The team is larger now.", &[]),
    (WORK, "It was postponed by a week.", &[2]),
    (KITCHEN, "Change of plans: quartz, not oak.", &[0]),
    (KITCHEN, "The cabinets shall be green.", &[1]),
    (KITCHEN, "No tiles, please, cork.", &[2]),
    (KITCHEN, "We take the oven from Miele.", &[3]),
    (KITCHEN, "The fitter comes on Friday.", &[4]),
    (KITCHEN, "It will be more expensive.", &[]),
    (KITCHEN, "Everything else stays.", &[]),
];

fn facts(texts: &[&str]) -> Vec<Fact> {
    let fact = |(n, text): (usize, &&str)| Fact {
        fact_id: FactId::new(format!("f{n}")).unwrap(),
        text: (*text).to_owned(),
        subject: format!("thing/{n}"),
        sources: vec![EventId(1)],
        trust: Trust::Verified,
        valid_from: Timestamp::MIN,
        valid_to: None,
        recorded_at: Timestamp::MIN,
        invalidated_at: None,
        invalidated_by: None,
        replaced_by: None,
    };
    texts.iter().enumerate().map(fact).collect()
}

#[test]
fn a_correction_ends_what_it_names_and_nothing_else() {
    let analyzer = Analyzer::default();
    assert!(CASES.len() >= 30);
    let mut wrong = Vec::new();
    for (texts, said, expected) in CASES {
        let current = facts(texts);
        let ended: Vec<usize> = (0..current.len())
            .filter(|at| may_end(&current[*at], &current, said, &analyzer))
            .collect();
        if ended != *expected {
            wrong.push(format!("{said}: {ended:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
