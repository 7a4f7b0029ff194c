'use strict';

// Texts on their way in: half a surrogate pair becomes U+FFFD in words and is refused in ids.

const { invalid } = require('./error.cjs');

/** Words. */
function words(name, value) {
  if (typeof value !== 'string') throw invalid(name, 'must be a string');
  return value.toWellFormed();
}

/** Words that may be left out. */
function someWords(name, value) {
  return value === undefined || value === null ? null : words(name, value);
}

/** An identifier. */
function id(name, value) {
  if (typeof value !== 'string') throw invalid(name, 'must be a string');
  if (!value.isWellFormed()) throw invalid(name, 'holds an unpaired surrogate');
  return value;
}

/** An identifier that may be left out. */
function someId(name, value) {
  return value === undefined || value === null ? null : id(name, value);
}

/** A structure as JSON; what is left out, and what is empty, is absent. */
function json(name, value) {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  if (text === undefined) throw invalid(name, 'cannot be written as JSON');
  return text;
}

/** A whole number that is not negative. */
function whole(name, value, fallback = 0) {
  if (value === undefined || value === null) return fallback;
  if (!Number.isSafeInteger(value) || value < 0) throw invalid(name, 'must be a whole number of at least 0');
  return value;
}

/** The number of a name. */
function choice(name, value, names) {
  if (value === undefined || value === null) return 0;
  const number = names.indexOf(value);
  if (number < 0) throw invalid(name, `must be one of ${names.join(', ')}`);
  return number;
}

/** A time. */
function time(value) {
  return value instanceof Date ? value.toISOString() : value;
}

/** Who asks: `{ tenant, agent, user, labels }`. */
function principal(value) {
  if (value === undefined || value === null) return null;
  const { tenant, agent, user, labels, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalid(`principal.${unknown}`, 'is no field of a principal');
  return [someId('tenant', tenant), someId('agent', agent), someId('user', user), json('labels', labels)];
}

/** Refuses options that do not exist. */
function known(options, ...names) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw invalid(name, 'is no option of this call');
  }
  return options;
}

const PROVIDERS = ['generic', 'openai', 'openai-responses', 'anthropic', 'gemini'];
const TURN_STATUSES = ['complete', 'open', 'failed'];

module.exports = { PROVIDERS, TURN_STATUSES, choice, id, json, known, principal, someId, someWords, time, whole, words };
