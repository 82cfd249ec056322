/** What `docs/how-to/progress.md` says and shows. */
import { setTimeout as delay } from 'node:timers/promises';
import { createServer, Feature, McpContext, Tool } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsInt } from 'class-validator';
import { turn } from '../../support/turn';

expect.extend(matchers);

class Pages {
  @IsInt() pages!: number;
}

const ended: string[] = [];

// #region progress
@Feature()
class Printer {
  @Tool('Prints pages', { timeout: 60_000 })
  async print({ pages }: Pages, context: McpContext): Promise<string> {
    for (let page = 1; page <= pages; page += 1) {
      await delay(5, undefined, { signal: context.signal });
      await context.progress(page, pages, `Page ${page} is printed`);
    }
    context.log.info('Printed', { pages });
    return `Printed ${pages} pages.`;
  }
}
// #endregion progress

@Feature()
class Patient {
  @Tool('Waits')
  async wait(context: McpContext): Promise<string> {
    await delay(60_000, undefined, { signal: context.signal }).catch(() => ended.push('told'));
    return 'nobody reads this';
  }
}

@Feature()
class Slow {
  // #region limit
  @Tool('Asks a slow service', { timeout: 50 })
  async ask(context: McpContext): Promise<string> {
    await delay(60_000, undefined, { signal: context.signal }).catch(() => ended.push('told'));
    return 'too late';
  }
  // #endregion limit
}

const server = createServer({ name: 'printer', version: '1.0.0', features: [Printer, Patient, Slow], logger: false });

eachRevision('a client that asked for it hears how far a call has come', async ({ connect }) => {
  const client = await connect(server);
  const heard: unknown[] = [];
  const result = await client.callTool('print', { pages: 3 }, { onProgress: ({ progress }) => heard.push(progress) });
  expect(heard).toEqual([1, 2, 3]);
  expect(result).toHaveText('Printed 3 pages.');
});

eachRevision('a client that wants to hear it has what the handler says', async ({ connect }) => {
  const client = await connect(server);
  await client.callTool('print', { pages: 1 }, { logLevel: 'info' });
  expect(client.notifications('notifications/message')).toMatchObject([{ params: { level: 'info' } }]);
});

eachRevision('a handler whose call was cancelled is stopped', async ({ connect }) => {
  ended.length = 0;
  const client = await connect(server);
  const { id, result } = client.start('tools/call', { name: 'wait', arguments: {} });
  await turn();
  client.cancel(id);
  await expect(result).rejects.toThrow('cancelled');
  await turn();
  expect(ended).toEqual(['told']);
});

eachRevision('a call that takes too long is told so, and its handler is stopped', async ({ connect }) => {
  ended.length = 0;
  const result = await (await connect(server)).callTool('ask');
  expect(result).toBeToolError(/timed out after 50 ms/);
  expect(ended).toEqual(['told']);
});
