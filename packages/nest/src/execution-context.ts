/** The execution context of Nest during a call, with the words of MCP. */
import type { ArgumentsHost } from '@nestjs/common';
import type { Call, McpContext } from '@sigil-mcp/core';
import type { McpRequest } from './call-contexts';

/** The type of a call's execution context: `context.getType<McpContextType | 'http'>() === 'mcp'`. */
export type McpContextType = 'mcp';

/** What `getArgs()` returns during a call: what the client sent, and whom it concerns. */
export type McpArguments = readonly [data: unknown, context: McpContext, request: McpRequest, call: Call | undefined];

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
    return new McpExecutionContext(host.getArgs<[unknown, McpContext, McpRequest, Call | undefined]>());
  }

  /**
   * The request, in a guard that stands before routes and before calls: that of the route, or what `@Inject(REQUEST)` gives in a call.
   * @example const { headers } = McpExecutionContext.requestOf<Request>(context);
   */
  static requestOf<T = McpRequest>(host: ArgumentsHost): T {
    if (host.getType<string>() !== 'mcp') return host.switchToHttp().getRequest<T>();
    return McpExecutionContext.create(host).getRequest() as T;
  }

  /** Arguments as the client sent them, before they are validated; the same as `switchToRpc().getData()`. */
  getData<T = unknown>(): T {
    return this.args[0] as T;
  }

  /** The context of the handler: caller, headers, log, questions; the same as `switchToRpc().getContext()`. */
  getContext(): McpContext {
    return this.args[1];
  }

  /** What `@Inject(REQUEST)` gives in this call. */
  getRequest(): McpRequest {
    return this.args[2];
  }

  /** The call, with its entry; undefined while an argument is completed or a template is listed. */
  getCall(): Call | undefined {
    return this.args[3];
  }
}
