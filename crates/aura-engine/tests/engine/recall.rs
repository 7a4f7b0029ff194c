//! What is recalled, and what is not.

use aura_core::{BlockRef, Class, ContextPolicy, EventId, Fate, Message, Principal, Timestamp};
use aura_engine::{ContextRequest, Engine, RecordRequest};

use crate::setup::{evidence, memory_engine, session};

/// Two people's talk: who, on which day of May 2023, and what.
const TALK: [(&str, u8, &str); 24] = [
    ("Ana", 2, "I have adopted a puppy, we call her Lola."),
    ("Rui", 2, "How sweet! Does she sleep through the night?"),
    ("Ana", 2, "Not yet, she chews my slippers until three."),
    ("Rui", 2, "Mine did that for weeks, then it stopped."),
    ("Ana", 7, "My sister Marta is getting married in Porto."),
    ("Rui", 7, "Congratulations! Do you have a dress already?"),
    ("Ana", 7, "A green one, my aunt is sewing it for me."),
    ("Rui", 7, "Send me a picture when it is done."),
    (
        "Rui",
        12,
        "I started a pottery class at the community centre yesterday.",
    ),
    ("Ana", 12, "Lovely, what have you made?"),
    (
        "Rui",
        12,
        "A crooked bowl, it leaks when I fill it with soup.",
    ),
    ("Ana", 12, "Everybody's first bowl leaks, keep going."),
    ("Rui", 17, "My landlord wants to raise the rent again."),
    ("Ana", 17, "By how much? That flat is tiny."),
    ("Rui", 17, "Eighty euros, so I am looking for a new place."),
    (
        "Ana",
        17,
        "Ask Teresa, her cousin lets rooms near the park.",
    ),
    (
        "Ana",
        22,
        "Work is exhausting, we hired nobody since January.",
    ),
    ("Rui", 22, "Tell your boss, you cannot do everything alone."),
    ("Ana", 22, "I will, after the holidays."),
    ("Rui", 22, "Where will you go?"),
    ("Ana", 27, "To the Azores, hiking with Teresa."),
    (
        "Rui",
        27,
        "Take a raincoat, it pours there every afternoon.",
    ),
    ("Ana", 27, "And you, will you visit your parents?"),
    (
        "Rui",
        27,
        "Yes, my father turns seventy, we bake him a walnut cake.",
    ),
];

fn talk() -> Engine {
    let engine = memory_engine();
    for (minute, (speaker, day, text)) in TALK.into_iter().enumerate() {
        let time = format!("2023-05-{day:02}T18:{minute:02}:00Z");
        let message = match speaker {
            "Ana" => Message::user(text),
            _ => Message::assistant(text),
        };
        let time: Timestamp = time.parse().unwrap();
        let message = message.with_name(speaker).with_time(time);
        let request = RecordRequest::of(vec![message]);
        engine
            .record_turn(&Principal::default(), &session("s"), request)
            .unwrap();
    }
    engine
}

fn policy() -> ContextPolicy {
    ContextPolicy {
        recency_turns: 0,
        facts_enabled: false,
        max_recall_tokens: Some(60),
        ..ContextPolicy::default()
    }
}

/// What is recalled for a question.
fn recalled(engine: &Engine, question: &str) -> String {
    let request = ContextRequest::ask(question).with_policy(policy());
    let context = engine
        .build_context(&Principal::default(), &session("s"), &request)
        .unwrap();
    evidence(&context)
}

#[test]
fn questions_find_their_evidence() {
    let engine = talk();
    for (question, expected) in [
        ("How is Ana's dog called?", "Lola"),
        ("When did Rui begin with pottery?", "yesterday"),
        ("What does the bowl that Rui made do with soup?", "leaks"),
        ("Where does Ana travel with Teresa?", "Azores"),
        ("What did Rui say on 17 May?", "landlord"),
        ("What cake is baked for Rui's father?", "walnut"),
    ] {
        let found = recalled(&engine, question);
        assert!(found.contains(expected), "{question}: {found}");
    }
}

#[test]
fn the_manifest_says_what_a_rank_is_made_of() {
    let engine = talk();
    let request = ContextRequest::ask("When did Rui begin with pottery?").with_policy(policy());
    let context = engine
        .build_context(&Principal::default(), &session("s"), &request)
        .unwrap();
    let record = context
        .manifest
        .candidate(&BlockRef::Event(EventId(9)))
        .unwrap();
    assert_eq!((record.class, record.fate), (Class::P4, Fate::Selected));
    let (signals, weights) = (record.scores.signals.unwrap(), policy().ranking);
    assert_eq!(
        (signals.speaker, signals.when),
        (weights.speaker, weights.when)
    );
    assert_eq!(
        (signals.question, signals.cost, signals.date),
        (0.0, 0.0, 0.0)
    );
    assert!((signals.sum() - record.scores.rank.unwrap()).abs() < 1e-4);
}

