use super::clause::{Clause, Mood, Subject, Tense, sentence};
use super::token::{Kind, Tokens};
use super::value::{self, Sort};
use super::wording::{substituted, without_item};
use super::{lexicon, phrase};

fn clauses(text: &str) -> Vec<(String, Clause)> {
    let tokens = Tokens::of(text);
    let end = (0..tokens.len())
        .find(|i| tokens.at(*i).ends_sentence())
        .unwrap_or(tokens.len());
    sentence::clauses(&tokens, 0, end, tokens.kind(end) == Kind::Question)
        .into_iter()
        .map(|clause| (tokens.slice(clause.start, clause.end).to_owned(), clause))
        .collect()
}

fn moods(text: &str) -> Vec<Mood> {
    clauses(text)
        .into_iter()
        .map(|(_, clause)| clause.mood)
        .collect()
}

#[test]
fn contractions_are_two_words_and_abbreviations_one() {
    let folds = |text: &str| {
        let tokens = Tokens::of(text);
        (0..tokens.len())
            .map(|i| tokens.fold(i).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        folds("I don't. It’s Dr. Hall's, can't"),
        [
            "i", "do", "not", "", "it", "'s", "dr.", "hall", "'s", "", "can", "not"
        ]
    );
    assert_eq!(
        folds("Im sure lets go"),
        ["i", "am", "sure", "let", "us", "go"]
    );
    assert_eq!(
        folds("J'habite v2.5 C++ $9,500 3pm"),
        ["j", "habite", "v2.5", "c++", "", "9,500", "3pm"]
    );
}

#[test]
fn sentences_fall_into_clauses() {
    let texts: Vec<_> = clauses("I live in Oslo and I have two cats, Miso and Nori.")
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(texts, ["I live in Oslo", "I have two cats, Miso and Nori"]);
    let texts: Vec<_> = clauses("By the way, my sister moved to Rome, but I still work at Nokia.")
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(texts, ["my sister moved to Rome", "I still work at Nokia"]);
}

#[test]
fn moods_say_what_is_asserted() {
    use Mood::{Asserted, Hedged, Hypothetical, Intended, Question, Reported, Request};
    assert_eq!(moods("I moved to Berlin"), [Asserted]);
    assert_eq!(moods("I might move to Berlin"), [Hypothetical]);
    assert_eq!(moods("I want to move to Berlin"), [Intended]);
    assert_eq!(moods("I moved to Berlin?"), [Question]);
    assert_eq!(
        moods("If I moved, I would be happy"),
        [Hypothetical, Hypothetical]
    );
    assert_eq!(moods("My friend says he moved"), [Asserted, Reported]);
    assert_eq!(moods("I think it is Monday"), [Asserted, Hedged]);
    assert_eq!(
        moods("I just moved to Berlin, can you recommend a gym?"),
        [Asserted, Question, Question]
    );
    assert_eq!(moods("Tell me where I live"), [Request, Request]);
}

#[test]
fn subjects_and_tenses_are_told_apart() {
    let first = |text: &str| {
        let (_, clause) = clauses(text).remove(0);
        (
            clause.subject,
            clause.tense,
            clause.marks.negated || clause.marks.ended,
        )
    };
    assert_eq!(
        first("I don't have a car"),
        (Subject::Me, Tense::Present, true)
    );
    assert_eq!(
        first("Dalia is taking over from Ana"),
        (Subject::Name, Tense::Progressive, false)
    );
    assert_eq!(
        first("Our budget was raised to 6k"),
        (Subject::Mine, Tense::Past, false)
    );
    assert_eq!(first("Sold the car"), (Subject::Me, Tense::Past, false));
    assert_eq!(
        first("Drop eggs from the list"),
        (Subject::Nobody, Tense::Order, false)
    );
    assert_eq!(
        first("We used to live in Rome"),
        (Subject::Us, Tense::Former, false)
    );
    assert_eq!(
        first("Joan and I got divorced"),
        (Subject::Us, Tense::Past, false)
    );
}

#[test]
fn values_have_sorts() {
    let sorts = |text: &str| {
        let tokens = Tokens::of(text);
        value::all(&tokens, 0, tokens.len())
            .iter()
            .map(|value| (value.sort, tokens.slice(value.start, value.end).to_owned()))
            .collect::<Vec<_>>()
    };
    let one = |sort, text: &str| vec![(sort, text.to_owned())];
    assert_eq!(sorts("about $9,500 in all"), one(Sort::Money, "$9,500"));
    assert_eq!(sorts("3000 euros"), one(Sort::Money, "3000 euros"));
    assert_eq!(
        sorts("until next Wednesday"),
        one(Sort::Date, "next Wednesday")
    );
    assert_eq!(
        sorts("the 21st of October"),
        one(Sort::Date, "21st of October")
    );
    assert_eq!(sorts("May 3, 2024"), one(Sort::Date, "May 3, 2024"));
    assert_eq!(sorts("I may go"), []);
    assert_eq!(sorts("at 10:30"), one(Sort::Time, "10:30"));
    assert_eq!(sorts("40 chairs"), one(Sort::Number, "40"));
    assert_eq!(sorts("95%"), one(Sort::Percent, "95%"));
}

#[test]
fn enumerations_keep_names_with_what_they_name() {
    let items = |text: &str| {
        let tokens = Tokens::of(text);
        phrase::items(&tokens, 0, tokens.len())
            .iter()
            .map(|item| tokens.slice(item.0, item.1).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(items("milk, eggs and bread"), ["milk", "eggs", "bread"]);
    assert_eq!(
        items("two cats, Miso and Nori, and a dog"),
        ["two cats, Miso and Nori", "a dog"]
    );
    assert_eq!(
        items("a dog called Max and a cat called Tom"),
        ["a dog called Max", "a cat called Tom"]
    );
}

#[test]
fn items_leave_lists() {
    let words = |word: &str| vec![lexicon::stem(word).to_owned()];
    assert_eq!(
        without_item("list: milk, eggs, bread", &words("eggs")).as_deref(),
        Some("list: milk, bread")
    );
    assert_eq!(
        without_item("has two cats, Miso and Nori", &words("nori")).as_deref(),
        Some("has one cat, Miso")
    );
    assert_eq!(
        without_item("list: milk", &words("milk")).as_deref(),
        Some("")
    );
    assert_eq!(without_item("has a car", &words("car")), None);
}

#[test]
fn new_values_stand_where_old_ones_stood() {
    let words = |text: &str| {
        text.split(' ')
            .map(|word| lexicon::stem(word).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        substituted("has an oak table", &words("oak"), "walnut").as_deref(),
        Some("has a walnut table")
    );
    assert_eq!(
        substituted("needs 10 chairs", &words("10"), "12").as_deref(),
        Some("needs 12 chairs")
    );
    assert_eq!(substituted("needs 10 chairs", &words("11"), "12"), None);
}
