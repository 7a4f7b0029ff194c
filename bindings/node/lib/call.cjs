'use strict';

const { raised } = require('./error.cjs');
const { native } = require('./native.cjs');

/**
 * Runs an operation of the addon.
 *
 * With a signal that is or becomes aborted the promise rejects with its reason. The native work stops where the library can
 * stop it (compiling a context); a write that has begun is finished.
 */
async function call(name, { engine, policy, principal = null, texts = [], numbers = [], signal, stoppable = false }) {
  signal?.throwIfAborted();
  const cancel = signal && stoppable ? native.cancelNew() : undefined;
  const stop = cancel && (() => native.cancelTrigger(cancel));
  if (stop) signal.addEventListener('abort', stop, { once: true });
  try {
    return await native[name](engine, policy, cancel, principal, texts, numbers);
  } catch (error) {
    if (cancel && signal.aborted) throw signal.reason;
    throw raised(error);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** Calls a function of the addon that does not wait. */
function now(name, ...values) {
  try {
    return native[name](...values);
  } catch (error) {
    throw raised(error);
  }
}

module.exports = { call, now };
