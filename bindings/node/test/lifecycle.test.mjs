// Opening, closing, panicking, workers, and what is left afterwards.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import * as esm from 'libaura';
import { AuraError, Engine, Policy, debugLive, version } from 'libaura';
import { alive, fails, folder } from './shared.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

test('closing', async () => {
  const aura = await Engine.open();
  const chat = aura.session('s');
  await chat.recordExchange('a', 'b');
  await aura.flush(10_000);
  await aura.close();
  await aura.close();
  await fails(chat.recordExchange('a', 'b'), 'AURA_CLOSED');
  await fails(chat.buildContext('q'), 'AURA_CLOSED');
  await fails(aura.sessions(), 'AURA_CLOSED');
  assert.throws(() => new Engine(), TypeError);
});

test('closing while calls run', async () => {
  const aura = await Engine.open({ path: path.join(folder(), 'a.db') });
  const calls = Array.from({ length: 64 }, (_, n) => aura.session(`s${n % 4}`).recordExchange('a', 'b'));
  await aura.close();
  for (const { status, reason } of await Promise.allSettled(calls)) {
    assert.ok(status === 'fulfilled' || reason.code === 'AURA_CLOSED');
  }
});

test('wrong options are named', async () => {
  await fails(Engine.open({ language: 'xx' }), 'AURA_INVALID', 'options.language');
  await fails(Engine.open({ tokenCounter: 'abacus' }), 'AURA_INVALID', 'options.token_counter');
  await fails(Engine.open({ durability: 'perhaps' }), 'AURA_INVALID', 'durability');
  await fails(Engine.open({ path: '' }), 'AURA_INVALID', 'path');
  await fails(Engine.open({ path: 'a\0b' }), 'AURA_INVALID', 'path');
  await fails(Engine.open({ colour: 1 }), 'AURA_INVALID', 'colour');
  const letter = path.join(folder(), 'letter.db');
  writeFileSync(letter, 'Dear reader, this is a letter and no database.\n'.repeat(500));
  await fails(Engine.open({ path: letter }), 'AURA_CORRUPT', 'path');
  await fails(Engine.open({ path: path.join(folder(), 'no', 'such', 'a.db') }), 'AURA_UNAVAILABLE', 'path');
});

test('a panic is an internal error and no more', async () => {
  const aura = await Engine.open();
  await fails(aura.debugPanic(), 'AURA_INTERNAL');
  await fails(aura.session('s').recordExchange('a', 'b'), 'AURA_INTERNAL');
  const healthy = await Engine.open();
  await healthy.session('s').recordExchange('a', 'b');
  await healthy.close();
});

test('both kinds of modules are one', () => {
  const cjs = require('libaura');
  for (const name of Object.keys(cjs)) assert.equal(cjs[name], esm[name], name);
  assert.equal(esm.default, cjs);
  assert.equal(version, require('libaura/package.json').version);
  assert.ok(new AuraError('x') instanceof Error);
});

test('a hundred promises at once', async () => {
  const aura = await Engine.open({ path: path.join(folder(), 'a.db') });
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      await aura.session('shared').recordExchange(`call ${n}`, 'noted');
      await aura.session(`own-${n}`).recordExchange('a', 'b');
      await aura.session('shared').buildContext(`call ${n}`);
    }),
  );
  const turns = await aura.session('shared').turns();
  assert.deepEqual(turns.map((record) => record.turn.index), Array.from({ length: 100 }, (_, n) => n));
  assert.deepEqual(
    turns.flatMap((record) => record.messages.map((message) => message.event_id)),
    Array.from({ length: 200 }, (_, n) => n + 1),
  );
  await aura.close();
});

test('workers', async () => {
  const file = path.join(folder(), 'a.db');
  const data = Array.from({ length: 4 }, (_, n) => ({ file, n }));
  const workers = data.map((workerData) => new Worker(path.join(here, 'worker.mjs'), { workerData }));
  const ended = await Promise.all(workers.map((worker) => once(worker, 'exit')));
  assert.deepEqual(ended.map(([code]) => code), [0, 0, 0, 0]);
  const aura = await Engine.open({ path: file });
  assert.equal((await aura.session('s').turns()).length, 40);
  await aura.close();
});

test('a worker may be terminated in the middle of a call', async () => {
  for (let round = 0; round < 5; round++) {
    const worker = new Worker(path.join(here, 'worker.mjs'), { workerData: { endless: true } });
    await once(worker, 'message');
    await worker.terminate();
  }
  await alive('engine', 0);
});

test('the process may end in the middle of a call', () => {
  const program = `
    import { Engine } from 'libaura';
    const aura = await Engine.open();
    const chat = aura.session('s');
    for (let n = 0; n < 64; n++) chat.recordExchange('a'.repeat(100000), 'b');
    setTimeout(() => process.exit(7), 5);`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: here, timeout: 60_000 });
  assert.equal(ended.status, 7, String(ended.stderr));
});

test('two processes share a file', async () => {
  const file = path.join(folder(), 'a.db');
  const program = `
    import { Engine } from 'libaura';
    const aura = await Engine.open({ path: process.argv[1] });
    for (let n = 0; n < 40; n++) await aura.session('s').recordExchange('other ' + n, 'noted');
    await aura.close();`;
  const aura = await Engine.open({ path: file });
  const other = spawn(process.execPath, ['--input-type=module', '-e', program, file], { cwd: here, stdio: 'inherit' });
  const ended = once(other, 'exit');
  for (let n = 0; n < 40; n++) await aura.session('s').recordExchange(`mine ${n}`, 'noted');
  assert.deepEqual(await ended, [0, null]);
  const turns = await aura.session('s').turns();
  assert.deepEqual(turns.map((record) => record.turn.index), Array.from({ length: 80 }, (_, n) => n));
  await aura.close();
});

test('a missing addon is explained', () => {
  const env = { ...process.env, AURA_NODE_ADDON: path.join(here, 'no-such.node') };
  const ended = spawnSync(process.execPath, ['-e', "require('libaura')"], { cwd: here, env });
  assert.match(String(ended.stderr), /no-such\.node/);
  const plain = execFileSync(process.execPath, ['-p', "require('libaura').version"], { cwd: here });
  assert.equal(String(plain).trim(), version);
});

test('nothing stays alive', async () => {
  await alive('engine', 0);
  const use = async () => {
    const aura = await Engine.open(); // never closed
    await aura.session('s').recordExchange('a', 'b');
    await aura.session('s').buildContext({ question: 'q', policy: new Policy(), signal: new AbortController().signal });
    await aura.session('').recordExchange('a', 'b').catch(() => {});
  };
  for (let n = 0; n < 100; n++) await use();
  for (const kind of ['context', 'policy', 'cancel', 'engine', 'turn', 'buffer', 'error', 'all']) await alive(kind, 0);
  assert.throws(() => debugLive('song'), RangeError);
});

test('memory stays flat', async () => {
  const aura = await Engine.open({ path: path.join(folder(), 'a.db') });
  const chat = aura.session('s');
  await chat.recordExchange('I live in Oslo.', 'Noted.');
  const work = async (times) => {
    for (let n = 0; n < times; n++) {
      (await chat.buildContext('Where do I live?')).messagesJson();
      await aura.session('').describe().catch(() => {});
    }
    await alive('context', 0);
    await aura.flush();
    return process.memoryUsage.rss();
  };
  const before = await work(1500);
  const grown = (await work(3000)) - before;
  assert.ok(grown < 40_000_000, `${grown} bytes more`);
  await aura.close();
});
