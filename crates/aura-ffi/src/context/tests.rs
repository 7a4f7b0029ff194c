//! The main road through the exports, as C takes it: for Miri, which cannot run C.

use std::ptr::{null, null_mut};

use aura_core::Result;

use super::message::{aura_context_message, aura_message};
use super::options::{aura_context_options, aura_context_options_init};
use super::view::{aura_context_describe, aura_context_view};
use super::*;
use crate::boundary::inbound::NUL_TERMINATED;
use crate::bytes::{aura_buffer_free, aura_buffer_text};
use crate::cancel::{aura_cancel_free, aura_cancel_new, aura_cancel_trigger};
use crate::debug::aura_debug_panic;
use crate::engine::{
    aura_engine_close, aura_engine_flush, aura_engine_free, aura_engine_open, aura_engine_options,
    aura_engine_options_init, aura_storage,
};
use crate::error::{aura_error_field, aura_error_free};
use crate::policy::{aura_policy_free, aura_policy_new};
use crate::session::{aura_session_record_exchange, aura_session_record_turn};
use crate::turn::{aura_turn, aura_turn_describe, aura_turn_free, aura_turn_view};

type Handle<T> = Option<repr_c::Box<T>>;

/// A text with its terminator, as C has it.
fn given(text: &'static std::ffi::CStr) -> aura_str {
    aura_str {
        ptr: text.as_ptr().cast(),
        len: NUL_TERMINATED,
    }
}

fn taken(lent: aura_str) -> String {
    // SAFETY: lent by an object that lives.
    let text: Result<_> = unsafe { lent.read("text") };
    text.unwrap().unwrap_or_default().to_owned()
}

/// A struct that C has not written to yet.
fn raw<T>() -> Box<std::mem::MaybeUninit<T>> {
    Box::new(std::mem::MaybeUninit::uninit())
}

fn open() -> Handle<aura_engine> {
    let mut options = raw::<aura_engine_options>();
    let size = size_of::<aura_engine_options>();
    let status = aura_engine_options_init(options.as_mut_ptr(), size);
    assert_eq!(status, aura_status::Ok);
    // SAFETY: initialised by the call above.
    let mut options = unsafe { options.assume_init() };
    options.storage = aura_storage::Memory as u32;
    // Without the vocabulary, which would take Miri minutes to read.
    options.token_counter = given(c"chars/4");
    let mut engine = None;
    let status = aura_engine_open(null(), 0, &raw const *options, &raw mut engine, null_mut());
    assert_eq!(status, aura_status::Ok);
    engine
}

fn record(engine: &Handle<aura_engine>, turn: *mut Handle<aura_turn>) -> aura_status {
    let (session, user, assistant) = (given(c"s"), given(c"two cats"), given(c"nice"));
    aura_session_record_exchange(
        engine.as_deref(),
        null(),
        session.ptr,
        session.len,
        user.ptr,
        user.len,
        assistant.ptr,
        assistant.len,
        turn,
        null_mut(),
    )
}

fn build(
    engine: &Handle<aura_engine>,
    options: *const aura_context_options,
    context: *mut Handle<aura_context>,
    error: *mut Handle<aura_error>,
) -> aura_status {
    let (session, question) = (given(c"s"), given(c"how many cats?"));
    aura_context_build(
        engine.as_deref(),
        null(),
        session.ptr,
        session.len,
        question.ptr,
        question.len,
        options,
        context,
        error,
    )
}

#[test]
fn a_conversation_is_recorded_and_compiled() {
    let engine = open();
    let mut turn = None;
    assert_eq!(record(&engine, &raw mut turn), aura_status::Ok);
    let mut view = raw::<aura_turn_view>();
    let size = size_of::<aura_turn_view>();
    let status = aura_turn_describe(turn.as_deref(), view.as_mut_ptr(), size);
    assert_eq!(status, aura_status::Ok);
    // SAFETY: filled by the call above.
    let view = unsafe { view.assume_init() };
    assert_eq!((view.index, view.first_event, view.last_event), (0, 1, 2));
    assert!(!taken(view.turn_id).is_empty());
    aura_turn_free(turn);

    let mut policy = None;
    let json = given(c"{\"token_budget\": 300}");
    let status = aura_policy_new(json.ptr, json.len, &raw mut policy, null_mut());
    assert_eq!(status, aura_status::Ok);
    let mut options = raw::<aura_context_options>();
    let size = size_of::<aura_context_options>();
    let status = aura_context_options_init(options.as_mut_ptr(), size);
    assert_eq!(status, aura_status::Ok);
    // SAFETY: initialised by the call above.
    let mut options = unsafe { options.assume_init() };
    options.policy = policy.as_deref().map_or(null(), |policy| policy);
    options.system = given(c"be brief");
    let mut context = None;
    let status = build(&engine, &raw const *options, &raw mut context, null_mut());
    assert_eq!(status, aura_status::Ok);
    aura_policy_free(policy);
    assert_eq!(
        aura_engine_flush(engine.as_deref(), 60_000, null_mut()),
        aura_status::Ok
    );
    assert_eq!(
        aura_engine_close(engine.as_deref(), null_mut()),
        aura_status::Ok
    );
    assert_eq!(record(&engine, null_mut()), aura_status::Closed);
    aura_engine_free(engine);
    read(&context);
    aura_context_free(context);
}

