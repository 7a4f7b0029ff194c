'use strict';

const { now } = require('./call.cjs');
const { json } = require('./text.cjs');

const HANDLES = new WeakMap();

/** How contexts are compiled: read and checked once, for any number of calls and engines. Immutable. */
class Policy {
  /** @param fields such as `{ token_budget: 2000, recency_turns: 4 }`; fields left out have their defaults. */
  constructor(fields = {}) {
    HANDLES.set(this, now('policyNew', json('policy', fields)));
    Object.freeze(this);
  }

  /** The whole policy, defaults included. */
  toJSON() {
    return JSON.parse(now('policyJson', HANDLES.get(this)));
  }
}

/** The handle of a policy, or of one made from its fields. */
function handle(policy) {
  if (policy === undefined || policy === null) return undefined;
  return HANDLES.get(policy instanceof Policy ? policy : new Policy(policy));
}

module.exports = { Policy, handle };
