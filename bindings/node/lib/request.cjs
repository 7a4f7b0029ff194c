'use strict';

const { call } = require('./call.cjs');
const text = require('./text.cjs');

function body(request) {
  return typeof request === 'string' ? text.words('request', request) : text.json('request', request);
}

/** Checks the body of a request, made by whomever, against the rules of its provider. */
async function verify(provider, request) {
  const numbers = [text.choice('provider', provider, text.PROVIDERS)];
  return JSON.parse(await call('verify', { texts: [body(request)], numbers }));
}

/** Mends the body of a request with the least loss, so that `verify` finds nothing. A text gives a text back. */
async function repair(provider, request) {
  const numbers = [text.choice('provider', provider, text.PROVIDERS)];
  const repaired = await call('repair', { texts: [body(request)], numbers });
  const mended = typeof request === 'string' ? repaired.request : JSON.parse(repaired.request);
  return { request: mended, repairs: JSON.parse(repaired.repairs) };
}

module.exports = { repair, verify };
