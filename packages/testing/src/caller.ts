/** Whom guards and handlers see when a test connects to a server object; no password or token is involved. */
import { Caller, type CallerInit, type RequestHeaders } from '@sigil-mcp/core';
import { ANONYMOUS } from '@sigil-mcp/core/adapter';

/** A caller, or as much of one as a test needs: an id, or some of its members. */
export type TestCaller = string | Partial<CallerInit>;

/** The caller as a test describes it. */
export interface CallerOptions {
  /** The caller that `context.caller` is: a user called `test-user` unless it says otherwise; anonymous if left out. */
  readonly as?: TestCaller;
  /**
   * Headers that are sent with each HTTP request, such as a token; what `context.headers` has where the target is a server object. None
   * if left out.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller and its headers, as a transport reports them. */
export interface TestAccess {
  readonly headers: RequestHeaders;
  readonly caller: Caller;
}

/** What a test describes, with what it left out filled in. */
export function accessOf({ as, headers = {} }: CallerOptions): TestAccess {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(lowered) as RequestHeaders, caller: callerOf(as) };
}

function callerOf(as: TestCaller | undefined): Caller {
  if (as === undefined) return ANONYMOUS;
  return new Caller({ id: 'test-user', ...(typeof as === 'string' ? { id: as } : as) });
}
