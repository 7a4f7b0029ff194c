//! The example of the design and everyday corrections, look-alikes and conversations, each with the exact facts.

use aura_core::{Fact, Message, Timestamp, Trust};

use crate::talk::Talk;

fn after(said: &[&str]) -> Talk {
    let mut talk = Talk::default();
    for text in said {
        talk.say(text);
    }
    talk
}

fn current(said: &[&str]) -> Vec<String> {
    after(said).current()
}

#[test]
fn two_cats_stay_two_cats_when_the_city_changes() {
    let talk = after(&[
        "I live in Oslo and I have two cats, Miso and Nori.",
        "I just moved to Berlin.",
    ]);
    assert_eq!(
        talk.current(),
        ["has two cats, Miso and Nori", "lives in Berlin"]
    );
    let oslo: Vec<&Fact> = talk
        .ledger
        .facts()
        .filter(|fact| !fact.is_current())
        .collect();
    let [oslo] = oslo.as_slice() else {
        panic!("one past fact")
    };
    assert_eq!(
        (oslo.text.as_str(), oslo.subject.as_str()),
        ("lives in Oslo", "user/home")
    );
    let berlin = talk.ledger.get(oslo.replaced_by.as_ref().unwrap()).unwrap();
    assert_eq!(berlin.text, "lives in Berlin");
    assert_eq!(oslo.valid_to, Some(berlin.valid_from));
    assert_eq!(oslo.invalidated_by, berlin.sources.first().copied());
    assert_eq!(berlin.trust, Trust::Verified);
    assert_eq!(berlin.fact_id.as_str(), "talk/2/0");
}

#[test]
fn a_correction_takes_the_place_of_the_old_value() {
    let cases: [(&[&str], &[&str]); 12] = [
        (
            &["I work as a nurse.", "I got promoted to head nurse."],
            &["works as head nurse"],
        ),
        (
            &[
                "The budget is $500 and the deadline is Friday.",
                "We raised the budget to $700.",
            ],
            &["the deadline is Friday", "the budget is $700"],
        ),
        (
            &[
                "The deadline for the report is May 3.",
                "They pushed the deadline to May 10.",
            ],
            &["The deadline for the report is May 10"],
        ),
        (
            &["Ana leads the migration.", "Dalia takes over from Ana."],
            &["Dalia leads the migration"],
        ),
        (
            &["We need 30 chairs.", "We need 40 chairs, not 30."],
            &["We need 40 chairs"],
        ),
        (
            &[
                "I need 10 tickets for the concert.",
                "Make it 12 instead of 10.",
            ],
            &["needs 12 tickets for the concert"],
        ),
        (
            &[
                "We decided on oak for the worktop.",
                "Change of plans: quartz, not oak.",
            ],
            &["We decided on quartz for the worktop"],
        ),
        (
            &[
                "The itinerary is Tokyo, Kyoto and Osaka.",
                "We removed Osaka from the itinerary.",
            ],
            &[
                "We removed Osaka from the itinerary",
                "itinerary: Tokyo, Kyoto",
            ],
        ),
        (
            &["I have two cats, Miso and Nori.", "Nori died last week."],
            &["Nori died", "has one cat, Miso"],
        ),
        (
            &[
                "We use Postgres for the backend.",
                "We switched from Postgres to MySQL.",
            ],
            &["We use MySQL for the backend"],
        ),
        (
            &[
                "The app is called Fernweh.",
                "We renamed Fernweh to Wayfarer.",
            ],
            &["The app is called Wayfarer"],
        ),
        (
            &[
                "I said oak for the floor.",
                "My flight is on May 3.",
                "My flight is on May 4, not May 3.",
            ],
            &["their flight is on May 4"],
        ),
    ];
    for (said, facts) in cases {
        assert_eq!(current(said), *facts, "{said:?}");
    }
}

#[test]
fn what_has_ended_is_said_to_have_ended() {
    let cases: [(&[&str], &[&str]); 5] = [
        (
            &["I'm vegetarian.", "I'm not vegetarian any more."],
            &["is no longer vegetarian"],
        ),
        (
            &["I have a car and a boat.", "I sold my car."],
            &["has a boat", "sold their car"],
        ),
        (&["I don't have a car.", "I bought a car."], &["has a car"]),
        (
            &["My girlfriend is Ana.", "I broke up with Ana."],
            &["broke up with Ana"],
        ),
        (
            &["I live in Porto.", "I no longer live in Porto."],
            &["no longer lives in Porto"],
        ),
    ];
    for (said, facts) in cases {
        assert_eq!(current(said), *facts, "{said:?}");
    }
}

#[test]
fn one_item_of_a_list_changes_and_the_others_stay() {
    let talk = after(&[
        "We're spending 5 nights in Tokyo, 3 nights in Kyoto and 2 nights in Osaka.",
        "Extend Tokyo to 7 nights and drop Osaka.",
    ]);
    let lists: Vec<_> = talk
        .current()
        .into_iter()
        .filter(|text| text.contains(": "))
        .collect();
    assert_eq!(
        lists,
        ["We're spending: 7 nights in Tokyo, 3 nights in Kyoto"]
    );
}

