/** Arguments and results in spans: only if asked for, never what is sensitive, in every revision. */
import { createServer, Feature, Sensitive, Tool, ToolFailure, type Server } from '@sigil-mcp/core';
import { telemetry, type RecordedParts } from '@sigil-mcp/otel';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../../test/support/each-revision';
import { IsString } from 'class-validator';
import { Recorded } from '../../../test/support/recorded-telemetry';
import { ATTRIBUTES, OWN_METRICS } from '../src/conventions';

class Login {
  @IsString() user!: string;
  @Sensitive() @IsString() password!: string;
}
class Session {
  @IsString() name!: string;
  @Sensitive() @IsString() token!: string;
}
class Words {
  @IsString() words!: string;
}

@Feature()
class Accounts {
  @Tool('Signs in', { output: Session }) signIn({ user }: Login): Session {
    return { name: user, token: 'of-the-result' };
  }
  @Tool('Renews', { output: Session }) renew({ password }: Login): Session {
    throw new ToolFailure(`The password ${password} is wrong.`);
  }
  @Tool('Signs out') signOut({ user, password }: Login): string {
    return `${user} ${password}`;
  }
  @Tool('Repeats') repeat({ words }: Words): string {
    return words;
  }
}

const recorded = new Recorded();
afterEach(() => recorded.reset());
afterAll(() => recorded.close());

const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});
const serverOf = (record?: RecordedParts): Server => {
  const server = createServer({
    name: 'accounts',
    version: '1.0.0',
    features: [Accounts],
    observers: [telemetry(record ? { record } : {})],
    logger: false,
  });
  opened.push(server);
  return server;
};
const attributesOf = (name: string) => {
  const { attributes } = recorded.span(name);
  return [attributes[ATTRIBUTES.arguments], attributes[ATTRIBUTES.result]];
};
const credentials = { user: 'ada', password: 'of-the-arguments' };

eachRevision('record what is asked for, and no sensitive value of it', async ({ connect: open }) => {
  const client = await open(serverOf({ arguments: true, results: true }));
  await client.callTool('signIn', credentials);
  expect(attributesOf('tools/call signIn')).toEqual([
    '{"user":"ada","password":"[sensitive]"}',
    '{"name":"ada","token":"[sensitive]"}',
  ]);
  await client.callTool('renew', credentials);
  expect(attributesOf('tools/call renew')).toEqual(['{"user":"ada","password":"[sensitive]"}', undefined]);
  expect(JSON.stringify(recorded.spans.map(({ attributes }) => attributes))).not.toContain('of-the-');
});

eachRevision('record nothing unless it is asked for', async ({ connect: open }) => {
  const client = await open(serverOf());
  await client.callTool('signIn', credentials);
  expect(attributesOf('tools/call signIn')).toEqual([undefined, undefined]);
});

it('records refused arguments without values under names that the class does not have, or of another type', async () => {
  const client = await connect(serverOf({ arguments: true }));
  await client.callTool('signIn', { user: 7, pasword: 'mistyped' });
  expect(attributesOf('tools/call signIn')).toEqual(['{"user":"[undeclared]","pasword":"[undeclared]"}', undefined]);
});

it('records no result without a class of a tool with sensitive arguments, because it may repeat them', async () => {
  const client = await connect(serverOf({ arguments: true, results: true }));
  await client.callTool('signOut', credentials);
  expect(attributesOf('tools/call signOut')).toEqual(['{"user":"ada","password":"[sensitive]"}', undefined]);
  await client.close();
});

it('records results without a class as they are, and cuts long ones', async () => {
  const client = await connect(serverOf({ results: true }));
  await client.callTool('repeat', { words: 'x'.repeat(10_000) });
  const [, result] = attributesOf('tools/call repeat');
  expect(result).toMatch(/^\{"content":\[\{"type":"text","text":"x+…$/);
  expect(result).toHaveLength(4097);
});

it('ends the span of a call whose arguments cannot be recorded', () => {
  const request = { method: 'tools/call', params: {}, headers: {}, notes: {}, id: 1, caller: {} };
  const input = {
    get schema(): never {
      throw new RangeError('too deep');
    },
  };
  const call = { method: 'tools/call', round: 1, entry: { kind: 'tool', key: 'deep', shapes: { input } } };
  const watching = telemetry({ record: { arguments: true } }).requestStarted?.(request as never);
  watching?.opened?.(call as never);
  expect(() => watching?.ended?.({ kind: 'result', isError: false, result: {} }, 1)).toThrow('too deep');
  expect(recorded.spans).toHaveLength(1);
});

it('measures the memory that clients make the server hold by what it is held for, beside its limit', async () => {
  const server = serverOf();
  const client = await connect(server);
  await client.callTool('repeat', { words: '' });
  const [limit] = await recorded.points(OWN_METRICS.heldLimit);
  expect(limit).toMatchObject({ value: expect.any(Number), attributes: { 'sigil.server': 'accounts' } });
  const held = await recorded.points(OWN_METRICS.held);
  expect(held.map(({ attributes, value }) => [attributes['sigil.held.kind'], typeof value])).toEqual(
    ['calls', 'bodies', 'answers', 'unread', 'sessions', 'streams', 'subscriptions'].map((kind) => [kind, 'number']),
  );
  expect(Number(limit?.value)).toBeGreaterThan(1024 * 1024);
});
