'use strict';

const { call } = require('./call.cjs');
const { invalid } = require('./error.cjs');
const { Session } = require('./session.cjs');
const text = require('./text.cjs');

const DURABILITIES = ['full', 'normal'];
const [SQLITE, MEMORY] = [0, 1];
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

/** An engine on one store, the only thing to close. Any number of calls may run at the same time. */
class Engine {
  #handle;

  /** Use `Engine.open`. */
  constructor(handle, key) {
    if (key !== OPENED) throw new TypeError('use Engine.open');
    this.#handle = handle;
  }

  /** Opens an engine on the SQLite file `path`, which is made if it is absent; without a path, on a store in memory. */
  static async open(options = {}) {
    const { path, durability, language, tokenCounter, bodyCacheBytes, sessions } = text.known(
      options, 'path', 'durability', 'language', 'tokenCounter', 'bodyCacheBytes', 'sessions',
    );
    if (path !== undefined && (typeof path !== 'string' || path === '' || path.includes('\0'))) {
      throw invalid('path', 'must be a string that is not empty and holds no NUL');
    }
    const handle = await call('engineOpen', {
      texts: [text.someId('path', path), text.someId('language', language), text.someId('tokenCounter', tokenCounter)],
      numbers: [
        path === undefined ? MEMORY : SQLITE,
        text.choice('durability', durability, DURABILITIES),
        text.whole('bodyCacheBytes', bodyCacheBytes),
        text.whole('sessions', sessions),
      ],
    });
    return new Engine(handle, OPENED);
  }

  /** A conversation, which begins with its first turn. `principal` is who asks: `{ tenant, agent, user, labels }`. */
  session(id, principal) {
    return new Session(this.#handle, text.id('session_id', id), text.principal(principal));
  }

  /** Sessions by id. `query`: `user`, `agent`, `after` (a session id, for the next page), `limit` (1,000). */
  async sessions(query = {}, options = {}) {
    return JSON.parse(await this.#call('sessionList', [text.json('query', query)], options));
  }

  /** The manifest of a context: what went in, what stayed out and why, later what it led to. */
  async manifest(requestId, options = {}) {
    return JSON.parse(await this.#call('manifestRead', [text.id('request_id', requestId)], options));
  }

  /** Manifests, newest first. `query`: `session_id`, `since`, `until` (times), `limit` (100). */
  async manifests(query = {}, options = {}) {
    const { since, until, ...rest } = query;
    const given = { ...rest, since: text.time(since), until: text.time(until) };
    return JSON.parse(await this.#call('manifestList', [text.json('query', given)], options));
  }

  /** Whether a block (`event:12`, `turn:3`, `question`) was a candidate, lost, or won and was cut. */
  async explain(requestId, block, options = {}) {
    const texts = [text.id('request_id', requestId), text.words('block', block)];
    return JSON.parse(await this.#call('manifestExplain', texts, options));
  }

  /** Keeps a version of a policy; until it is approved no block may claim it. `proposal`: `subject`, `version`, `text`. */
  async proposePolicy(proposal, options = {}) {
    return JSON.parse(await this.#call('policyVersionPropose', [text.json('proposal', proposal)], options));
  }

  /** Approves a version of a policy: from then on a block may claim it. Who may call this is yours to decide. */
  async approvePolicy(subject, version, options = {}) {
    const texts = [text.id('subject', subject), text.id('version', version)];
    return JSON.parse(await this.#call('policyVersionApprove', texts, options));
  }

  /** Versions of policies. `query`: `subject`, `approved_only`, `skip`, `limit` (1,000). */
  async policyVersions(query = {}, options = {}) {
    return JSON.parse(await this.#call('policyVersionList', [text.json('query', query)], options));
  }

  /** The bytes that a handle stands for, such as `artifact://default/report@1#5d41…`. */
  async readArtifact(handle, options = {}) {
    return this.#call('artifactRead', [text.id('handle', handle)], options);
  }

  /** Waits until the work in the background is done; `AURA_BUSY` after so many milliseconds. */
  async flush(timeoutMs) {
    const numbers = [text.whole('timeoutMs', timeoutMs, FOREVER_MS)];
    await call('engineFlush', { engine: this.#handle, numbers });
  }

  /** Refuses new calls and waits for those that run. Closing again does nothing. */
  async close() {
    await call('engineClose', { engine: this.#handle });
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }

  /** Panics inside on purpose, so that a test can show that the process survives. */
  async debugPanic() {
    await call('debugPanic', { engine: this.#handle });
  }

  #call(name, texts, options) {
    const { principal, signal } = text.known(options, 'principal', 'signal');
    return call(name, { engine: this.#handle, principal: text.principal(principal), texts, signal });
  }
}

const OPENED = Symbol('opened');

module.exports = { Engine };
