/** Aura: a context engine for LLM agents. Structures that cross as JSON have the names of the engine's documentation. */

/** The status of a failed call as a name. Each calls for one reaction. */
export type AuraErrorCode =
  | 'AURA_INVALID'
  | 'AURA_NOT_FOUND'
  | 'AURA_CONFLICT'
  | 'AURA_DENIED'
  | 'AURA_BUSY'
  | 'AURA_CLOSED'
  | 'AURA_CORRUPT'
  | 'AURA_UNAVAILABLE'
  | 'AURA_BUDGET_EXCEEDED'
  | 'AURA_CANCELLED'
  | 'AURA_CALLBACK'
  | 'AURA_INTERNAL'
  | 'AURA_UNKNOWN';

/** A call failed. The texts never hold stored text. An aborted call rejects with the signal's reason instead. */
export class AuraError extends Error {
  readonly code: AuraErrorCode;
  /** The status as a number, the same in every language. */
  readonly status: number;
  readonly operation: string;
  /** The parameter or field that was wrong, such as `messages[2].role`. */
  readonly field: string | null;
  readonly context: [key: string, value: string][];
  readonly causes: string[];
}

export type Role = 'system' | 'user' | 'assistant' | 'tool';
export type Provider = 'generic' | 'openai' | 'openai-responses' | 'anthropic' | 'gemini';
export type TurnStatus = 'open' | 'complete' | 'failed';
export type Section = 'system' | 'history' | 'evidence' | 'question' | 'tail';
export type Outcome = 'complete' | 'degraded' | 'restricted' | 'fallback';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Who asks. Fields left out are those of the default agent of the default tenant. */
export interface Principal {
  tenant?: string;
  agent?: string;
  user?: string;
  labels?: string[];
}

/** A part of a message. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'tool_call'; call_id: string; name: string; arguments: unknown }
  | { type: 'tool_result'; call_id: string; text?: string; handle?: string; tool?: string; is_error?: boolean; output_schema?: string; trust?: string }
  | { type: 'media'; mime: string; uri?: string; handle?: string }
  | { type: 'opaque'; provider: string; json: unknown };

/** A message to record. `text` stands for a single text part. */
export interface Message {
  role: Role;
  text?: string;
  parts?: Part[];
  name?: string;
  /** When it was said, RFC 3339, where that differs from when it is recorded. */
  time?: string;
  native?: { format: string; json: unknown };
  metadata?: Record<string, unknown>;
}

/** A recorded turn. */
export interface Turn {
  readonly turnId: string;
  /** Its number in the session, gapless from 0. */
  readonly index: number;
  readonly status: TurnStatus;
  readonly effect: 'created' | 'extended' | 'unchanged';
  readonly firstEvent: number;
  readonly lastEvent: number;
  readonly messageCount: number;
  readonly changeSeq: number;
  readonly recordedAt: Date;
}

export interface Tool {
  name: string;
  description?: string;
  /** The JSON Schema of its arguments. */
  parameters: object;
  trust?: 'verified' | 'untrusted';
}

/** Material of the host for one context. */
export interface Block {
  block_id: string;
  kind: string;
  payload:
    | { text: string }
    | { artifact: string }
    | { tool_result: { tool: string; is_error?: boolean; text: string } }
    | { policy: { subject: string; version: string } };
  trust?: 'policy' | 'verified' | 'untrusted';
  source?: string;
  version?: string;
  subject?: string;
  authority?: number;
  effective_from?: string;
  observed_at?: string;
  expires_at?: string;
  labels?: string[];
}

