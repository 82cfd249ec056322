/** The door for those who write transports: one import has all that one needs. */
import * as main from '@sigil-mcp/core';
import * as adapter from '@sigil-mcp/core/adapter';
import type { Auth, Logger, RequestHeaders } from '@sigil-mcp/core/adapter';

describe('the entry for adapters', () => {
  it('has the classes of the main entry that transports throw and recognise', () => {
    expect(adapter.Denial).toBe(main.Denial);
    expect(adapter.Caller).toBe(main.Caller);
    expect(adapter.AskFailure).toBe(main.AskFailure);
  });

  it('has the types of who calls and of what is logged', () => {
    const auth: Auth = { verify: () => adapter.ANONYMOUS } satisfies main.Auth;
    const headers: RequestHeaders = {} satisfies main.RequestHeaders;
    const logger: Logger = new main.SilentLogger();
    expect([auth, headers, logger]).toHaveLength(3);
  });
});
