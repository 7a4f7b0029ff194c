//! The languages an analyzer can be set to.

use snowball_stemmers_rs::Algorithm;

macro_rules! languages {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $stemmer:expr;)+) => {
        /// The language whose stemmer and stop words an [`Analyzer`](super::Analyzer) uses.
        ///
        /// Words of every other language are still split, folded and found; they are only not stemmed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[non_exhaustive]
        pub enum Language {
            $($(#[$doc])* $name,)+
        }

        impl Language {
            /// Every language, in the order of their names, the neutral one last.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The ISO 639-1 code (`st` for Sesotho), or `und` for [`Language::Neutral`].
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            pub(super) const fn algorithm(self) -> Option<Algorithm> {
                match self { $(Self::$name => $stemmer,)+ }
            }
        }
    };
}

languages! {
    /// Arabic.
    Arabic = "ar", Some(Algorithm::Arabic);
    /// Armenian.
    Armenian = "hy", Some(Algorithm::Armenian);
    /// Basque.
    Basque = "eu", Some(Algorithm::Basque);
    /// Catalan.
    Catalan = "ca", Some(Algorithm::Catalan);
    /// Czech.
    Czech = "cs", Some(Algorithm::Czech);
    /// Danish.
    Danish = "da", Some(Algorithm::Danish);
    /// Dutch.
    Dutch = "nl", Some(Algorithm::Dutch);
    /// English (the default).
    #[default]
    English = "en", Some(Algorithm::English);
    /// Esperanto.
    Esperanto = "eo", Some(Algorithm::Esperanto);
    /// Estonian.
    Estonian = "et", Some(Algorithm::Estonian);
    /// Finnish.
    Finnish = "fi", Some(Algorithm::Finnish);
    /// French.
    French = "fr", Some(Algorithm::French);
    /// German.
    German = "de", Some(Algorithm::German);
    /// Greek.
    Greek = "el", Some(Algorithm::Greek);
    /// Hindi.
    Hindi = "hi", Some(Algorithm::Hindi);
    /// Hungarian.
    Hungarian = "hu", Some(Algorithm::Hungarian);
    /// Indonesian.
    Indonesian = "id", Some(Algorithm::Indonesian);
    /// Irish.
    Irish = "ga", Some(Algorithm::Irish);
    /// Italian.
    Italian = "it", Some(Algorithm::Italian);
    /// Lithuanian.
    Lithuanian = "lt", Some(Algorithm::Lithuanian);
    /// Nepali.
    Nepali = "ne", Some(Algorithm::Nepali);
    /// Norwegian.
    Norwegian = "no", Some(Algorithm::Norwegian);
    /// Persian.
    Persian = "fa", Some(Algorithm::Persian);
    /// Polish.
    Polish = "pl", Some(Algorithm::Polish);
    /// Portuguese.
    Portuguese = "pt", Some(Algorithm::Portuguese);
    /// Romanian.
    Romanian = "ro", Some(Algorithm::Romanian);
    /// Russian.
    Russian = "ru", Some(Algorithm::Russian);
    /// Serbian.
    Serbian = "sr", Some(Algorithm::Serbian);
    /// Sesotho.
    Sesotho = "st", Some(Algorithm::Sesotho);
    /// Spanish.
    Spanish = "es", Some(Algorithm::Spanish);
    /// Swedish.
    Swedish = "sv", Some(Algorithm::Swedish);
    /// Tamil.
    Tamil = "ta", Some(Algorithm::Tamil);
    /// Turkish.
    Turkish = "tr", Some(Algorithm::Turkish);
    /// Ukrainian.
    Ukrainian = "uk", Some(Algorithm::Ukrainian);
    /// Yiddish.
    Yiddish = "yi", Some(Algorithm::Yiddish);
    /// No language in particular: words are folded but neither stemmed nor taken for stop words.
    Neutral = "und", None;
}

impl Language {
    /// The language of an ISO 639-1 code, or `None` where there is no stemmer for it.
    ///
    /// ```
    /// use aura_text::Language;
    /// assert_eq!(Language::from_code("de"), Some(Language::German));
    /// assert_eq!(Language::from_code("xx"), None);
    /// ```
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|l| l.code() == code)
    }

    /// Whether a short word before an apostrophe is an article or pronoun of its own ("l'homme", "un'amica").
    pub(super) const fn elides(self) -> bool {
        matches!(self, Self::French | Self::Italian | Self::Catalan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_leads_back_to_its_language() {
        for &language in Language::ALL {
            assert_eq!(Language::from_code(language.code()), Some(language));
        }
        assert_eq!(Language::default(), Language::English);
    }
}
