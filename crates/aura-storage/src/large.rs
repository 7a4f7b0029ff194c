//! Large parts: which ones are kept as artifacts, and under which name.

use aura_core::{
    ArtifactHandle, Digest, Error, HANDLE_DIGITS, LARGE_PART_BYTES, Message, Part, Result,
    TenantId, check_id,
};

/// The names that the store gives itself; nobody else may use them, so each holds one version for ever.
const RESERVED: &str = "part:";

/// The media type of a large part.
pub(crate) const MIME: &str = "text/plain";

/// A part that is too large for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Large {
    /// Its place among the parts.
    pub(crate) part: u32,
    /// The digest of its text.
    pub(crate) digest: Digest,
}

/// The large parts of a message, in order.
pub(crate) fn find(message: &Message) -> Vec<Large> {
    let texts = message.parts.iter().map(Part::plain_text);
    (0..)
        .zip(texts)
        .filter_map(|(part, text)| {
            let text = text.filter(|text| text.len() > LARGE_PART_BYTES)?;
            Some(Large {
                part,
                digest: Digest::of(text.as_bytes()),
            })
        })
        .collect()
}

/// The name of the artifact with these bytes: equal parts of a tenant share it.
pub(crate) fn name(digest: &Digest) -> String {
    format!("{RESERVED}{}", digest.prefix(HANDLE_DIGITS))
}

/// Whether this is the name of a large part.
pub(crate) fn is_part(name: &str) -> bool {
    name.starts_with(RESERVED)
}

/// The handle of the artifact with these bytes.
pub(crate) fn handle(tenant: &TenantId, digest: &Digest) -> ArtifactHandle {
    ArtifactHandle {
        tenant: tenant.clone(),
        name: name(digest),
        version: 1,
        digest: digest.prefix(HANDLE_DIGITS),
    }
}

/// Checks the name of an artifact that a caller stores.
///
/// # Errors
/// `Invalid` naming `name`.
pub(crate) fn check_name(name: &str) -> Result<()> {
    check_id("name", name)?;
    if is_part(name) {
        return Err(Error::invalid_field(
            "artifact",
            "name",
            format_args!("must not begin with `{RESERVED}`, which the store uses itself"),
        ));
    }
    Ok(())
}
