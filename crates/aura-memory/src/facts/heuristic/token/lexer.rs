//! Splits text into tokens.

use super::{Kind, Token, Tokens};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::mark;

impl Tokens<'_> {
    pub(super) fn push(&mut self, at: usize, c: char) -> usize {
        let next = at + c.len_utf8();
        self.has_han |= matches!(c, '\u{4e00}'..='\u{9fff}');
        if c == '\n' {
            return self.mark(at, next, Kind::Stop);
        }
        if c.is_whitespace() {
            return next;
        }
        if c.is_ascii_digit() {
            return self.number(at);
        }
        if c.is_alphabetic() || c == '_' {
            return self.word(at);
        }
        let kind = match c {
            '.' | '。' | '…' => Kind::Stop,
            ',' | '，' | '、' => Kind::Comma,
            '?' | '？' => Kind::Question,
            '!' | '！' => Kind::Exclamation,
            ';' | '；' => Kind::Semicolon,
            ':' | '：' => Kind::Colon,
            '"' | '“' | '”' | '„' | '«' | '»' | '「' | '」' => Kind::Quote,
            '(' | '[' | '{' | '（' => Kind::Open,
            ')' | ']' | '}' | '）' => Kind::Close,
            '$' | '€' | '£' | '¥' => Kind::Currency,
            '→' | '⇒' => Kind::Arrow,
            '—' | '–' => Kind::Dash,
            '/' => Kind::Slash,
            '-' if self
                .text
                .get(next..)
                .is_some_and(|rest| rest.starts_with('>')) =>
            {
                return self.mark(at, next + 1, Kind::Arrow);
            }
            '-' => Kind::Dash,
            _ => Kind::Other,
        };
        self.mark(at, next, kind)
    }

    fn mark(&mut self, start: usize, end: usize, kind: Kind) -> usize {
        self.list.push(Token {
            start: offset(start),
            end: offset(end),
            kind,
            ..Token::default()
        });
        end
    }

    fn number(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(&b) = bytes.get(end) {
            let digit_follows = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            let letter_follows = bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic);
            let inside = matches!(b, b'.' | b',' | b':' | b'-' | b'/') && digit_follows
                || b == b'-' && letter_follows;
            if !(b.is_ascii_alphanumeric() || b == b'%' || inside) {
                break;
            }
            end += 1;
        }
        self.add(start, end, start, end, Kind::Number);
        end
    }

    fn word(&mut self, start: usize) -> usize {
        let end = self.word_end(start);
        let rest = self.text.get(end..).unwrap_or_default();
        let mut chars = rest.chars();
        let apostrophe = chars.next().filter(|c| matches!(c, '\'' | '’' | '‘'));
        let Some(apostrophe) = apostrophe else {
            self.whole_word(start, end);
            return end;
        };
        let tail_start = end + apostrophe.len_utf8();
        if !chars.next().is_some_and(char::is_alphabetic) {
            self.whole_word(start, end);
            return end;
        }
        let tail_end = self.word_end(tail_start);
        let tail = self.text.get(tail_start..tail_end).unwrap_or_default();
        let spoken = match tail.to_ascii_lowercase().as_str() {
            "s" if self
                .text
                .get(start..end)
                .is_some_and(|word| word.eq_ignore_ascii_case("let")) =>
            {
                "us"
            }
            "s" => "'s",
            "m" => "am",
            "re" => "are",
            "ve" => "have",
            "ll" => "will",
            "d" => "would",
            "t" => {
                let base = self.text.get(start..end).unwrap_or_default();
                let cut = match base.to_ascii_lowercase().as_str() {
                    "won" => return self.pair(start, end, "will", tail_end, "not"),
                    "can" => return self.pair(start, end, "can", tail_end, "not"),
                    "shan" => return self.pair(start, end, "shall", tail_end, "not"),
                    lower => lower.strip_suffix('n').map(str::len),
                };
                let Some(cut) = cut else {
                    self.whole_word(start, tail_end);
                    return tail_end;
                };
                self.add(start, start + cut, start, start + cut, Kind::Word);
                self.spell(start + cut, tail_end, "not");
                return tail_end;
            }
            // `j'habite`, `l'appartement`: the article or pronoun before its word.
            _ if end - start <= 2 => {
                self.add(start, end, start, end, Kind::Word);
                self.whole_word(tail_start, tail_end);
                return tail_end;
            }
            _ => {
                self.add(start, tail_end, start, tail_end, Kind::Word);
                return tail_end;
            }
        };
        self.whole_word(start, end);
        self.spell(end, tail_end, spoken);
        tail_end
    }

    fn pair(
        &mut self,
        start: usize,
        middle: usize,
        first: &str,
        end: usize,
        second: &str,
    ) -> usize {
        self.spell(start, middle, first);
        self.spell(middle, end, second);
        end
    }

    /// A word that stands whole, or a contraction written without its apostrophe.
    fn whole_word(&mut self, start: usize, end: usize) {
        if (2..=8).contains(&(end - start))
            && let Some((first, second)) = self.text.get(start..end).and_then(lexicon::contraction)
        {
            self.spell(start, end, first);
            self.spell(end, end, second);
            return;
        }
        self.add(start, end, start, end, Kind::Word);
    }

    fn word_end(&self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut chars = rest.char_indices().peekable();
        let mut end = start;
        let mut abbreviated = false;
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            let joins = next.is_some_and(char::is_alphanumeric);
            let inside = match c {
                '-' | '&' | '@' => joins,
                // `Node.js` and `e.g.`, but not `end.Next`.
                '.' => {
                    let lower = next.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit());
                    abbreviated |= lower;
                    lower
                }
                '+' | '#' => at > 0 && (next == Some('+') || !joins),
                _ => c.is_alphanumeric() || c == '_' || is_mark(c),
            };
            if !inside {
                let word = rest.get(..at).unwrap_or_default();
                let letters = abbreviated && word.split('.').all(|part| part.chars().count() == 1);
                if c == '.' && (letters || lexicon::is_abbreviation(word)) {
                    end += 1;
                }
                break;
            }
            end = start + at + c.len_utf8();
        }
        end
    }

    /// A token whose folded form is not what is written.
    fn spell(&mut self, start: usize, end: usize, folded: &str) {
        let capital = self.starts_capital(start, end);
        let fold_start = offset(self.folded.len());
        self.folded.push_str(folded);
        self.push_token(start, end, fold_start, Kind::Word, capital);
    }

    fn add(&mut self, start: usize, end: usize, from: usize, to: usize, kind: Kind) {
        let capital = self.starts_capital(start, end);
        let fold_start = offset(self.folded.len());
        let word = self.text.get(from..to).unwrap_or_default();
        if word.is_ascii() {
            self.folded.push_str(word);
            if let Some(tail) = self.folded.get_mut(fold_start as usize..) {
                tail.make_ascii_lowercase();
            }
        } else {
            for c in word.chars().flat_map(char::to_lowercase) {
                self.folded.push(if c == '’' { '\'' } else { c });
            }
        }
        self.push_token(start, end, fold_start, kind, capital);
    }

    fn push_token(&mut self, start: usize, end: usize, fold_start: u32, kind: Kind, capital: bool) {
        let entry = self
            .folded
            .get(fold_start as usize..)
            .map(lexicon::look_up)
            .unwrap_or_default();
        self.classes = self.classes.with(entry.class);
        let inside = self.list.last().is_some_and(|token| token.is_wordy());
        self.cased |= capital && inside && !entry.class.has(Class::I);
        let own = self
            .folded
            .as_bytes()
            .get(fold_start as usize..)
            .map_or(0, mark);
        let marks = [
            own,
            if entry.lemma.is_empty() {
                own
            } else {
                entry.mark
            },
        ];
        self.list.push(Token {
            start: offset(start),
            end: offset(end),
            fold_start,
            fold_end: offset(self.folded.len()),
            kind,
            entry,
            marks,
            capital,
            quoted: false,
        });
    }

    fn starts_capital(&self, start: usize, end: usize) -> bool {
        let word = self.text.get(start..end).unwrap_or_default();
        // `iPhone` too.
        let mut letters = word.chars();
        letters
            .next()
            .is_some_and(|c| c.is_uppercase() || c == 'i' || c == 'e')
            && (word.starts_with(char::is_uppercase)
                || letters.next().is_some_and(char::is_uppercase))
    }

    /// Marks what stands between quotation marks; a mark without its partner quotes to the end of its line.
    pub(super) fn mark_quotes(&mut self) {
        let mut inside = false;
        for token in &mut self.list {
            match token.kind {
                Kind::Quote => inside = !inside,
                Kind::Stop
                    if token.end - token.start == 1
                        && self.text.as_bytes().get(token.start as usize) == Some(&b'\n') =>
                {
                    inside = false;
                }
                _ => token.quoted = inside,
            }
        }
    }
}

/// Combining marks continue the word they stand in.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe0f}')
}

fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
