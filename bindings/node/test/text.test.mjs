// Nasty texts, in words and in ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Engine } from 'libaura';
import { fails } from './shared.mjs';

const TEXTS = {
  nul: 'a\0b',
  emoji: '👩‍👩‍👧 and ☔',
  replacement: '\ufffd',
  'right to left': 'שלום עולם \u202e',
  astral: '𐍈'.repeat(100),
  'line ends': 'a\r\nb\u2028c',
  quotes: '"\\\'\u007f',
};

for (const [name, text] of Object.entries(TEXTS)) {
  test(`${name} comes back`, async () => {
    const aura = await Engine.open();
    const chat = aura.session('s');
    await chat.recordExchange(text, text);
    await chat.recordTurn([{ role: 'user', text }]);
    const stored = await chat.messages(1, 3);
    assert.deepEqual(stored.map((entry) => entry.message.parts[0].text), [text, text, text]);
    const context = await chat.buildContext(text);
    assert.ok(context.messages.at(-1).content.endsWith(text));
    assert.ok(context.rows.at(-1).content.endsWith(text));
    await aura.close();
  });
}

for (const half of ['\ud83d', '\ude00', '\ude00\ud83d']) {
  test(`${escape(half)} is replaced in words and refused in ids`, async () => {
    const aura = await Engine.open();
    const chat = aura.session('s');
    const mended = `a${'\ufffd'.repeat(half.length)}b`;
    await chat.recordExchange(`a${half}b`, 'fine');
    await chat.recordTurn([{ role: 'user', text: `a${half}b` }]);
    const stored = await chat.messages(1, 3);
    assert.deepEqual(stored.map((entry) => entry.message.parts[0].text), [mended, 'fine', mended]);
    assert.throws(() => aura.session(half), { code: 'AURA_INVALID', field: 'session_id' });
    assert.throws(() => aura.session('s', { user: half }), { code: 'AURA_INVALID', field: 'user' });
    await fails(chat.recordTurn([{ role: 'user', text: 'a' }], { turnId: half }), 'AURA_INVALID', 'turn_id');
    await fails(chat.recordTurn([{ role: 'user', text: 'a' }], { requests: [half] }), 'AURA_INVALID');
    await fails(chat.buildContext({ question: 'q', correlationId: half }), 'AURA_INVALID', 'correlation_id');
    await fails(aura.session('s', { labels: [half] }).buildContext('q'), 'AURA_INVALID');
    await aura.close();
  });
}

test('ten megabytes', async () => {
  const aura = await Engine.open();
  const chat = aura.session('s');
  const text = '0123456789abcdef '.repeat(600_000);
  await chat.recordExchange(text, 'fine');
  assert.equal((await chat.messages(1, 1))[0].message.parts[0].text, text);
  assert.ok((await chat.buildContext('What did I say?')).tokens <= 4096);
  await aura.close();
});
