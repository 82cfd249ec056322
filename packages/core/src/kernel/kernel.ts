/**
 * Message in, message out: looks up the method, runs it through the server's interceptors, and writes what comes of it in
 * the words of the conversation's revision.
 */
import type {
  Implementation,
  InboundNotification,
  InboundRequest,
  Revision,
  ServerCapabilities,
} from '@sigil-mcp/protocol';
import type { AskingRules } from '../calls/call-questions';
import type { Origin } from '../calls/origin';
import type { Conversation } from '../calls/conversation';
import type { Logger } from '../logging/logger';
import { composeInterceptors } from '../pipeline/compose-interceptors';
import { andThen, type MaybePromise } from '../values/maybe-promise';
import type { Interceptor } from '../context/interceptor';
import type { Registry } from '../registry/registry';
import type { MirroredArgument } from '../schema/headers/mirrored-arguments';
import type { Answer } from './answer';
import type { Audience } from './audience';
import type { MaskError } from './mask-error';
import type { MethodHandler } from './method-handler';
import type { CompiledMethod, KernelCall, KernelParts } from './kernel-parts';
import { RequestRun } from './request-run';
import { WrittenResults } from './written-results';

/** What a kernel is made of. */
export interface KernelOptions {
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly methods: readonly MethodHandler[];
  readonly registry: Registry;
  readonly audience: Audience;
  /** Of the server; the first is the outermost. */
  readonly interceptors: readonly Interceptor[];
  readonly logger: Logger;
  readonly maskError: MaskError;
  readonly asking: AskingRules;
}

const NONE_MIRRORED: readonly MirroredArgument[] = Object.freeze([]);

/** Serves all conversations of one server. */
export class Kernel implements KernelParts {
  readonly server: Implementation;
  readonly logger: Logger;
  readonly maskError: MaskError;
  readonly results: WrittenResults;
  readonly asking: AskingRules;
  /** Who is told of changes. */
  readonly audience: Audience;
  readonly #registry: Registry;
  readonly #methods: ReadonlyMap<string, CompiledMethod>;

  constructor(options: KernelOptions) {
    const { server, capabilities, methods, registry, audience, interceptors, logger, maskError, asking } = options;
    this.server = server;
    this.logger = logger;
    this.maskError = maskError;
    this.results = new WrittenResults(server);
    this.audience = audience;
    this.asking = asking;
    this.#registry = registry;
    const offered = methods.filter(
      ({ capability }) => capability === undefined || capabilities[capability] !== undefined,
    );
    this.#methods = new Map(offered.map((handler) => [handler.method, compileMethod(handler, interceptors)]));
  }

  findMethod(name: string, revision: Revision): CompiledMethod | undefined {
    return revision.requests.has(name) ? this.#methods.get(name) : undefined;
  }

  /** Arguments of a tool that HTTP clients mirror into headers; empty for a tool that does not exist. */
  mirroredArguments(tool: string): readonly MirroredArgument[] {
    return this.#registry.find('tool', tool)?.mirrored ?? NONE_MIRRORED;
  }

  /** Answers a request, at once where its handler does; undefined once it was cancelled. Never throws or rejects. */
  answer(request: InboundRequest, origin: Origin): MaybePromise<Answer | undefined> {
    return new RequestRun(this, request, origin).run();
  }

  /** Takes a notification of the client; unknown and malformed ones are ignored, for nothing can be answered to them. */
  notice({ method, params }: InboundNotification, conversation: Conversation): void {
    if (!conversation.revision.notifications.has(method)) return;
    if (method !== 'notifications/cancelled') return conversation.notice(method);
    const { requestId, reason } = params ?? {};
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    const why = typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : '.';
    conversation.running.cancel(requestId, new Error(`The client cancelled the request${why}`));
  }
}

function compileMethod(handler: MethodHandler, interceptors: readonly Interceptor[]): CompiledMethod {
  const answer = (call: KernelCall): MaybePromise<object> => handler.handle(call);
  // Interceptors may change a result; a text that was written before that would then tell the old one.
  const handle = interceptors.length === 0 ? answer : (call: KernelCall) => andThen(answer(call), withoutText);
  return {
    method: handler.method,
    locate: (call) => handler.locate?.(call),
    step: composeInterceptors(interceptors, handle),
  };
}

function withoutText(result: object): object {
  if (!('structuredText' in result)) return result;
  const { structuredText: _text, ...rest } = result;
  return rest;
}
