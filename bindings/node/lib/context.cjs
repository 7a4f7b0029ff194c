'use strict';

const { now } = require('./call.cjs');
const { PROVIDERS, words } = require('./text.cjs');

const ROLES = ['system', 'user', 'assistant', 'tool'];
const SECTIONS = ['system', 'history', 'evidence', 'question', 'tail'];
const OUTCOMES = ['complete', 'degraded', 'restricted', 'fallback'];
const FIELD_BYTES = 4;

/** The messages and tools for one model call, and the manifest that accounts for them. Immutable; outlives its engine. */
class Context {
  #handle;
  #view;
  #rows;

  constructor(handle) {
    this.#handle = handle;
    this.#view = now('contextView', handle);
  }

  /** This compilation, by which its manifest is found and a recorded turn says what it answers. */
  get requestId() {
    return this.#view.requestId;
  }

  /** The turn the context is for. */
  get turnId() {
    return this.#view.turnId;
  }

  /** What it takes, in tokens: system text, tools, messages, overhead. */
  get tokens() {
    return this.#view.tokens;
  }

  /** What it may take, in tokens. */
  get budget() {
    return this.#view.budget;
  }

  /** By how many tokens it exceeds the budget; 0 when it does not. */
  get overBudget() {
    return this.#view.overBudget;
  }

  /** What the tools take of `tokens`. */
  get toolTokens() {
    return this.#view.toolTokens;
  }

  /** What the whole visible history with the same question would take. */
  get historyTokens() {
    return this.#view.historyTokens;
  }

  /** `complete`, `degraded`, `restricted` or `fallback`. */
  get outcome() {
    return OUTCOMES[this.#view.outcome];
  }

  /** Whether the model should take no action on it. */
  get readOnly() {
    return this.#view.readOnly === 1;
  }

  get provider() {
    return PROVIDERS[this.#view.provider];
  }

  /** The messages in the form of the provider, ready to be sent. */
  get messages() {
    return JSON.parse(this.messagesJson());
  }

  /** The same as JSON, byte for byte what every other language gets. */
  messagesJson() {
    return now('contextMessagesJson', this.#handle);
  }

  /** The body of a request but for the model and your settings. */
  get request() {
    return JSON.parse(this.requestJson());
  }

  requestJson() {
    return now('contextRequestJson', this.#handle);
  }

  /** The admitted tools in the form of the provider. */
  get tools() {
    return JSON.parse(this.toolsJson());
  }

  toolsJson() {
    return now('contextToolsJson', this.#handle);
  }

  /** What went in, what stayed out and why. */
  get manifest() {
    return JSON.parse(this.manifestJson());
  }

  manifestJson() {
    return now('contextManifestJson', this.#handle);
  }

  /** Whether a block (`event:12`, `turn:3`, `question`) was a candidate, lost, or won and was cut. */
  explain(block) {
    return JSON.parse(now('contextExplain', this.#handle, words('block', block)));
  }

  /** The messages without the form of a provider, with their sections, tokens and event ids. */
  get rows() {
    this.#rows ??= Array.from({ length: this.#view.rowCount }, (_, index) => Object.freeze(this.#row(index)));
    return this.#rows;
  }

  #row(index) {
    const { block, rowSize, bytesOff } = this.#view;
    const field = (number) => block.readUInt32LE(index * rowSize + number * FIELD_BYTES);
    const text = (number) => {
      const length = field(number + 1);
      const begin = bytesOff + field(number);
      return length === 0 ? undefined : block.toString('utf8', begin, begin + length);
    };
    const events = Array.from({ length: field(13) }, (_, at) =>
      Number(block.readBigUInt64LE(bytesOff + field(12) + at * 8)),
    );
    const row = {
      role: ROLES[field(0)],
      section: SECTIONS[field(1)],
      tokens: field(2),
      content: text(6) ?? '',
      events,
    };
    const extra = text(8);
    if (field(3) === 1) row.isError = true;
    if (text(4) !== undefined) row.name = text(4);
    if (extra !== undefined) row.extra = JSON.parse(extra);
    if (text(10) !== undefined) row.toolCallId = text(10);
    return row;
  }
}

module.exports = { Context };
