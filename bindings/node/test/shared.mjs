// What the tests share.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

import { AuraError, debugLive } from 'libaura';

/** A folder that is removed when the tests of the file have run. */
export function folder() {
  const made = mkdtempSync(path.join(tmpdir(), 'aura-'));
  after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Holds a promise to rejecting with an error of ours. */
export async function fails(promise, code, field) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof AuraError, String(error?.stack ?? error));
    assert.equal(error.code, code);
    if (field !== undefined) assert.equal(error.field, field);
    return true;
  });
}

/** Waits until no more than `most` native objects are alive, collecting garbage. */
export async function alive(kind, most, within = 10_000) {
  const end = Date.now() + within;
  for (;;) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
    if (debugLive(kind) <= most) return;
    assert.ok(Date.now() < end, `${debugLive(kind)} of kind ${kind} are alive, not ${most}`);
  }
}
