//! What of a list stays the same from call to call, and where the provider is asked to keep it.

use aura_core::{
    CacheSegment, CacheUse, ContextMessage, Digest, DigestBuilder, Provider, RequestId, Role,
    Section,
};
use memchr::memmem;

use super::Serialized;
use crate::manifest::tool_schema_version;
use crate::provider::verify::is_blank;
use crate::request::CompileRequest;

/// The shortest prefix that the provider keeps (rule A-CACHE), in tokens.
const SHORTEST_KEPT: u32 = 1_024;

/// How far before the end of a segment a breakpoint may stand: native forms take none.
const STEPS_BACK: usize = 8;

/// What a call sent, message by message and without the words: to tell how much of the next one is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentList {
    request_id: RequestId,
    key: Digest,
    /// Provider and tools.
    form: Digest,
    tool_tokens: u32,
    links: Vec<(Digest, u32)>,
}

impl SentList {
    /// How many tokens, from the first on, the next list has in common with this one.
    fn kept_by(&self, form: Digest, links: &[(Digest, u32)]) -> u32 {
        if self.form != form {
            return 0;
        }
        let same = self.links.iter().zip(links).take_while(|(a, b)| a.0 == b.0);
        same.fold(self.tool_tokens, |sum, (link, _)| {
            sum.saturating_add(link.1)
        })
    }
}

/// What the manifest says of the list's bytes.
pub(crate) struct Cached {
    /// The digest of all that is sent.
    pub(crate) digest: Digest,
    /// The stable runs of the list.
    pub(crate) segments: Vec<CacheSegment>,
    /// What of it is the same as before.
    pub(crate) cache: CacheUse,
    /// For the next call.
    pub(crate) sent: SentList,
}

/// Goes through a finished list once.
pub(crate) fn account(request: &CompileRequest<'_>, list: &Serialized) -> Cached {
    let links: Vec<(Digest, u32)> = list
        .messages
        .iter()
        .map(|message| (digest_of(message), message.tokens))
        .collect();
    let tools = tool_schema_version(request);
    let mut form = DigestBuilder::new();
    form.field(request.provider.as_str().as_bytes())
        .optional(tools.as_deref().map(str::as_bytes));
    let form = form.finish();
    let mut digest = DigestBuilder::new();
    digest.field(form.as_bytes());
    for (link, _) in &links {
        digest.field(link.as_bytes());
    }
    let segments = segments(list, form, &links);
    let mut key = DigestBuilder::new();
    key.field(request.policy.policy_version.as_bytes())
        .optional(tools.as_deref().map(str::as_bytes));
    for segment in &segments {
        key.field(segment.digest.as_bytes());
    }
    let key = key.finish();
    let previous = request.previous;
    let cache = CacheUse {
        prefix_mode: request.policy.prefix_mode,
        key,
        previous: previous.map(|previous| previous.request_id.clone()),
        hit: previous.is_some_and(|previous| previous.key == key),
        kept_tokens: previous.map_or(0, |previous| previous.kept_by(form, &links)),
        continues: None,
        compaction: None,
        breakpoints: breakpoints(request, list, &segments),
    };
    Cached {
        digest: digest.finish(),
        segments,
        cache,
        sent: SentList {
            request_id: request.request_id.clone(),
            key,
            form,
            tool_tokens: list.tool_tokens,
            links,
        },
    }
}

