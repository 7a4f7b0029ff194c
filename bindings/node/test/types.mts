// Compiled against the package's types, not run.
import { AuraError, Engine, Policy, repair, verify, type AuraErrorCode, type Context, type Turn } from 'libaura';

async function use(): Promise<void> {
  const aura = await Engine.open({ path: 'a.db', durability: 'normal', tokenCounter: 'chars/4' });
  const chat = aura.session('s', { tenant: 't', labels: ['l'] });
  const turn: Turn = await chat.recordExchange('a', 'b');
  const parts = [{ type: 'tool_call' as const, call_id: 'c', name: 'n', arguments: {} }];
  await chat.recordTurn([{ role: 'assistant', parts }], { turnId: turn.turnId, status: 'open' });
  const policy = new Policy({ token_budget: 100, top_k: 'auto' });
  const context: Context = await chat.buildContext({ question: 'q', policy, signal: AbortSignal.timeout(9) });
  const sections: string[] = context.rows.map((row) => row.section);
  const mended: string = (await repair('openai', context.requestJson())).request;
  await verify('anthropic', { mended, sections });
  try {
    await aura.close();
  } catch (error) {
    if (error instanceof AuraError) {
      const code: AuraErrorCode = error.code;
      console.log(code, error.field?.length);
    }
  }
  // @ts-expect-error a number is no question
  await chat.buildContext(7);
  // @ts-expect-error there is no such field
  new Policy({ colour: 1 });
  // @ts-expect-error engines are opened
  new Engine();
}

void use;
