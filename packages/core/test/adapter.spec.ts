/** The door for those who write transports: one import has all that one needs. */
import * as main from '@sigil-mcp/core';
import * as adapter from '@sigil-mcp/core/adapter';
import type { AuthenticatedUser, Logger, RequestHeaders } from '@sigil-mcp/core/adapter';

describe('the entry for adapters', () => {
  it('has the classes of the main entry that transports throw and recognise', () => {
    expect(adapter.Denial).toBe(main.Denial);
    expect(adapter.AskFailure).toBe(main.AskFailure);
  });

  it('has the types of who calls and of what is logged', () => {
    const user: AuthenticatedUser = { id: 'ada', scopes: [], claims: {} } satisfies main.AuthenticatedUser;
    const headers: RequestHeaders = {} satisfies main.RequestHeaders;
    const logger: Logger = new main.SilentLogger();
    expect([user, headers, logger]).toHaveLength(3);
  });
});