/// The runs of the list that a provider may keep: tools and system text, and the turns shown as they were.
fn segments(list: &Serialized, form: Digest, links: &[(Digest, u32)]) -> Vec<CacheSegment> {
    let of = |section: Section| {
        let messages = list
            .messages
            .iter()
            .skip_while(|one| one.section == Section::System);
        match section {
            Section::System => list.messages.len() - messages.count(),
            _ => messages.take_while(|one| one.section == section).count(),
        }
    };
    let system = of(Section::System);
    let (name, end) = match list.continued {
        0 => ("history", system + of(Section::History)),
        continued => ("continued", continued.max(system)),
    };
    let run = |name: &str, from: usize, to: usize, before: u32, form: Option<Digest>| {
        let links = links.get(from..to).unwrap_or_default();
        let tokens = links
            .iter()
            .fold(before, |sum, link| sum.saturating_add(link.1));
        let mut digest = DigestBuilder::new();
        digest.optional(form.as_ref().map(|form| &form.as_bytes()[..]));
        for (link, _) in links {
            digest.field(link.as_bytes());
        }
        (tokens > 0).then(|| CacheSegment {
            name: name.to_owned(),
            digest: digest.finish(),
            tokens,
            messages: u32::try_from(to).unwrap_or(u32::MAX),
        })
    };
    let stable = run("stable", 0, system, list.tool_tokens, Some(form));
    stable
        .into_iter()
        .chain(run(name, system, end, 0, None))
        .collect()
}

/// Where the provider is asked to keep what stands before: behind each segment, and behind the whole list for the next
/// call of a tool loop.
///
/// None where a native form has one of its own: the host then places them.
fn breakpoints(
    request: &CompileRequest<'_>,
    list: &Serialized,
    segments: &[CacheSegment],
) -> Vec<u32> {
    if request.provider != Provider::Anthropic {
        return Vec::new();
    }
    let natives = list
        .messages
        .iter()
        .filter_map(|message| message.native.as_ref());
    let marked = |json: &aura_core::RawJson| {
        memmem::find(json.as_str().as_bytes(), b"\"cache_control\"").is_some()
    };
    if natives.into_iter().any(marked) {
        return Vec::new();
    }
    let ends = segments.iter().map(|segment| segment.messages as usize);
    let mut out: Vec<u32> = Vec::new();
    for end in ends.chain([list.messages.len()]) {
        let Some(at) = place(list, end) else {
            continue;
        };
        let before = list.messages.iter().take(at);
        let tokens = before.fold(list.tool_tokens, |sum, message| {
            sum.saturating_add(message.tokens)
        });
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        if tokens >= SHORTEST_KEPT && out.last() != Some(&at) {
            out.push(at);
        }
    }
    out
}

/// The last message before `end` that takes a breakpoint, as how many messages stand before its end.
fn place(list: &Serialized, end: usize) -> Option<usize> {
    if end == 0 {
        return (list.tool_tokens > 0).then_some(0);
    }
    let takes = |message: &ContextMessage| {
        let says = !is_blank(&message.content);
        message.native.is_none()
            && (says || message.role == Role::Tool || !message.tool_calls.is_empty())
    };
    let back = (1..=end).rev().take(STEPS_BACK);
    back.into_iter()
        .find(|at| list.messages.get(at - 1).is_some_and(takes))
}

/// The digest of all that is sent of a message.
fn digest_of(message: &ContextMessage) -> Digest {
    let mut digest = DigestBuilder::new();
    feed(message, &mut digest);
    digest.finish()
}

/// Adds all that is sent of a message to a digest.
fn feed(message: &ContextMessage, digest: &mut DigestBuilder) {
    digest
        .field(message.role.as_str().as_bytes())
        .optional(message.name.as_deref().map(str::as_bytes))
        .field(message.content.as_bytes());
    digest.field(&message.tool_calls.len().to_le_bytes());
    for call in &message.tool_calls {
        digest
            .field(call.id.as_str().as_bytes())
            .field(call.name.as_bytes())
            .field(call.arguments.as_str().as_bytes());
    }
    let answered = message.tool_call_id.as_ref();
    digest.optional(answered.map(|id| id.as_str().as_bytes()));
    digest.field(&[u8::from(message.is_error)]);
    digest.field(&message.media.len().to_le_bytes());
    for media in &message.media {
        digest
            .field(media.mime.as_bytes())
            .field(media.uri.as_bytes());
    }
    let native = message.native.as_ref();
    digest.optional(native.map(|json| json.as_str().as_bytes()));
}
