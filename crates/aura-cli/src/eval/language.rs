//! Which language a conversation is in.

/// How much of a conversation is looked at, in bytes: enough to be sure, little enough to be quick.
const SAMPLE_BYTES: usize = 16 * 1024;

/// The language of most of the texts, as an ISO 639-3 code; `und` where that cannot be told.
pub(crate) fn language_of<'a>(texts: impl Iterator<Item = &'a str>) -> &'static str {
    let mut sample = String::new();
    for text in texts {
        sample.push_str(text);
        sample.push('\n');
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    whatlang::detect_lang(&sample).map_or("und", |language| language.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        for (text, code) in [
            (
                "We moved the meeting to Thursday because the train was late again.",
                "eng",
            ),
            ("我们把会议改到星期四，因为火车又晚点了。", "cmn"),
            (
                "Wir haben das Treffen auf Donnerstag verschoben, weil der Zug wieder zu spät kam.",
                "deu",
            ),
            ("", "und"),
        ] {
            assert_eq!(language_of([text].into_iter()), code);
        }
    }
}
