// Recording turns and reading them back.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { Engine } from 'libaura';
import { fails, folder } from './shared.mjs';

const TOOL_TURN = [
  { role: 'user', text: 'Will it rain in Bergen?', name: 'Ana' },
  { role: 'assistant', parts: [{ type: 'tool_call', call_id: 'c1', name: 'weather', arguments: { city: 'Bergen' } }] },
  { role: 'tool', parts: [{ type: 'tool_result', call_id: 'c1', text: '{"rain": true}', is_error: true }] },
  { role: 'assistant', text: 'It will.' },
];

test('a turn has its ids', async () => {
  const aura = await Engine.open();
  const chat = aura.session('s');
  const first = await chat.recordExchange('hello', 'hi');
  assert.deepEqual(
    [first.index, first.firstEvent, first.lastEvent, first.messageCount, first.effect, first.status],
    [0, 1, 2, 2, 'created', 'complete'],
  );
  assert.ok(Math.abs(first.recordedAt - Date.now()) < 60_000);
  const second = await chat.recordTurn(TOOL_TURN, { turnId: 't', status: 'open' });
  assert.deepEqual([second.index, second.turnId, second.status], [1, 't', 'open']);
  assert.equal((await chat.recordTurn(TOOL_TURN.slice(0, 1), { turnId: 't', status: 'open' })).effect, 'unchanged');
  assert.equal((await chat.finishTurn('t')).status, 'complete');
  await fails(chat.finishTurn('t', 'failed'), 'AURA_CONFLICT');
  await fails(chat.recordTurn([{ role: 'user', text: 'else' }], { turnId: 't' }), 'AURA_CONFLICT');
  const [, record] = await chat.turns();
  assert.deepEqual(record.messages[1].message.parts, TOOL_TURN[1].parts);
  assert.equal((await chat.turns({ first: 1, limit: 5 })).length, 1);
  assert.equal((await chat.messages(2, 3))[0].message.parts[0].text, 'hi');
  assert.equal((await chat.describe()).turns, 2);
  await chat.setHead(first.turnId);
  assert.equal((await chat.recordExchange('a', 'b')).index, 2);
  await aura.close();
});

test('facts have two time axes', async () => {
  const aura = await Engine.open();
  const chat = aura.session('s');
  await chat.recordTurn([{ role: 'user', text: 'I live in Oslo.', time: '2024-01-01T10:00:00Z' }]);
  await chat.recordTurn([{ role: 'user', text: 'I just moved to Berlin.', time: '2024-06-01T10:00:00Z' }]);
  assert.equal((await chat.facts()).length, 2);
  const [then] = await chat.facts({ valid: '2024-03-01T00:00:00Z', known: new Date('2999-01-01') });
  assert.match(then.text, /Oslo/);
  await aura.close();
});

test('principals are apart', async () => {
  const aura = await Engine.open();
  const ana = { tenant: 'shop', user: 'ana' };
  await aura.session('s', ana).recordExchange('My shoe size is 38.', 'Noted.');
  await fails(aura.session('s', { tenant: 'shop', user: 'bea' }).buildContext('q'), 'AURA_DENIED', 'session_id');
  assert.deepEqual((await aura.sessions({}, { principal: ana })).map((session) => session.session_id), ['s']);
  assert.deepEqual(await aura.sessions(), []);
  assert.throws(() => aura.session('s', { tenants: 'shop' }), { code: 'AURA_INVALID', field: 'principal.tenants' });
  await aura.close();
});

test('wrong arguments are named', async () => {
  const aura = await Engine.open();
  const chat = aura.session('s');
  for (const [messages, field] of [
    [[{ role: 'nobody', text: 'a' }], 'messages[0].role'],
    [[{ role: 'user', text: 'a' }, { role: 'user', text: 7 }], 'messages[1].text'],
    [[{ role: 'user', colour: 'a' }], 'messages[0].colour'],
  ]) {
    await fails(chat.recordTurn(messages), 'AURA_INVALID', field);
  }
  await fails(chat.recordTurn(undefined), 'AURA_INVALID');
  await fails(chat.recordExchange('a', null), 'AURA_INVALID', 'assistant');
  await fails(chat.recordExchange('a', 'b', { signals: 1 }), 'AURA_INVALID', 'signals');
  await fails(aura.session('').recordExchange('a', 'b'), 'AURA_INVALID', 'session_id');
  await fails(aura.session('x'.repeat(257)).describe(), 'AURA_INVALID', 'session_id');
  assert.throws(() => aura.session(7), { code: 'AURA_INVALID' });
  await fails(chat.turns({ first: -1 }), 'AURA_INVALID', 'first');
  await fails(chat.finishTurn('t', 'perhaps'), 'AURA_INVALID', 'status');
  await fails(chat.describe(), 'AURA_NOT_FOUND');
  await aura.close();
});

test('what was recorded is there again', async () => {
  const file = path.join(folder(), 'a.db');
  for (let round = 0; round < 3; round++) {
    const aura = await Engine.open({ path: file });
    assert.equal((await aura.session('s').recordExchange('a', 'b')).index, round);
    await aura.close();
  }
});