/** How contexts are compiled; fields left out have their defaults. */
export interface PolicyFields {
  mode?: 'priority-selective' | 'full-history' | 'windowed' | 'window-summary';
  token_budget?: number;
  response_reserve?: number;
  max_recall_tokens?: number | null;
  recency_turns?: number;
  facts_enabled?: boolean;
  retrieval_enabled?: boolean;
  top_k?: 'auto' | number;
  recall_unit?: 'message' | 'turn';
  recall_form?: 'excerpts' | 'messages';
  recall_scope?: 'session' | 'user';
  sitting_gap?: number | string;
  min_relevance?: number;
  ranking?: Record<string, number>;
  max_facts?: number;
  include_unselected?: boolean;
  tool_top_k?: number;
  min_tool_relevance?: number;
  max_result_tokens?: number;
  stale_result_tokens?: number;
  skill_top_k?: number;
  min_skill_relevance?: number;
  max_skill_body_tokens?: number;
  min_handoff_relevance?: number;
  max_handoff_tokens?: number;
  on_failure?: 'full-history' | 'restricted' | 'error';
  on_conflict?: 'surface' | 'restrict' | 'error';
  prefix_mode?: 'selective' | 'append-only';
  reasoning?: 'keep' | 'strip-all' | 'drop-block';
  policy_version?: string;
  weights?: [number, number, number, number, number, number];
}

/** A policy that was read and checked once, for any number of calls and engines. Immutable. */
export class Policy {
  constructor(fields?: PolicyFields);
  /** The whole policy, defaults included. */
  toJSON(): Required<PolicyFields>;
}

