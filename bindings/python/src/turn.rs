//! A recorded turn as a dictionary.

use aura::{RecordedTurn, WriteEffect};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The fields of a recorded turn.
pub(crate) fn fields<'py>(
    py: Python<'py>,
    recorded: &RecordedTurn,
) -> PyResult<Bound<'py, PyDict>> {
    let turn = &recorded.turn;
    let effect = match recorded.effect {
        WriteEffect::Created => "created",
        WriteEffect::Extended => "extended",
        WriteEffect::Unchanged => "unchanged",
    };
    let fields = PyDict::new(py);
    fields.set_item(intern!(py, "turn_id"), turn.turn_id.as_str())?;
    fields.set_item(intern!(py, "index"), turn.index.0)?;
    fields.set_item(intern!(py, "status"), turn.status.as_str())?;
    fields.set_item(intern!(py, "parent"), turn.parent.map(|parent| parent.0))?;
    fields.set_item(intern!(py, "effect"), effect)?;
    fields.set_item(intern!(py, "change_seq"), recorded.change_seq)?;
    fields.set_item(
        intern!(py, "first_event"),
        turn.first_event().map(|event| event.0),
    )?;
    fields.set_item(
        intern!(py, "last_event"),
        turn.last_event().map(|event| event.0),
    )?;
    fields.set_item(intern!(py, "message_count"), turn.message_count())?;
    fields.set_item(intern!(py, "recorded_at_ms"), turn.recorded_at.as_millis())?;
    Ok(fields)
}
