// What a worker thread does.
import { parentPort, workerData } from 'node:worker_threads';

import { Engine } from 'libaura';

const { file, n, endless } = workerData;
const aura = await Engine.open(file ? { path: file } : {});
const chat = aura.session('s');
if (endless) {
  const long = 'x'.repeat(200_000);
  let told = false;
  for (;;) {
    const calls = Array.from({ length: 8 }, () => chat.recordExchange(long, 'b'));
    calls.push(chat.buildContext('q'));
    if (!told) parentPort.postMessage('busy');
    told = true;
    await Promise.all(calls);
  }
}
for (let turn = 0; turn < 10; turn++) await chat.recordExchange(`worker ${n} turn ${turn}`, 'noted');
await aura.close();