export interface CallOptions {
  /** With an aborted signal the call rejects with its reason; a write that has begun is finished. */
  signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions {
  principal?: Principal;
}

export interface ContextRequest extends CallOptions {
  /** The question; with an open turn (`turnId`) only what to search by. */
  question: string;
  policy?: Policy | PolicyFields;
  /** The turn the context is for. If it is open, its first user message is the question. */
  turnId?: string;
  /** The turn whose ancestors, itself included, are visible. */
  head?: string;
  /** The system prompt. */
  system?: string;
  tools?: Tool[];
  blocks?: Block[];
  provider?: Provider;
  /** Past so many milliseconds optional work is skipped. */
  deadlineMs?: number;
  correlationId?: string;
  agentVersion?: string;
  workflowStage?: string;
}

/** One message of a context, without the form of a provider. */
export interface ContextRow {
  readonly role: Role;
  readonly section: Section;
  readonly tokens: number;
  readonly content: string;
  readonly events: number[];
  readonly name?: string;
  readonly isError?: true;
  readonly toolCallId?: string;
  readonly extra?: Record<string, Json>;
}

/** The messages and tools for one model call, and the manifest that accounts for them. Immutable; outlives its engine. */
export class Context {
  private constructor();
  readonly requestId: string;
  readonly turnId: string;
  readonly tokens: number;
  readonly budget: number;
  /** By how many tokens the budget is exceeded; 0 when it is not. */
  readonly overBudget: number;
  readonly toolTokens: number;
  /** What the whole visible history with the same question would take. */
  readonly historyTokens: number;
  readonly outcome: Outcome;
  /** Whether the model should take no action on it. */
  readonly readOnly: boolean;
  readonly provider: Provider;
  /** The messages in the form of the provider, ready to be sent. */
  readonly messages: { role?: string; content?: unknown; [key: string]: unknown }[];
  /** The body of a request but for the model and your settings. */
  readonly request: Record<string, unknown>;
  readonly tools: Record<string, unknown>[];
  readonly manifest: Manifest;
  readonly rows: readonly ContextRow[];
  messagesJson(): string;
  requestJson(): string;
  toolsJson(): string;
  manifestJson(): string;
  /** Whether a block (`event:12`, `turn:3`, `question`) was a candidate, lost, or won and was cut. */
  explain(block: string): Explanation;
}

/** What went in, what stayed out and why. */
export interface Manifest {
  request_id: string;
  [field: string]: Json;
}

export interface Explanation {
  answer: string;
  sentence: string;
  [field: string]: Json;
}

/** A conversation. It has no state of its own and need not be closed. */
export class Session {
  private constructor();
  readonly id: string;
  recordExchange(user: string, assistant: string, options?: CallOptions): Promise<Turn>;
  /** Records messages as a turn, or extends an open turn; with a `turnId` the call may be repeated. */
  recordTurn(
    messages: Message[],
    options?: CallOptions & { turnId?: string; parent?: string; status?: TurnStatus; requests?: string[] },
  ): Promise<Turn>;
  finishTurn(turnId: string, status?: 'complete' | 'failed', options?: CallOptions): Promise<Turn>;
  /** Makes a turn the head of the session, to rewind the conversation or take a branch up again. */
  setHead(turnId: string, options?: CallOptions): Promise<void>;
  /** Compiles the context for a question. No model is called. An aborted signal stops the work. */
  buildContext(request: string | ContextRequest): Promise<Context>;
  describe(options?: CallOptions): Promise<Record<string, Json>>;
  turns(options?: CallOptions & { first?: number; limit?: number }): Promise<Record<string, Json>[]>;
  messages(firstEvent: number, lastEvent: number, options?: CallOptions): Promise<Record<string, Json>[]>;
  /** The facts, past ones too; or those that held at `valid`, as far as was known at `known`. */
  facts(options?: CallOptions & { valid?: Date | string; known?: Date | string }): Promise<Record<string, Json>[]>;
}

export interface OpenOptions {
  /** The SQLite file, which is made if it is absent; without it the store is in memory. */
  path?: string;
  /** What a write that has returned survives: `full` the loss of power too, `normal` the death of the process. */
  durability?: 'full' | 'normal';
  /** The ISO 639-1 code of most sessions (`en`), or `und`. */
  language?: string;
  tokenCounter?: 'o200k_base' | 'cl100k_base' | 'chars/4';
  bodyCacheBytes?: number;
  sessions?: number;
}

/** An engine on one store, the only thing to close. */
export class Engine {
  private constructor();
  static open(options?: OpenOptions): Promise<Engine>;
  session(id: string, principal?: Principal): Session;
  sessions(
    query?: { user?: string; agent?: string; after?: string; limit?: number },
    options?: ReadOptions,
  ): Promise<Record<string, Json>[]>;
  manifest(requestId: string, options?: ReadOptions): Promise<Manifest>;
  manifests(
    query?: { session_id?: string; since?: Date | string; until?: Date | string; limit?: number },
    options?: ReadOptions,
  ): Promise<Manifest[]>;
  explain(requestId: string, block: string, options?: ReadOptions): Promise<Explanation>;
  /** Keeps a version of a policy; until it is approved no block may claim it. */
  proposePolicy(proposal: PolicyProposal, options?: ReadOptions): Promise<PolicyVersion>;
  /** Approves a version of a policy: from then on a block may claim it. Who may call this is yours to decide. */
  approvePolicy(subject: string, version: string, options?: ReadOptions): Promise<PolicyVersion>;
  policyVersions(
    query?: { subject?: string; approved_only?: boolean; skip?: number; limit?: number },
    options?: ReadOptions,
  ): Promise<PolicyVersion[]>;
  /** The bytes that a handle stands for, such as `artifact://default/report@1#5d41…`. */
  readArtifact(handle: string, options?: ReadOptions): Promise<Uint8Array>;
  /** Waits until the work in the background is done; `AURA_BUSY` after so many milliseconds. */
  flush(timeoutMs?: number): Promise<void>;
  /** Refuses new calls and waits for those that run. Closing again does nothing. */
  close(): Promise<void>;
  debugPanic(): Promise<void>;
}

/** A version of a policy of the tenant, such as what refunds are granted. */
export interface PolicyProposal {
  subject: string;
  version: string;
  text: string;
  authority?: number;
  source?: string;
  effective_from?: string;
  expires_at?: string;
  labels?: string[];
}

export interface PolicyVersion {
  policy: PolicyProposal;
  proposed: Record<string, Json>;
  approved?: Record<string, Json> | null;
}

export interface Violation {
  rule: string;
  /** Where, as a JSON pointer. */
  path: string;
  meaning: string;
}

export interface Repair {
  rule: string;
  path: string;
  did: string;
}

/** Checks the body of a request, made by whomever, against the rules of its provider. */
export function verify(provider: Exclude<Provider, 'generic'>, request: object | string): Promise<Violation[]>;

/** Mends the body of a request with the least loss, so that `verify` finds nothing. A text gives a text back. */
export function repair<R extends object | string>(
  provider: Exclude<Provider, 'generic'>,
  request: R,
): Promise<{ request: R extends string ? string : Record<string, unknown>; repairs: Repair[] }>;

/** How many native objects of a kind are alive in this process. */
export function debugLive(kind?: 'all' | 'engine' | 'policy' | 'context' | 'turn' | 'cancel' | 'buffer' | 'error'): number;

/** The version of the library. */
export const version: string;
