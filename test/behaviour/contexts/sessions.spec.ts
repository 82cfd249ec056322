/** Calls that wait, for their turn or for an answer, go on in the context of their own request. */
import { createServer, Feature, McpContext, Tool } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { ambient, serve, user, type Ambient } from './requests-of-users';

class Sure {
  @IsBoolean() sure!: boolean;
}

const USERS = Array.from({ length: 8 }, (_, index) => `user ${index}`);
const text = (result: { readonly content?: unknown }): unknown =>
  (result.content as readonly { readonly text?: unknown }[])[0]?.text;

@Feature()
class Desk {
  readonly before = new Map<string, Ambient | undefined>();

  @Tool('Works alone', { concurrency: 1 })
  async alone(): Promise<string> {
    const begun = user();
    await new Promise(setImmediate);
    return `${begun} ${user()}`;
  }

  @Tool('Asks in its session')
  async ask(context: McpContext): Promise<string> {
    const before = ambient();
    const answered = await Promise.all([context.elicit(Sure, 'Sure?'), context.elicit(Sure, 'Really?')]);
    // Each request has an object of its own, also those of one user.
    return `${user()} ${ambient() === before} ${answered.map(({ action }) => action).join()}`;
  }
}

it('a call that waits for its turn goes on in its own request', async () => {
  const served = await serve(createServer({ name: 'desk', version: '1.0.0', logger: false, features: [Desk] }));
  const clients = await Promise.all(USERS.map((name) => served.meet(name)));
  const results = await Promise.all(clients.map((client) => client.callTool('alone', {})));
  expect(results.map(text)).toEqual(USERS.map((name) => `${name} ${name}`));
  await served.close();
});

it.each(['2025-11-25', '2026-07-28'])(
  'a handler whose question is answered goes on in its own request, in %s',
  async (revision) => {
    const served = await serve(createServer({ name: 'desk', version: '1.0.0', logger: false, features: [Desk] }));
    const answers = () => ({ action: 'accept', content: { sure: true } }) as const;
    const clients = await Promise.all(USERS.map((name) => served.meet(name, { revision, answers })));
    expect(clients.map((client) => client.revision)).toEqual(USERS.map(() => revision));
    const results = await Promise.all(clients.map((client) => client.callTool('ask', {})));
    expect(results.map(text)).toEqual(USERS.map((name) => `${name} true accept,accept`));
    await served.close();
  },
);
