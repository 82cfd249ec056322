/** The execution context of Nest during a call, with the words of MCP. */
import type { ArgumentsHost } from '@nestjs/common';
import type { Call, EntryFacts, McpContext } from '@sigil-mcp/core';
import type { McpRequest } from './call-contexts';

/** The type of a call's execution context: `context.getType<McpContextType | 'http'>() === 'mcp'`. */
export type McpContextType = 'mcp';

/** What concerns the call itself. */
interface McpCallPart {
  /** Arguments as the client sent them, before they are validated; an empty object without a call. */
  readonly data: unknown;
  /** The call, with its entry; undefined without a call: in lists, subscriptions and completions. */
  readonly call: Call | undefined;
  /** The tool, resource, template or prompt that a caller calls, lists, subscribes to or completes. */
  readonly entry: EntryFacts | undefined;
}

/**
 * What `getArgs()` returns, and so what `switchToHttp()`, `switchToRpc()`, `switchToWs()` and contexts of GraphQL hand out: code that was written
 * for those trusts what it finds there, so nothing that the client of a call wrote is among it.
 */
export type McpArguments = readonly [request: McpRequest, context: McpContext, request: McpRequest];

/** Where the last request has its part of the call: Nest copies the list of arguments. */
const PART = Symbol('sigil:part');

function argumentsWith(part: McpCallPart, context: McpContext, request: McpRequest): McpArguments {
  // One object for each use, because the guards of several entries may run at the same time for one request.
  const own = Object.create(request) as McpRequest;
  return [request, context, Object.defineProperty(own, PART, { value: part })];
}

function partOf([, , request]: McpArguments): McpCallPart {
  return Reflect.get(request, PART) as McpCallPart;
}

const NO_DATA = Object.freeze({});

/** The arguments without a call. */
export function withoutCall(context: McpContext, request: McpRequest, entry: EntryFacts): McpArguments {
  return argumentsWith({ data: NO_DATA, call: undefined, entry }, context, request);
}

/** The arguments of a call. */
export function argumentsOf(call: Call, request: McpRequest): McpArguments {
  return argumentsWith({ data: call.arguments ?? NO_DATA, call, entry: call.entry }, call.context, request);
}

/**
 * The parts of a call, for guards, interceptors, filters and decorators of parameters.
 * @example
 * canActivate(context: ExecutionContext): boolean {
 *   if (context.getType<string>() !== 'mcp') return true;
 *   return McpExecutionContext.create(context).getContext().caller.hasRole('keeper');
 * }
 */
export class McpExecutionContext {
  private constructor(private readonly args: McpArguments) {}

  /** @param host the context that Nest passes, whose type is `mcp` */
  static create(host: ArgumentsHost): McpExecutionContext {
    return new McpExecutionContext(host.getArgs<[McpRequest, McpContext, McpRequest]>());
  }

  /**
   * The request, in a guard that stands before routes and before calls: that of the route, or what `@Inject(REQUEST)` gives in a call.
   * @example const { headers } = McpExecutionContext.requestOf<Request>(context);
   */
  static requestOf<T = McpRequest>(host: ArgumentsHost): T {
    return host.switchToHttp().getRequest<T>();
  }

  /** Arguments as the client sent them, before they are validated; an empty object without a call. No other accessor has them. */
  getData<T = unknown>(): T {
    return partOf(this.args).data as T;
  }

  /** The context of the handler: caller, headers, log, questions; the same as `switchToRpc().getContext()`. */
  getContext(): McpContext {
    return this.args[1];
  }

  /** What `@Inject(REQUEST)` gives in this call; the same as `switchToHttp().getRequest()`. */
  getRequest(): McpRequest {
    return this.args[0];
  }

  /** The call, with its entry; undefined without a call: in lists, subscriptions and completions. */
  getCall(): Call | undefined {
    return partOf(this.args).call;
  }

  /** The tool, resource, template or prompt that a caller calls, lists, subscribes to or completes. */
  getEntry(): EntryFacts | undefined {
    return partOf(this.args).entry;
  }
}
