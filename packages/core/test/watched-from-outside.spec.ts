/** A tool that started the program watches its servers: it adds observers, and receives the errors that clients do not see. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from '@sigil-mcp/testing';
import { createServer, Feature, Tool, type Observer } from '../src';

@Feature()
class Disk {
  @Tool('Fills the disk')
  fill(): string {
    throw new RangeError('the disk is full');
  }
}

const OBSERVE = 'sigil:server:observe';
const MASKED = 'sigil:error:masked';

it('adds the observers of a tool to a server, and announces its masked errors with the id that clients receive', async () => {
  const methods: string[] = [];
  const masked: unknown[] = [];
  const add = (message: unknown): void => {
    const { observers } = message as { observers: Observer[] };
    observers.push({ requestStarted: ({ method }) => void methods.push(method) });
  };
  const note = (message: unknown): void => void masked.push(message);
  subscribe(OBSERVE, add);
  subscribe(MASKED, note);
  try {
    const client = await connect(createServer({ name: 'disk', version: '1.0.0', features: [Disk], logger: false }));
    const { content } = await client.callTool('fill');
    expect(methods).toContain('tools/call');
    expect(masked).toEqual([
      { errorId: expect.any(String), method: 'tools/call', entry: 'fill', error: new RangeError('the disk is full') },
    ]);
    expect(JSON.stringify(content)).toContain((masked[0] as { errorId: string }).errorId);
    await client.close();
  } finally {
    unsubscribe(OBSERVE, add);
    unsubscribe(MASKED, note);
  }
});

it('has no observers without a tool', async () => {
  const client = await connect(createServer({ name: 'disk', version: '1.0.0', features: [Disk], logger: false }));
  expect(JSON.stringify(await client.callTool('fill'))).toContain('Internal error (id ');
  await client.close();
});
