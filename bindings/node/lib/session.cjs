'use strict';

const { call } = require('./call.cjs');
const { Context } = require('./context.cjs');
const { handle } = require('./policy.cjs');
const text = require('./text.cjs');

const EFFECTS = ['created', 'extended', 'unchanged'];
const { TURN_STATUSES, PROVIDERS } = text;

function turn(raw) {
  return Object.freeze({
    ...raw,
    status: TURN_STATUSES[raw.status],
    effect: EFFECTS[raw.effect],
    recordedAt: new Date(raw.recordedAt),
  });
}

/** A conversation: its id, its engine, and who asks. It has no state of its own and need not be closed. */
class Session {
  #engine;
  #principal;

  constructor(engine, id, principal) {
    this.#engine = engine;
    this.#principal = principal;
    this.id = id;
    Object.freeze(this);
  }

  #call(name, { texts = [], ...rest }) {
    return call(name, { engine: this.#engine, principal: this.#principal, texts: [this.id, ...texts], ...rest });
  }

  /** Records a user's message and the answer as one complete turn. */
  async recordExchange(user, assistant, options = {}) {
    const { signal } = text.known(options, 'signal');
    const texts = [text.words('user', user), text.words('assistant', assistant)];
    return turn(await this.#call('sessionRecordExchange', { texts, signal }));
  }

  /** Records messages as a turn, or extends an open turn; with a `turnId` the call may be repeated. */
  async recordTurn(messages, options = {}) {
    const { turnId, parent, status, requests, signal } = text.known(
      options, 'turnId', 'parent', 'status', 'requests', 'signal',
    );
    const texts = [
      text.json('messages', messages),
      text.someId('turn_id', turnId),
      text.someId('parent', parent),
      text.json('requests', requests),
    ];
    const numbers = [text.choice('status', status, TURN_STATUSES)];
    return turn(await this.#call('sessionRecordTurn', { texts, numbers, signal }));
  }

  /** Moves an open turn to `complete` or `failed`; repeating the call changes nothing. */
  async finishTurn(turnId, status = 'complete', options = {}) {
    const { signal } = text.known(options, 'signal');
    const numbers = [text.choice('status', status, TURN_STATUSES)];
    return turn(await this.#call('sessionFinishTurn', { texts: [text.id('turn_id', turnId)], numbers, signal }));
  }

  /** Makes a turn the head of the session, to rewind the conversation or take a branch up again. */
  async setHead(turnId, options = {}) {
    const { signal } = text.known(options, 'signal');
    await this.#call('sessionSetHead', { texts: [text.id('turn_id', turnId)], signal });
  }

  /** Compiles the context for a question. No model is called. An aborted signal stops the work. */
  async buildContext(request) {
    const { question, policy, signal, deadlineMs, provider, ...rest } = text.known(
      typeof request === 'string' ? { question: request } : request,
      'question', 'policy', 'signal', 'deadlineMs', 'provider', 'turnId', 'head', 'system', 'tools', 'blocks',
      'correlationId', 'agentVersion', 'workflowStage',
    );
    const texts = [
      text.words('question', question),
      text.someId('turn_id', rest.turnId),
      text.someId('head', rest.head),
      text.someWords('system', rest.system),
      text.json('tools', rest.tools),
      text.json('blocks', rest.blocks),
      text.someId('correlation_id', rest.correlationId),
      text.someWords('agent_version', rest.agentVersion),
      text.someWords('workflow_stage', rest.workflowStage),
    ];
    const numbers = [text.whole('deadlineMs', deadlineMs), text.choice('provider', provider, PROVIDERS)];
    const options = { texts, numbers, policy: handle(policy), signal, stoppable: true };
    return new Context(await this.#call('contextBuild', options));
  }

  /** What the engine knows of the session. */
  async describe(options = {}) {
    const { signal } = text.known(options, 'signal');
    return JSON.parse(await this.#call('sessionDescribe', { signal }));
  }

  /** Turns with their messages, in the order of their indexes. */
  async turns(options = {}) {
    const { first, limit, signal } = text.known(options, 'first', 'limit', 'signal');
    const numbers = [text.whole('first', first), text.whole('limit', limit, 1000)];
    return JSON.parse(await this.#call('sessionTurns', { numbers, signal }));
  }

  /** The messages of a range of events, both ends included. */
  async messages(firstEvent, lastEvent, options = {}) {
    const { signal } = text.known(options, 'signal');
    const numbers = [text.whole('firstEvent', firstEvent), text.whole('lastEvent', lastEvent)];
    return JSON.parse(await this.#call('sessionMessages', { numbers, signal }));
  }

  /** The facts, past ones too; or those that held at `valid`, as far as was known at `known`. */
  async facts(options = {}) {
    const { valid, known, signal } = text.known(options, 'valid', 'known', 'signal');
    const asOf = { valid: text.time(valid), known: text.time(known) };
    const given = valid === undefined && known === undefined ? null : text.json('as_of', asOf);
    return JSON.parse(await this.#call('sessionFacts', { texts: [given], signal }));
  }
}

module.exports = { Session };