/// Reads a context by its block, by its getters and as JSON.
fn read(context: &Handle<aura_context>) {
    let mut view = raw::<aura_context_view>();
    let size = size_of::<aura_context_view>();
    let status = aura_context_describe(context.as_deref(), view.as_mut_ptr(), size);
    assert_eq!(status, aura_status::Ok);
    // SAFETY: filled by the call above.
    let view = unsafe { view.assume_init() };
    // SAFETY: the context lives, and the block is as long as the view says.
    let block = unsafe { std::slice::from_raw_parts(view.block, view.block_len) };
    let mut contents = Vec::new();
    for index in 0..view.row_count {
        let row = view.block.wrapping_add(index * view.row_size);
        // SAFETY: the block begins with its rows, aligned.
        let row = unsafe { &*row.cast::<block::aura_message_row>() };
        let start = view.bytes_off + row.content_off as usize;
        let content = &block[start..start + row.content_len as usize];
        let mut message = raw::<aura_message>();
        let size = size_of::<aura_message>();
        let status = aura_context_message(context.as_deref(), index, message.as_mut_ptr(), size);
        assert_eq!(status, aura_status::Ok);
        // SAFETY: filled by the call above.
        let message = unsafe { message.assume_init() };
        assert_eq!(taken(message.content).as_bytes(), content);
        // SAFETY: the context lives, and has so many events here.
        let events = unsafe { std::slice::from_raw_parts(message.events, message.events_count) };
        assert!(events.iter().all(|event| (1..=2).contains(event)));
        contents.push(taken(message.content));
    }
    assert_eq!(contents.first().unwrap(), "be brief");
    assert_eq!(contents.last().unwrap(), "how many cats?");
    let mut json = aura_str::EMPTY;
    let status = aura_context_messages_json(context.as_deref(), &raw mut json, null_mut());
    assert_eq!(status, aura_status::Ok);
    assert!(taken(json).contains("two cats"));
    let (question, mut answer) = (given(c"question"), None);
    let status = aura_context_explain(
        context.as_deref(),
        question.ptr,
        question.len,
        &raw mut answer,
        null_mut(),
    );
    assert_eq!(status, aura_status::Ok);
    assert!(taken(aura_buffer_text(answer.as_deref())).contains("candidate"));
    aura_buffer_free(answer);
}

#[test]
fn failures_give_an_error_and_nothing_else() {
    let engine = open();
    let (mut error, mut turn) = (None, None);
    let (session, messages) = (given(c"s"), given(c"[{\"role\":\"bard\",\"text\":\"x\"}]"));
    let status = aura_session_record_turn(
        engine.as_deref(),
        null(),
        session.ptr,
        session.len,
        messages.ptr,
        messages.len,
        null(),
        &raw mut turn,
        &raw mut error,
    );
    assert_eq!(status, aura_status::Invalid);
    assert!(turn.is_none());
    assert_eq!(
        taken(aura_error_field(error.as_deref())),
        "messages[0].role"
    );
    aura_error_free(error);

    let mut cancel = None;
    assert_eq!(
        aura_cancel_new(&raw mut cancel, null_mut()),
        aura_status::Ok
    );
    aura_cancel_trigger(cancel.as_deref());
    let mut options = raw::<aura_context_options>();
    let size = size_of::<aura_context_options>();
    let status = aura_context_options_init(options.as_mut_ptr(), size);
    assert_eq!(status, aura_status::Ok);
    // SAFETY: initialised by the call above.
    let mut options = unsafe { options.assume_init() };
    options.cancel = cancel.as_deref().map_or(null(), |cancel| cancel);
    let (mut context, mut error) = (None, None);
    let status = build(
        &engine,
        &raw const *options,
        &raw mut context,
        &raw mut error,
    );
    assert_eq!(status, aura_status::Cancelled);
    assert!(context.is_none() && error.is_some());
    aura_error_free(error);
    aura_cancel_free(cancel);

    assert_eq!(
        aura_debug_panic(engine.as_deref(), null_mut()),
        aura_status::Internal
    );
    assert_eq!(record(&engine, null_mut()), aura_status::Internal);
    aura_engine_free(engine);
}
