/** What `docs/observers.md` says and shows. */
import { Tool, Feature, createServer, type Observer } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { AsyncLocalStorage } from 'node:async_hooks';

@Feature()
class Clock {
  @Tool('Tells the time') now(): string {
    return currentRequest.getStore() ?? 'never';
  }
}

const lines: string[] = [];

// #region observer
/** Writes a line for each request, with its outcome and its milliseconds. */
const requestLog: Observer = {
  requestStarted({ method, caller }) {
    return {
      ended(outcome, duration) {
        const code = outcome.kind === 'error' ? ` ${outcome.code}` : '';
        lines.push(`${caller.id}: ${method} ${outcome.kind}${code} ${Math.round(duration)} ms`);
      },
    };
  },
};
// #endregion observer

// #region context
const currentRequest = new AsyncLocalStorage<string>();

/** Code that runs for a request finds out which. */
const requestNames: Observer = {
  requestStarted: ({ id, method }) => ({
    run: (next) => currentRequest.run(`${method} ${id}`, next),
  }),
};
// #endregion context

it('writes a line for each request, and lets code find its request', async () => {
  const observers = [requestLog, requestNames];
  // #region server
  const server = createServer({ name: 'clock', version: '1.0.0', features: [Clock], observers });
  // #endregion server
  const client = await connect(server, { as: { id: 'ada' } });
  expect(await client.callTool('now')).toMatchObject({
    content: [{ text: expect.stringMatching(/^tools\/call \d+$/) as unknown }],
  });
  await client.request('no/such').catch(() => undefined);
  expect(lines.map((line) => line.replace(/\d+ ms/, 'n ms'))).toEqual([
    'ada: server/discover result n ms',
    'ada: tools/call result n ms',
    'ada: no/such error -32601 n ms',
  ]);
  await server.close();
});
