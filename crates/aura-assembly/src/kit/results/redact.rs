//! Secrets taken out, by the names of their keys and by their patterns, before anything is logged or shown.
//!
//! Both lists are public and stand in `docs/results.md`; a test compares them.

use std::borrow::Cow;
use std::sync::LazyLock;

use aura_core::RawJson;
use regex::Regex;
use serde_json::Value;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Names of keys whose values are secrets, in lower case without `-` and `_`; a key is secret that ends with one of them.
pub const SECRET_KEYS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secretkey",
    "clientsecret",
    "apikey",
    "accesskey",
    "privatekey",
    "encryptionkey",
    "token",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "sessiontoken",
    "authtoken",
    "bearertoken",
    "authorization",
    "proxyauthorization",
    "cookie",
    "setcookie",
    "credential",
    "credentials",
    "connectionstring",
    "pin",
    "cvv",
    "cvc",
    "otp",
];

/// What a secret looks like, by name; where a pattern has a group `keep`, that part stays.
pub const SECRET_PATTERNS: &[(&str, &str)] = &[
    (
        "private key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
    ),
    (
        "JSON web token",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    ),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    (
        "OpenAI key",
        r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}",
    ),
    ("Stripe key", r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    ("Google API key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("Google OAuth token", r"\bya29\.[A-Za-z0-9_-]{20,}"),
    (
        "GitHub token",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    ),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("Telegram bot token", r"\b[0-9]{8,10}:[A-Za-z0-9_-]{35}\b"),
    (
        "authorization header",
        r"(?i)(?P<keep>\b(?:bearer|basic)\s+)[A-Za-z0-9+/_.=~-]{12,}",
    ),
    (
        "password in an address",
        r"(?P<keep>\b[a-z][a-z0-9+.-]*://[^\s/:@]+:)[^\s/@]+@",
    ),
    (
        "assignment",
        r#"(?i)(?P<keep>\b[a-z0-9_-]*(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|token)["']?\s*[:=]\s*["']?)[^\s"',;&}]{6,}"#,
    ),
];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    // A test compiles each of them, so none is left out.
    let patterns = SECRET_PATTERNS.iter();
    patterns
        .filter_map(|(_, pattern)| Regex::new(pattern).ok())
        .collect()
});

/// A text without what looks like a secret.
///
/// ```
/// use aura_assembly::results::redact_text;
/// assert_eq!(redact_text("password=hunter22 for ana"), "password=[redacted] for ana");
/// assert_eq!(redact_text("nothing to hide"), "nothing to hide");
/// ```
#[must_use]
pub fn redact_text(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for pattern in PATTERNS.iter() {
        let replaced = pattern.replace_all(&out, |found: &regex::Captures<'_>| {
            let kept = found.name("keep").map_or("", |kept| kept.as_str());
            let end = if found
                .get(0)
                .is_some_and(|all| kept.contains("://") && all.as_str().ends_with('@'))
            {
                "@"
            } else {
                ""
            };
            format!("{kept}{REDACTED}{end}")
        });
        if let Cow::Owned(replaced) = replaced {
            out = Cow::Owned(replaced);
        }
    }
    out
}

/// A JSON value without the values of secret keys and without what looks like a secret.
#[must_use]
pub fn redact_json(json: &RawJson) -> RawJson {
    let mut value = json.to_value();
    if !redact(&mut value) {
        return json.clone();
    }
    RawJson::of(&value).unwrap_or_else(|_| json.clone())
}

/// Whether anything was taken out.
fn redact(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            let mut changed = false;
            for (key, value) in fields {
                if is_secret(key) && !value.is_null() && !value.is_boolean() {
                    *value = Value::from(REDACTED);
                    changed = true;
                } else {
                    changed |= redact(value);
                }
            }
            changed
        }
        Value::Array(items) => items
            .iter_mut()
            .fold(false, |changed, item| redact(item) | changed),
        Value::String(text) => match redact_text(text) {
            Cow::Owned(redacted) => {
                *text = redacted;
                true
            }
            Cow::Borrowed(_) => false,
        },
        _ => false,
    }
}

/// Whether a key's value is a secret. Numbers of tokens and the like are none.
fn is_secret(key: &str) -> bool {
    let plain: String = key
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    SECRET_KEYS.iter().any(|secret| {
        // Short names are meant as they stand: `pin` is not in `spin`.
        if secret.len() <= 4 {
            plain == *secret
        } else {
            plain.ends_with(secret)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_finds_its_secret() {
        assert_eq!(PATTERNS.len(), SECRET_PATTERNS.len());
        let long = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0";
        for secret in [
            format!("-----BEGIN RSA PRIVATE KEY-----\n{long}\n-----END RSA PRIVATE KEY-----"),
            format!("eyJ{}.eyJ{}.{}", &long[..12], &long[..12], &long[..12]),
            format!("sk-ant-api03-{long}"),
            format!("sk-proj-{long}"),
            format!("sk_live_{long}"),
            "AKIAIOSFODNN7EXAMPLE".to_owned(),
            format!("AIza{}", &long[..35]),
            format!("ya29.{long}"),
            format!("ghp_{}", &long[..36]),
            format!("github_pat_{long}"),
            format!("glpat-{}", &long[..20]),
            format!("xoxb-{}", &long[..20]),
            format!("hf_{}", &long[..34]),
            format!("npm_{}", &long[..36]),
            format!("123456789:{}", &long[..35]),
        ] {
            let text = format!("use {secret} here");
            assert_eq!(redact_text(&text), "use [redacted] here", "{secret}");
        }
        assert_eq!(
            redact_text("Authorization: Bearer abcdefghijklmnop"),
            "Authorization: Bearer [redacted]"
        );
        assert_eq!(
            redact_text("postgres://ana:s3cret!@db/x"),
            "postgres://ana:[redacted]@db/x"
        );
        assert_eq!(
            redact_text(r#"{"api_key": "abcdef123456"}"#),
            r#"{"api_key": "[redacted]"}"#
        );
    }

    #[test]
    fn plain_words_stay() {
        for text in [
            "The token of our friendship is a ring.",
            "Basic training takes a year",
            "commit 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39",
            "max_tokens: 4096",
            "https://example.org/a:b@c",
        ] {
            assert!(matches!(redact_text(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn keys_hide_their_values() {
        let json = |text: &str| RawJson::new("test", text).unwrap();
        let hidden = redact_json(&json(
            r#"{"user":"ana","Client-Secret":"x","nested":[{"pin":1234,"spin":7}],"max_tokens":9}"#,
        ));
        assert_eq!(
            hidden.to_value(),
            serde_json::json!({"user": "ana", "Client-Secret": REDACTED, "nested": [{"pin": REDACTED, "spin": 7}], "max_tokens": 9})
        );
        let same = json(r#"{ "a":  1.0 }"#);
        assert_eq!(redact_json(&same), same);
    }

    #[test]
    fn the_published_list_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results.md");
        let page = std::fs::read_to_string(path).unwrap();
        for key in SECRET_KEYS {
            assert!(page.contains(&format!("`{key}`")), "{key}");
        }
        for (name, _) in SECRET_PATTERNS {
            assert!(page.contains(name), "{name}");
        }
    }
}
