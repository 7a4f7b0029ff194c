//! Golden examples of several languages, and the guarantees of the analyzer.

use proptest::prelude::*;

use super::*;

fn analyzer(language: Language) -> Analyzer {
    Analyzer::new(AnalyzerOptions {
        language,
        ..AnalyzerOptions::default()
    })
}

#[track_caller]
fn gives(language: Language, text: &str, terms: &str) {
    assert_eq!(analyzer(language).terms(text).join(" "), terms, "{text}");
}

/// Every content term of `query` occurs in `text`.
#[track_caller]
fn finds(language: Language, query: &str, text: &str) {
    let analyzer = analyzer(language);
    let terms = analyzer.terms(text);
    for term in analyzer.query(query).texts() {
        assert!(
            terms.iter().any(|t| t == term),
            "{term} of {query} in {terms:?}"
        );
    }
}

#[test]
fn english() {
    let en = Language::English;
    gives(
        en,
        "I live in Oslo and I have two cats, Miso and Nori.",
        "live oslo two cat miso nori",
    );
    gives(
        en,
        "Miso's toys; the students’ café isn't open, don't go!",
        "miso toy student cafe open go",
    );
    gives(
        en,
        "She'll say they've been RUNNING quickly",
        "say run quick",
    );
    gives(
        en,
        "O'Brien rock'n'roll o’clock",
        "obrien brien rocknrol oclock clock",
    );
    gives(en, "C++ and C# code, F#", "c++ c c# c code f# f");
    finds(en, "moved", "I just moved to Berlin");
    finds(en, "Müller’s naive resume", "Muller naïve résumé");
}

#[test]
fn identifiers_addresses_and_paths() {
    let en = Language::English;
    gives(en, "order_id", "orderid order id");
    gives(en, "orderId", "orderid order id");
    gives(en, "ORD-7781", "ord7781 ord 7781");
    gives(en, "getHTTPResponse", "gethttprespons get respons");
    gives(
        en,
        "e-mail well-known and/or great.Thanks",
        "email e mail wellknown well known great thank",
    );
    gives(en, "ana@example.com", "anaexamplecom ana exampl com");
    gives(en, "src/main.rs", "srcmainr src main rs");
    gives(
        en,
        "iPhone15 iPhone mp3 B2B",
        "iphone15 iphon 15 iphon mp3 b2b",
    );
    for (query, text) in [
        ("orderId", "order_id"),
        ("OrderID", "order-id"),
        ("7781", "the order ORD-7781 is late"),
        ("ord7781", "ORD-7781"),
        ("example.com", "see https://www.example.com/docs?page=2"),
        ("main.rs", "crates/aura/src/main.rs"),
        ("email", "my e-mail"),
        ("iphone 15", "iPhone15"),
    ] {
        let analyzer = analyzer(en);
        let terms = analyzer.terms(text);
        assert!(
            analyzer
                .query(query)
                .texts()
                .any(|t| terms.iter().any(|x| x == t)),
            "{query} in {text}"
        );
    }
}

#[test]
fn numbers_and_dates() {
    let en = Language::English;
    gives(en, "2024-05-03", "20240503 2024 5 3");
    gives(
        en,
        "2024/05/03 03.05.2024",
        "20240503 2024 5 3 03052024 3 5 2024",
    );
    gives(en, "10:30 3-4 24/7", "10-30 10 30 3-4 3 4 24-7 24 7");
    gives(
        en,
        "$1,234.50 1.234,50 12,000 3.14 42 007 05",
        "1234.50 1234.50 12000 3.14 42 007 5",
    );
    gives(en, "3,5", "3.5 3 5");
    gives(en, "1.2.3 192.168.0.1", "1-2-3 1 2 3 19216801 192 168 0 1");
    gives(
        en,
        "2024-05-03T10:30:00Z",
        "20240503t103000z 2024 5 03t10 3 10 30 00z 0",
    );
    gives(en, "3rd 10am 50kg", "3rd 3 10am 10 50kg 50");
    gives(en, "٢٠٢٤", "2024");
    finds(en, "10 am", "at 10am");
}

