/** Who a client is to the server, and what it replaces in it. */
import { createServer, Feature, Injectable, Tool, type OnStart, type OnStop } from '@sigil-mcp/core';
import { connect, eachRevision, type ConnectOptions } from '@sigil-mcp/testing';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { harbour, TideTable } from './harbour';

const whoami = async (options: ConnectOptions): Promise<string | undefined> => {
  const client = await connect(harbour(), options);
  const { content } = await client.callTool('whoami');
  await client.close();
  return content[0]?.text;
};

describe('a client of a server object', () => {
  eachRevision('is the user, with the scopes, that the test says', async ({ connect }) => {
    const server = harbour();
    const docker = await connect(server, { as: { id: 'ada', claims: { ship: 1 }, scopes: ['dock'] } });
    expect(await docker.callTool('dock', { name: 'Ada' })).toMatchObject({
      content: [{ text: 'Ada docked for ada ({"ship":1})' }],
    });
    expect(JSON.stringify(await docker.listTools())).toContain('"dock"');
    const stranger = await connect(server, { as: 'bob' });
    expect(JSON.stringify(await stranger.listTools())).not.toContain('"dock"');
    await expect(stranger.callTool('dock', { name: 'Ada' })).rejects.toThrow('Unknown tool: dock');
  });

  it('can be left as vague as a test likes', async () => {
    expect(await whoami({})).toBe('anonymous with , undefined');
    expect(await whoami({ as: 'ada' })).toBe('ada with , undefined');
    expect(await whoami({ as: { scopes: ['a', 'b'] } })).toBe('test-user with a b, undefined');
    expect(await whoami({ as: { id: 'ada', scopes: ['a'] } })).toBe('ada with a, undefined');
    expect(await whoami({ headers: { 'X-Berth': '7' } })).toBe('anonymous with , 7');
  });

  eachRevision('has providers of its own, which end with it', async ({ connect }) => {
    const server = harbour();
    const fake = { height: () => 9, stops: 0, onStop: () => void (fake.stops += 1) };
    const client = await connect(server, { override: [{ provide: TideTable, useValue: fake }] });
    const other = await connect(server);
    expect((await client.callTool('tide')).content[0]?.text).toContain('"height":9');
    expect((await other.callTool('tide')).content[0]?.text).toContain('"height":3');
    await client.close();
    expect(fake.stops).toBe(1);
    expect(await other.callTool('tide')).toMatchObject({ isError: false });
    await client.close();
    expect(fake.stops).toBe(1);
  });

  eachRevision(
    'that answers may be asked everything, unless the test says less',
    async ({ connect }) => {
      const leave = async (options: ConnectOptions): Promise<string | undefined> => {
        const client = await connect(harbour(), options);
        return (await client.callTool('leave')).content[0]?.text;
      };
      const answers = (): { action: string } => ({ action: 'decline' });
      expect(await leave({ answers })).toBe('The captain said: decline');
      expect(await leave({ answers, capabilities: { elicitation: {} } })).toBe('The captain said: decline');
      const missing = { data: { requiredCapabilities: { elicitation: {} } } };
      await expect(leave({ answers, capabilities: {} })).rejects.toMatchObject(missing);
      await expect(leave({})).rejects.toMatchObject(missing);
    },
    { since: '2025-06-18' },
  );

  it('is told what it overrides in vain', async () => {
    class Moon {}
    await expect(connect(harbour(), { override: [{ provide: Moon, useValue: {} }] })).rejects.toThrow(
      'the server does not use Moon',
    );
  });

  it('leaves nothing running behind a start that failed', async () => {
    const life: string[] = [];
    const hooks = { onStart: () => void life.push('start'), onStop: () => void life.push('stop') };
    @Injectable()
    class First implements OnStart, OnStop {
      onStart = hooks.onStart;
      onStop = hooks.onStop;
    }
    @Feature()
    class Sleeper {
      constructor(_first: First) {}
      @Tool('Nothing')
      nothing(): void {}
      onStart(): void {
        throw new Error('No anchor.');
      }
    }
    const server = createServer({ name: 's', version: '1', features: [Sleeper], logger: false });
    await expect(connect(server, { override: [{ provide: First, useClass: First }] })).rejects.toThrow('No anchor.');
    expect(life).toEqual(['start', 'stop']);
  });
});

describe('a server that is not in this process', () => {
  it('cannot be reached into, and says so', async () => {
    const command = { command: process.execPath, args: ['-e', ''] };
    await expect(connect(command, { as: 'ada', headers: {} })).rejects.toThrow(
      'connect({ as, headers }) cannot configure a separate program. Connect to the server object, or configure the program with `args` and `env`.',
    );
    await expect(connect('http://127.0.0.1:1/mcp', { as: 'ada', override: [] })).rejects.toThrow(
      'connect({ as, override }) cannot configure a server behind a URL. Connect to the server object, or identify the caller with `headers`, such as a token.',
    );
  });

  it('gets the headers with every request, in the place of our own', async () => {
    const seen: unknown[] = [];
    const http = createHttpServer(({ method, headers }, response) => {
      seen.push([method, headers.authorization, headers.accept]);
      response.writeHead(401, { 'Content-Type': 'text/plain' }).end('no');
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const headers = { Authorization: 'Bearer x', accept: 'nothing' };
    await expect(connect(`http://127.0.0.1:${port}/mcp`, { headers })).rejects.toThrow('401');
    http.close();
    expect(seen).toEqual([['POST', 'Bearer x', 'nothing']]);
  });
});
