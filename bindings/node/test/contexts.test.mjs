// Contexts, manifests, policies, and the bodies of requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Engine, Policy, repair, verify } from 'libaura';
import { fails } from './shared.mjs';

async function filled(turns = 30) {
  const aura = await Engine.open();
  const chat = aura.session('s');
  for (let n = 0; n < turns; n++) {
    await chat.recordExchange(`Parcel ${n} weighs ${n * 7} kilograms.`, `Parcel ${n} is noted.`);
  }
  return { aura, chat };
}

test('a context and its manifest', async () => {
  const { aura, chat } = await filled();
  const policy = new Policy({ token_budget: 600, policy_version: 'seven' });
  assert.equal(policy.toJSON().token_budget, 600);
  assert.equal(JSON.parse(JSON.stringify(policy)).recency_turns, 2);
  const context = await chat.buildContext({
    question: 'How heavy is parcel 4?',
    policy,
    system: 'Be brief.',
    tools: [{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object' } }],
    blocks: [{ block_id: 'note', kind: 'evidence', source: 'manual', payload: { text: 'A parcel of 28 kilograms is heavy.' } }],
    provider: 'openai',
    turnId: 'next',
    correlationId: 'corr',
    agentVersion: 'a2',
    workflowStage: 'triage',
    deadlineMs: 60_000,
  });
  assert.deepEqual(context.messages[0], { role: 'system', content: 'Be brief.' });
  assert.match(context.messagesJson(), /28 kilograms/);
  assert.ok(context.tokens > 0 && context.tokens <= 600 && context.historyTokens > 600);
  assert.deepEqual(
    [context.budget, context.overBudget, context.turnId, context.outcome, context.readOnly, context.provider],
    [600, 0, 'next', 'complete', false, 'openai'],
  );
  assert.equal(context.tools[0].function.name, 'weather');
  assert.ok(context.toolTokens > 0);
  assert.deepEqual(context.request.messages, context.messages);
  assert.deepEqual(await verify('openai', context.requestJson()), []);
  assert.equal(context.manifest.correlation_id, 'corr');
  assert.equal(context.manifest.policy_version, 'seven');
  assert.equal(context.explain('question').answer, 'candidate');
  assert.throws(() => context.explain('song'), { code: 'AURA_INVALID' });
  assert.deepEqual(await aura.explain(context.requestId, 'question'), context.explain('question'));
  assert.equal((await aura.manifest(context.requestId)).workflow_stage, 'triage');
  const since = new Date(Date.now() - 60_000);
  assert.equal((await aura.manifests({ session_id: 's', since, limit: 3 }))[0].request_id, context.requestId);
  await chat.recordTurn([{ role: 'user', text: 'How heavy?' }], { requests: [context.requestId] });
  assert.ok((await aura.manifest(context.requestId)).link.turn_id);
  await fails(aura.manifest('no-such-request'), 'AURA_NOT_FOUND');
  await aura.close();
});

test('rows are the messages', async () => {
  const { aura, chat } = await filled(3);
  await chat.recordTurn([
    { role: 'user', text: 'Will it rain?', name: 'Ana' },
    { role: 'assistant', parts: [{ type: 'tool_call', call_id: 'c1', name: 'weather', arguments: { city: 'Bergen' } }] },
    { role: 'tool', parts: [{ type: 'tool_result', call_id: 'c1', text: 'no', is_error: true }] },
    { role: 'assistant', text: 'It will not. ☔' },
  ]);
  const context = await chat.buildContext({ question: 'And tomorrow?', system: 'Be brief.' });
  assert.equal(context.rows.length, context.messages.length);
  context.messages.forEach((message, at) => {
    const row = context.rows[at];
    assert.deepEqual(
      [row.role, row.content, row.name, row.toolCallId, row.isError],
      [message.role, message.content, message.name, message.tool_call_id, message.is_error],
    );
  });
  assert.equal(context.rows[0].section, 'system');
  assert.equal(context.rows.at(-1).section, 'question');
  assert.ok(context.rows.some((row) => row.extra?.tool_calls?.[0].id === 'c1'));
  assert.ok(context.rows.some((row) => row.events.includes(9)));
  await aura.close();
  assert.match(context.messagesJson(), /And tomorrow/); // outlives its engine
});

test('a new session is just the question', async () => {
  const aura = await Engine.open();
  const context = await aura.session('empty').buildContext('Anybody there?');
  assert.deepEqual(context.messages, [{ role: 'user', content: 'Anybody there?' }]);
  await aura.close();
});

test('wrong requests are named', async () => {
  const aura = await Engine.open();
  const chat = aura.session('s');
  await fails(chat.buildContext({ question: 'q', policy: { token_budget: 0 } }), 'AURA_INVALID', 'token_budget');
  await fails(chat.buildContext({ question: 'q', policy: { colour: 1 } }), 'AURA_INVALID', 'colour');
  await fails(chat.buildContext({ question: 'q', provider: 'song' }), 'AURA_INVALID', 'provider');
  await fails(chat.buildContext({ question: 'q', tools: [{}] }), 'AURA_INVALID');
  await fails(chat.buildContext({ question: 'q', colour: 1 }), 'AURA_INVALID', 'colour');
  await fails(chat.buildContext({ question: 7 }), 'AURA_INVALID', 'question');
  await aura.close();
});

test('requests are checked and mended', async () => {
  const broken = { messages: [{ role: 'tool', tool_call_id: 'c1', content: 'x' }, { role: 'user', content: 'Hi' }] };
  const [found] = await verify('openai', broken);
  assert.match(found.path, /^\/messages\/0/);
  const { request, repairs } = await repair('openai', broken);
  assert.deepEqual(await verify('openai', request), []);
  assert.ok(repairs.some((entry) => entry.rule === found.rule));
  assert.deepEqual(JSON.parse((await repair('openai', JSON.stringify(broken))).request), request);
  await fails(verify('generic', broken), 'AURA_INVALID', 'provider');
  await fails(verify('openai', '['), 'AURA_INVALID', 'request');
});

test('policies are proposed, approved and claimed', async () => {
  const aura = await Engine.open();
  const proposal = { subject: 'refunds', version: '7', text: 'Refunds are granted within 30 days.' };
  assert.equal((await aura.proposePolicy(proposal)).policy.version, '7');
  await fails(aura.proposePolicy({ ...proposal, text: 'Never.' }), 'AURA_CONFLICT', 'version');
  await fails(aura.proposePolicy({ ...proposal, colour: 1 }), 'AURA_INVALID', 'proposal.colour');
  const claim = { block_id: 'p', kind: 'policy', trust: 'policy', payload: { policy: { subject: 'refunds', version: '7' } } };
  await fails(aura.session('s').buildContext({ question: 'q', blocks: [claim] }), 'AURA_DENIED');
  assert.ok((await aura.approvePolicy('refunds', '7')).approved);
  await fails(aura.approvePolicy('refunds', '8'), 'AURA_NOT_FOUND', 'version');
  const context = await aura.session('s').buildContext({ question: 'May I return it?', blocks: [claim] });
  assert.match(context.messages[0].content, /within 30 days/);
  assert.equal((await aura.policyVersions({ subject: 'refunds', approved_only: true })).length, 1);
  await aura.close();
});

test('what is kept apart is read by its handle', async () => {
  const aura = await Engine.open();
  const text = 'row of a large table ☔\n'.repeat(2000);
  await aura.session('s').recordExchange(text, 'Noted.');
  const context = await aura.session('s').buildContext({ question: 'q', policy: { token_budget: 300 } });
  const handle = /artifact:\/\/[^\s\]]+/.exec(context.messagesJson())?.[0];
  if (handle !== undefined) assert.equal((await aura.readArtifact(handle)).toString(), text);
  await fails(aura.readArtifact('artifact://default/none@1#5d41402abc4b2a76b9719d911017c592'), 'AURA_NOT_FOUND');
  await fails(aura.readArtifact('song'), 'AURA_INVALID', 'handle');
  await aura.close();
});

test('signals stop calls', async () => {
  const { aura, chat } = await filled(2);
  const reason = new Error('my own reason');
  const mine = (error) => error === reason;
  await assert.rejects(chat.buildContext({ question: 'q', signal: AbortSignal.abort(reason) }), mine);
  await assert.rejects(chat.recordExchange('a', 'b', { signal: AbortSignal.abort(reason) }), mine);
  assert.equal((await chat.turns()).length, 2);
  // Aborted while it waits or runs: it rejects with the reason, or was done before.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => {
      const stop = new AbortController();
      const building = chat.buildContext({ question: 'How heavy is parcel 1?', signal: stop.signal });
      stop.abort(reason);
      return building;
    }),
  );
  const stopped = outcomes.filter(({ status, reason: given }) => status === 'rejected' && given === reason);
  const done = outcomes.filter(({ status }) => status === 'fulfilled');
  assert.equal(stopped.length + done.length, 50);
  assert.ok(stopped.length > 25, `${stopped.length} of 50 were stopped`);
  // After the call nothing happens.
  const late = new AbortController();
  assert.ok(await chat.buildContext({ question: 'q', signal: late.signal }));
  late.abort(reason);
  await aura.close();
});