#[test]
fn german_spanish_french_italian() {
    gives(
        Language::German,
        "Die Katzen der Müllers wohnen in der Hauptstraße",
        "katz mull wohn hauptstrass",
    );
    finds(Language::German, "hauptstrasse", "Hauptstraße");
    finds(Language::Spanish, "programacion", "la programación");
    finds(Language::Spanish, "programación", "programaciones");
    gives(Language::French, "L'homme qu’elle aime", "homm aim");
    finds(Language::French, "élève", "les eleves");
    gives(Language::Italian, "l'amica dell'uomo", "amic uom");
    gives(Language::Turkish, "İstanbul'da IRMAK", "istanbul irmak");
}

#[test]
fn cyrillic_greek_arabic_hebrew_hindi() {
    gives(
        Language::Russian,
        "Кошки живут в Берлине",
        "кошк живут берлин",
    );
    finds(Language::Russian, "елка", "Ёлка");
    gives(Language::English, "Мой йогурт їжак", "мой йогурт їжак");
    gives(Language::Greek, "οι γάτες", "γατ");
    finds(Language::English, "محمد", "مُحَمَّد");
    finds(Language::English, "שלום", "שָׁלוֹם");
    gives(Language::English, "हिन्दी भाषा", "हिन्दी भाषा");
    finds(Language::Hindi, "भाषा", "हिन्दी भाषा में");
}

#[test]
fn scripts_without_spaces() {
    let en = Language::English;
    gives(en, "我住在柏林。", "我 我住 住 住在 在 在柏 柏 柏林 林");
    gives(en, "猫", "猫");
    gives(en, "東京タワーへ", "東 東京 京 京タ タワ ワー ーへ");
    gives(en, "ﾀﾜｰ", "タワ ワー");
    finds(en, "タワー", "ﾄｳｷｮｳﾀﾜｰ");
    gives(
        en,
        "한국어를 배워요 집",
        "한국어를 한국 국어 어를 배워요 배워 워요 집",
    );
    finds(en, "한국", "한국어를");
    gives(en, "ไปไหน", "ไป ปไ ไห หน");
    finds(en, "เที่ยว", "ไปเที่ยวกัน");
    finds(en, "ខ្មែរ", "ភាសាខ្មែរ");
    finds(en, "ລາວ", "ພາສາລາວ");
    gives(en, "在Oslo住2年", "在 oslo 住 2 年");
}

#[test]
fn wholes_and_parts_say_where_they_come_from() {
    let mut seen = Vec::new();
    Analyzer::english().for_each_term("see order_id", &mut Scratch::new(), |t| {
        seen.push((t.text.to_owned(), t.range, t.kind, t.weight));
    });
    assert_eq!(
        seen,
        [
            ("see".to_owned(), 0..3, TermKind::Word, 1.0),
            ("orderid".to_owned(), 4..12, TermKind::Whole, 1.0),
            ("order".to_owned(), 4..9, TermKind::Part, 0.5),
            ("id".to_owned(), 10..12, TermKind::Part, 0.5),
        ]
    );
}

#[test]
fn queries_fall_back_to_stop_words() {
    let analyzer = Analyzer::english();
    let query = analyzer.query("Who are you, and who am I?");
    assert!(query.only_stop_words);
    assert_eq!(
        query.texts().collect::<Vec<_>>(),
        ["who", "are", "you", "and", "am", "i"]
    );
    assert_eq!(query.terms[0].weight, 2.0);
    let query = analyzer.query("cats, the cat and THE dog");
    assert!(!query.only_stop_words);
    assert_eq!(query.texts().collect::<Vec<_>>(), ["cat", "dog"]);
    assert_eq!(query.terms[0].weight, 2.0);
    let nothing = analyzer.query(" ?! 🍕 ");
    assert!(nothing.is_empty() && !nothing.only_stop_words);
}

