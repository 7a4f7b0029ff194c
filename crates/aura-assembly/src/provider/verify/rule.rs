//! The rules by their permanent ids.

use aura_core::Provider;

/// A rule of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its permanent id.
    pub id: &'static str,
    /// What it demands.
    pub demands: &'static str,
}

/// The rules of a provider that can be checked without it, by id; none for `generic`.
#[must_use]
pub fn rules(provider: Provider) -> &'static [&'static Rule] {
    match provider {
        Provider::Openai => CHAT,
        Provider::OpenaiResponses => RESPONSES,
        Provider::Anthropic => ANTHROPIC,
        Provider::Gemini => GEMINI,
        _ => &[],
    }
}

macro_rules! rules {
    ($list:ident: $($name:ident = $id:literal $demands:literal;)+) => {
        $(pub(crate) static $name: Rule = Rule { id: $id, demands: $demands };)+
        static $list: &[&Rule] = &[$(&$name),+];
    };
}

rules! { ANTHROPIC:
    A_SHAPE = "A-SHAPE" "`messages` holds objects with a role and content: a string or a list of typed blocks";
    A_ALT = "A-ALT" "roles are user and assistant, the first is user, there are at most 100,000 messages";
    A_PREFILL = "A-PREFILL" "the last message is no prefill (Claude 4.6 and later), nor does a prefill end in white space";
    A_PAIR = "A-PAIR" "each tool_use is answered in the next message, by one user message that begins with all its tool_result blocks";
    A_IDS = "A-IDS" "ids of tool_use are ^[a-zA-Z0-9_-]+$ and unique, names of tools ^[a-zA-Z0-9_-]{1,64}$";
    A_EMPTY = "A-EMPTY" "no text block is empty, none that stands alone is white space, no message but the last is empty";
    A_THINK = "A-THINK" "thinking goes back whole and signed, on the assistant's side, before the tool_use of its turn";
    A_SYS = "A-SYS" "`system` is a string or a list of text blocks";
    A_MIDSYS = "A-MIDSYS" "a system message stands behind a user turn and before an assistant turn or the end, for models that take it";
    A_CACHE = "A-CACHE" "at most four cache breakpoints, longer lifetimes before shorter";
    A_COMPACT = "A-COMPACT" "a signed compaction block is the first block of all and the only one; none is empty";
    A_TOOLCHOICE = "A-TOOLCHOICE" "no tool is forced together with manual thinking, nor on Fable and Mythos from 5.1";
    A_RESULT = "A-RESULT" "a tool_result holds a string or text, image, document and search_result blocks";
    A_MULTI = "A-MULTI" "images and documents stand on the user's side";
}

rules! { CHAT:
    O_SHAPE = "O-SHAPE" "`messages` holds objects of known roles, tool calls are complete";
    O_PAIR = "O-PAIR" "an assistant's tool_calls are followed directly by one tool message for each id";
    O_ORPHAN = "O-ORPHAN" "a tool message answers a call of the assistant message before it";
    O_CONTENT = "O-CONTENT" "every message has content, an assistant's may be absent beside tool_calls; a tool's is text";
    O_SYS = "O-SYS" "system and developer messages are text";
    O_NAME = "O-NAME" "names of tools are ^[a-zA-Z0-9_-]{1,64}$, those of speakers hold no white space nor any of < | \\ / >";
}

rules! { RESPONSES:
    R_SHAPE = "R-SHAPE" "`input` is a string or a list of items with a type or a role, each complete";
    R_PAIR = "R-PAIR" "each call has its output behind it, each output its call before it";
    R_REASON = "R-REASON" "a reasoning item is followed by the item it led to";
    R_SUMMARY = "R-SUMMARY" "a reasoning item has a summary, and without storage its encrypted content";
    R_PHASE = "R-PHASE" "`phase` is commentary or final_answer and stands on assistant messages";
    R_CACHE = "R-CACHE" "at most four explicit cache breakpoints";
    R_COMPACT = "R-COMPACT" "a compaction item goes back with its encrypted content";
    R_NAME = "R-NAME" "names of tools are ^[a-zA-Z0-9_-]{1,64}$";
}

rules! { GEMINI:
    G_SHAPE = "G-SHAPE" "`contents` holds objects with a list of parts";
    G_ROLE = "G-ROLE" "roles are user and model; system text stands in system_instruction";
    G_CALL = "G-CALL" "a turn of function calls comes directly after a user turn or function responses";
    G_RESP = "G-RESP" "function calls are followed directly by as many function responses, each an object with its call's name and id";
    G_SIG = "G-SIG" "the first function call of each step of the current turn is signed";
    G_END = "G-END" "the request does not end with a model turn";
    G_EMPTY = "G-EMPTY" "a content has at least one part, and no text part is empty";
    G_CACHE = "G-CACHE" "beside cached content neither system_instruction nor tools are sent";
    G_NAME = "G-NAME" "names of functions begin with a letter or _ and are at most 128 of a-z A-Z 0-9 _ . : -";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_named_after_their_provider() {
        let mut seen = std::collections::BTreeSet::new();
        for (provider, letter) in [
            (Provider::Openai, "O-"),
            (Provider::OpenaiResponses, "R-"),
            (Provider::Anthropic, "A-"),
            (Provider::Gemini, "G-"),
        ] {
            for rule in rules(provider) {
                assert!(
                    rule.id.starts_with(letter) && seen.insert(rule.id),
                    "{}",
                    rule.id
                );
            }
        }
        assert!(rules(Provider::Generic).is_empty());
    }
}
