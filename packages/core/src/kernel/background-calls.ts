/** Runs recorded calls without their requests: through the same steps as a request, outside the limits of requests. */
import { type ErrorObject, type InboundRequest, type JsonObject, type Revision } from '@sigil-mcp/protocol';
import { callerOf, type CallRecord } from '../calls/call-record';
import type { Exchange } from '../calls/conversation';
import { endedCall } from '../errors/failures';
import { BackgroundConversation } from '../conversations/handshake-conversation';
import type { Opening } from '../conversations/open-conversation';
import type { BackgroundCall, BackgroundOutcome, BackgroundWay } from '../extensions/extension-call';
import type { ClientLoad, ServerLoad } from '../limits/client-load';
import type { CompiledMethod, IncomingRequest, WrittenAnswer } from './compiled-method';
import { PendingAnswer } from './pending-answer';
import type { ServerContext } from './server-context';

/** The calls of one server that run without a request. What they hold is limited by the code that starts them. */
export class BackgroundCalls {
  readonly #context: ServerContext;

  constructor(
    context: ServerContext,
    private readonly findMethod: (name: string, revision: Revision) => CompiledMethod | undefined,
  ) {
    const limits = { ...context.limits, calls: Infinity, callsPerClient: Infinity };
    this.#context = { ...context, limits, account: context.account.withoutLimits() };
  }

  /** Starts a recorded call. It is counted as detached work until it has ended. */
  start(record: CallRecord, way: BackgroundWay): BackgroundCall {
    const { revisions, account, detached } = this.#context;
    const revision = revisions.perRequest.find(({ version }) => version === record.revision);
    if (!revision) return ended(notServed(record.revision));
    const run = new BackgroundRun({ record, way, revision, load: account.loadOf(way.countedFor) });
    const method = this.findMethod(record.method, revision);
    const load = new RunLoad();
    const context = { ...this.#context, load };
    const call = run.start((exchange) => this.#pendingOf(run, run.incoming(method), { exchange, context }), load);
    detached.add(call.outcome, (reason) => call.cancel(reason));
    return call;
  }

  #pendingOf({ notes }: BackgroundRun, incoming: IncomingRequest, { exchange, context }: RunParts): CallHandle {
    const watched = context.observers?.start(incoming, exchange, () => notes);
    const pending = new PendingAnswer(incoming, exchange, context, watched);
    const run = async (): Promise<WrittenAnswer | undefined> => pending.run();
    return { answer: watched ? watched.run(run) : run(), cancel: (reason) => pending.cancel(reason) };
  }
}

/** What a run is answered with. */
interface RunParts {
  readonly exchange: Exchange;
  readonly context: ServerContext;
}

/** What one run counts as: it tells when nothing of it runs any more. */
class RunLoad implements ServerLoad {
  #calls = 0;
  #end: (() => void) | undefined;

  get calls(): number {
    return this.#calls;
  }

  set calls(count: number) {
    this.#calls = count;
    if (count === 0) this.#end?.();
  }

  /** Resolves when its handler has ended. */
  get ended(): Promise<void> {
    return this.#calls === 0 ? Promise.resolve() : new Promise((resolve) => (this.#end = resolve));
  }
}

interface CallHandle {
  readonly answer: Promise<WrittenAnswer | undefined>;
  readonly cancel: (reason: Error) => void;
}

interface BackgroundRunInit {
  readonly record: CallRecord;
  readonly way: BackgroundWay;
  readonly revision: Revision;
  readonly load: ClientLoad;
}

/** One run of a recorded call. */
class BackgroundRun {
  readonly #request: InboundRequest;
  readonly #conversation: BackgroundConversation;
  readonly #opening: Opening;
  private readonly record: CallRecord;
  private readonly way: BackgroundWay;

  constructor({ record, way, revision, load }: BackgroundRunInit) {
    this.record = record;
    this.way = way;
    const { method, params, meta } = record;
    // Metadata is JSON, as it came with the request.
    const sent: JsonObject = { ...params, _meta: meta };
    this.#request = { kind: 'request', id: way.id, method, params: sent, weight: 0 };
    const read = revision.readMeta(sent);
    const { info, capabilities = {} } = read.client ?? { info: undefined };
    const facts = { name: info?.name, version: info?.version, capabilities };
    this.#conversation = new BackgroundConversation(revision, facts, { memory: record.memory, way, load });
    const none = { refusal: undefined, claim: undefined, malformed: undefined, params: undefined };
    this.#opening = { ...none, conversation: this.#conversation, opens: false, meta: read };
  }

  /** What observers noted in the request that it was made of. */
  get notes(): CallRecord['notes'] {
    return this.record.notes;
  }

  incoming(method: CompiledMethod | undefined): IncomingRequest {
    return { request: this.#request, opening: this.#opening, method };
  }

  start(open: (exchange: Exchange) => CallHandle, load: RunLoad): BackgroundCall {
    let settle: (outcome: BackgroundOutcome) => void = () => undefined;
    const outcome = new Promise<BackgroundOutcome>((resolve) => (settle = resolve));
    const { answer, cancel } = open(this.#exchange());
    answer.then(
      (written) => settle(outcomeOf(written)),
      // `PendingAnswer` never rejects; an observer around it may.
      () => settle({ kind: 'cancelled' }),
    );
    return {
      outcome,
      ended: outcome.then(() => load.ended),
      cancel(reason) {
        settle({ kind: 'cancelled' });
        cancel(reason);
      },
      suspend: () => {
        settle({ kind: 'suspended' });
        this.#conversation.suspend();
        cancel(endedCall('SIGIL_SHUTTING_DOWN'));
      },
    };
  }

  #exchange(): Exchange {
    return {
      headers: {},
      caller: callerOf(this.record.caller),
      notify: () => undefined,
      hearsChanges: false,
      progress: (progress, total, message) => this.way.progress(progress, total, message),
    };
  }
}

/** An answer is a text that this server has just written. */
function outcomeOf(answer: WrittenAnswer | undefined): BackgroundOutcome {
  if (!answer) return { kind: 'cancelled' };
  const { result, error } = JSON.parse(answer.text) as { result?: JsonObject; error?: ErrorObject };
  return error ? { kind: 'error', error } : { kind: 'result', result: result ?? {} };
}

function notServed(version: string): BackgroundOutcome {
  const message = `The call was recorded in protocol revision ${version}, which this server does not serve any more.`;
  return { kind: 'error', error: { code: -32603, message } };
}

function ended(outcome: BackgroundOutcome): BackgroundCall {
  return {
    outcome: Promise.resolve(outcome),
    ended: Promise.resolve(),
    cancel: () => undefined,
    suspend: () => undefined,
  };
}
