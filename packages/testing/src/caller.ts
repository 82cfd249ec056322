/** The caller that guards and handlers see when a test connects to a server object; no password or token is involved. */
import { Caller, type CallerInit, type RequestHeaders } from '@sigil-mcp/core';
import { ANONYMOUS } from '@sigil-mcp/core/adapter';

/** A caller as a test describes it: an id, or some of its members. */
export type TestCaller = string | Partial<CallerInit>;

/** The caller as a test describes it. */
export interface CallerOptions {
  /** The `context.caller`: a user called `test-user` unless it has another id; anonymous if left out. */
  readonly as?: TestCaller;
  /**
   * Headers that are sent with each HTTP request, such as a token; the `context.headers` if the target is a server object. None if left
   * out.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller and its headers, in the form of a transport. */
export interface TestAccess {
  readonly headers: RequestHeaders;
  readonly caller: Caller;
}

/** The caller that a test describes, with the defaults filled in. */
export function accessOf({ as, headers = {} }: CallerOptions): TestAccess {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(lowered) as RequestHeaders, caller: callerOf(as) };
}

function callerOf(as: TestCaller | undefined): Caller {
  if (as === undefined) return ANONYMOUS;
  return new Caller({ id: 'test-user', ...(typeof as === 'string' ? { id: as } : as) });
}