#[test]
fn a_hundred_questions_about_nothing_here_recall_nothing() {
    let engine = talk();
    assert_eq!(UNRELATED.len(), 100);
    let recall = |question: &&str| !recalled(&engine, question).is_empty();
    let wrong: Vec<&str> = UNRELATED.into_iter().filter(recall).collect();
    assert_eq!(wrong, Vec::<&str>::new());
}

const UNRELATED: [&str; 100] = [
    "What is the boiling point of tungsten?",
    "How do volcanoes erupt?",
    "Who wrote the Iliad?",
    "What is the capital of Mongolia?",
    "How many moons does Jupiter have?",
    "When was the Magna Carta signed?",
    "What is the derivative of a logarithm?",
    "How does a jet engine produce thrust?",
    "Which enzyme breaks down lactose?",
    "What causes the northern lights?",
    "Who painted the Sistine Chapel?",
    "How deep is the Mariana Trench?",
    "What is the chemical formula of ammonia?",
    "When did the Roman Republic fall?",
    "How do bees communicate the location of nectar?",
    "What does mitochondrial DNA reveal about ancestry?",
    "Which metal is liquid at 20 degrees Celsius?",
    "What is the half-life of carbon-14?",
    "How is aluminium refined from bauxite?",
    "Who discovered penicillin?",
    "What are the rules of cricket concerning leg before wicket?",
    "How do suspension bridges carry load?",
    "What is the GDP of Norway?",
    "When was the printing press invented?",
    "How do submarines control buoyancy?",
    "What is quantum entanglement?",
    "Which planet has the strongest winds?",
    "How do tectonic plates move?",
    "What is the tallest mountain in Antarctica?",
    "Who was emperor of China in 221 BC?",
    "How does photosynthesis convert sunlight?",
    "What is the plot of Hamlet?",
    "Which element has atomic number 79?",
    "How is whisky distilled?",
    "What is the difference between a viola and a violin?",
    "How do vaccines train the immune system?",
    "When did dinosaurs become extinct?",
    "What is the speed of sound in water?",
    "How was the Suez Canal financed?",
    "Which bird has the largest wingspan?",
    "What is the function of the pancreas?",
    "How do semiconductors conduct electricity?",
    "Who ruled Prussia in 1750?",
    "What is the currency of Thailand?",
    "How do glaciers carve valleys?",
    "What is a black hole's event horizon?",
    "Which treaty ended the Thirty Years' War?",
    "How do you prove that the square root of two is irrational?",
    "What is the melting point of gold?",
    "How are diamonds formed in the mantle?",
    "What are the symptoms of scurvy?",
    "Which language family does Finnish belong to?",
    "How does a refrigerator move heat?",
    "When was the Berlin Wall torn down?",
    "What is the orbital period of Halley's comet?",
    "How do antibiotics kill bacteria?",
    "Who composed the Brandenburg Concertos?",
    "What is the population of Lagos?",
    "How is parchment produced?",
    "What is the Heisenberg uncertainty principle?",
    "Which gas do plants absorb?",
    "How do sharks detect electric fields?",
    "What is the deepest lake in the world?",
    "When did the Ottoman Empire collapse?",
    "How does a transistor amplify a signal?",
    "What is the structure of a haiku?",
    "Which vitamin prevents rickets?",
    "How are hurricanes named?",
    "What is the origin of the word algebra?",
    "How did Napoleon lose at Waterloo?",
    "What is the refractive index of diamond?",
    "How do octopuses change colour?",
    "On which river does Baghdad lie?",
    "What is the Treaty of Westphalia?",
    "How is concrete reinforced?",
    "What is the salinity of the Dead Sea?",
    "Who formulated the laws of planetary motion?",
    "What does an MRI scanner detect?",
    "What is the Krebs cycle?",
    "When was the Eiffel Tower completed?",
    "How do owls hunt in darkness?",
    "What is the main export of Chile?",
    "Which dynasty built the Forbidden City?",
    "How do tsunamis form?",
    "What is the pH of lemon juice?",
    "How do catalysts speed up reactions?",
    "What is the longest bone in the human body?",
    "Who led the Haitian revolution?",
    "How do barometers measure pressure?",
    "What is a Fibonacci sequence?",
    "Which country invented paper money?",
    "How do nuclear reactors control fission?",
    "What is the tilt of the Earth's axis?",
    "How was Stonehenge constructed?",
    "What is the Doppler effect?",
    "Which mammal lays eggs?",
    "How do fireflies produce light?",
    "What is the atomic mass of helium?",
    "When did Magellan circumnavigate the globe?",
    "How does sonar locate submarines?",
];