#[test]
fn options_switch_stemming_and_stop_words_off() {
    let plain = Analyzer::new(AnalyzerOptions {
        stem: false,
        stop_words: false,
        ..AnalyzerOptions::default()
    });
    assert_eq!(plain.terms("The cats don't"), ["the", "cats", "dont"]);
    // One scratch space serves analyzers in turn.
    let mut scratch = Scratch::new();
    for _ in 0..2 {
        for (analyzer, stem) in [(&plain, "running"), (&Analyzer::english(), "run")] {
            analyzer.for_each_term("running", &mut scratch, |t| assert_eq!(t.text, stem));
        }
    }
}

#[test]
fn endless_words_are_cut() {
    let terms = Analyzer::english().terms(&"ab1".repeat(400_000));
    assert_eq!(terms.len(), 1);
    assert_eq!(terms[0].len(), MAX_TERM_BYTES);
    let joined = Analyzer::english().terms(&"abcdef-".repeat(1000));
    assert_eq!(joined.len(), 1000);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[ -~]{0,80}",
        "([a-zA-Z]{1,12}|[0-9]{1,5}|[äöüßéèçñøłжйёבא中文カなﾞ한국ไทยहिदी\u{301}\u{5b8}\u{64e}'’_./@:#+,-]| ){0,40}",
        proptest::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter),
    ]
}

fn any_language() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL)
}

proptest! {
    #[test]
    fn terms_are_well_formed(text in any_text(), language in any_language()) {
        let mut start = 0;
        analyzer(language).for_each_term(&text, &mut Scratch::new(), |t| {
            assert!(!t.text.is_empty() && t.text.len() <= MAX_TERM_BYTES, "{t:?}");
            assert!(!t.text.contains(char::is_whitespace), "{t:?}");
            assert!(!t.text.contains(|c: char| c.is_ascii_uppercase()), "{t:?}");
            assert!(text.get(t.range.clone()).is_some_and(|s| !s.is_empty()), "{t:?}");
            assert!(t.weight > 0.0 && t.weight <= 1.0, "{t:?}");
            if t.kind == TermKind::Word {
                assert!(t.range.start >= start, "{t:?}");
                start = t.range.start;
            }
        });
    }

    #[test]
    fn a_warm_scratch_changes_nothing(texts in proptest::collection::vec((any_text(), any_language()), 1..6)) {
        let mut warm = Scratch::new();
        for (text, language) in &texts {
            let (mut cold, mut kept) = (Vec::new(), Vec::new());
            let analyzer = analyzer(*language);
            analyzer.for_each_term(text, &mut Scratch::new(), |t| cold.push(format!("{t:?}")));
            analyzer.for_each_term(text, &mut warm, |t| kept.push(format!("{t:?}")));
            analyzer.for_each_term(text, &mut warm, |t| kept.push(format!("{t:?}")));
            prop_assert_eq!([cold.clone(), cold].concat(), kept);
        }
    }

    #[test]
    fn a_text_is_found_by_itself_and_between_others(text in any_text(), before in any_text(), language in any_language()) {
        let analyzer = analyzer(language);
        let all = analyzer.terms(&format!("{before} {text} {before}"));
        let query = analyzer.query(&text);
        if !query.only_stop_words {
            for term in query.texts() {
                prop_assert!(all.iter().any(|t| t == term), "{}", term);
            }
        }
    }

    #[test]
    fn case_and_width_do_not_matter(text in "[a-z ]{0,40}") {
        let wide: String = text.chars().map(|c| match c {
            'a'..='z' => char::from_u32(u32::from(c) - 0x61 + 0xFF41).unwrap(),
            other => other,
        }).collect();
        let analyzer = Analyzer::english();
        prop_assert_eq!(analyzer.terms(&text), analyzer.terms(&text.to_uppercase()));
        prop_assert_eq!(analyzer.terms(&text), analyzer.terms(&wide));
    }
}