#[test]
fn nothing_is_drawn_from_what_the_user_does_not_assert() {
    let unsaid = [
        "Should I move to Berlin?",
        "Can you recommend a vet in Oslo?",
        "If I lived in Berlin, I would cycle.",
        "I wish I had two cats.",
        "I might get a dog.",
        "My friend says he might move to Berlin.",
        "She told me that her budget is $500.",
        "He said: \"I live in Paris and I have a dog.\"",
        "Write a story about a man who lives in Paris and has a dog.",
        "Translate this to German: I just moved to Berlin.",
        "Berlin is the capital of Germany.",
        "Water boils at 100 degrees.",
        "> I live in Rome.",
        "```\nI live in Rome.\n```",
        "Imagine I live in Oslo.",
        "Let's say I moved to Rome.",
        "Maybe I live in Oslo.",
        "Thanks, that helps a lot!",
        "Wie wäre es, wenn ich in Berlin wohne?",
        "Si je vivais à Lyon, je serais heureux.",
        "¿Vivo en Madrid?",
        "如果我住在上海就好了。",
    ];
    for text in unsaid {
        assert_eq!(current(&[text]), [""; 0], "{text}");
    }
}

#[test]
fn only_users_are_heard() {
    let mut talk = Talk::default();
    talk.record(vec![
        Message::user("What is new?"),
        Message::assistant("I live in Oslo and I have two cats."),
    ]);
    assert!(talk.current().is_empty());
}

#[test]
fn speakers_with_names_have_facts_of_their_own() {
    let mut talk = Talk::default();
    talk.record(vec![Message::user("I live in Oslo.").with_name("Ana")]);
    talk.record(vec![Message::user("I live in Rome.").with_name("Ben")]);
    talk.record(vec![Message::user("I moved to Bergen.").with_name("Ana")]);
    assert_eq!(talk.current(), ["Ben lives in Rome", "Ana lives in Bergen"]);
    let subjects: Vec<_> = talk
        .ledger
        .current()
        .iter()
        .map(|fact| fact.subject.as_str())
        .collect();
    assert_eq!(subjects, ["Ben/home", "Ana/home"]);
}

#[test]
fn facts_begin_when_it_was_said_or_when_the_words_say() {
    let said: Timestamp = "2024-05-20T12:00:00Z".parse().unwrap();
    let began = |text: &str| {
        let mut talk = Talk::default();
        talk.record(vec![Message::user(text).with_time(said)]);
        talk.ledger.current()[0].valid_from.to_string()
    };
    assert_eq!(began("I moved to Berlin."), "2024-05-20T12:00:00.000Z");
    assert_eq!(
        began("I moved to Berlin yesterday."),
        "2024-05-19T12:00:00.000Z"
    );
    assert_eq!(
        began("I moved to Berlin two weeks ago."),
        "2024-05-06T12:00:00.000Z"
    );
    assert_eq!(
        began("I have lived in Berlin since 2019."),
        "2019-01-01T00:00:00.000Z"
    );
    assert_eq!(
        began("I've lived in Berlin since October."),
        "2023-10-01T00:00:00.000Z"
    );
}

#[test]
fn what_is_taken_back_in_the_same_breath_leaves_no_trace() {
    let talk = after(&["I live in Rome. No wait, I live in Milan, not Rome."]);
    assert_eq!(talk.current(), ["lives in Milan"]);
    assert_eq!(talk.ledger.len(), 1);
}

#[test]
fn the_same_said_again_adds_nothing() {
    let mut talk = after(&["I live in Oslo and I'm allergic to nuts."]);
    assert!(talk.say("I live in Oslo. I'm allergic to nuts!").is_empty());
}

#[test]
fn other_languages_keep_their_words() {
    let cases: [(&[&str], &[&str]); 5] = [
        (
            &[
                "Ich wohne in Hamburg und habe zwei Katzen, Mia und Leo.",
                "Ich bin nach Köln gezogen.",
            ],
            &["habe zwei Katzen, Mia und Leo", "Ich bin nach Köln gezogen"],
        ),
        (
            &["J'habite à Lyon.", "Je n'habite plus à Lyon."],
            &["Je n'habite plus à Lyon"],
        ),
        (
            &["Vivo en Sevilla.", "Me mudé a Bilbao."],
            &["Me mudé a Bilbao"],
        ),
        (
            &["我住在北京，我有两只猫。", "我搬到了上海。"],
            &["我有两只猫", "我搬到了上海"],
        ),
        (
            &["Ich nehme Eiche für den Boden.", "I live in Oslo."],
            &["lives in Oslo"],
        ),
    ];
    for (said, facts) in cases {
        assert_eq!(current(said), *facts, "{said:?}");
    }
}
