/** The code of docs/telemetry.md runs, and its spans are as the page shows them. */
import { createServer, Feature, McpContext, Sensitive, Tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { IsBoolean, IsString } from 'class-validator';
import { Recorded, parentOf } from '../../support/recorded-telemetry';
// #region import
import { telemetry, tracedLogger } from '@sigil-mcp/otel';
// #endregion import

class Confirmation {
  @IsBoolean() ok!: boolean;
}

// #region sensitive
class Login {
  @IsString() user!: string;
  @Sensitive() @IsString() password!: string;
}
// #endregion sensitive

@Feature()
class Accounts {
  @Tool('Signs in') signIn({ user }: Login): string {
    return `Signed in as ${user}`;
  }
}

@Feature()
class Alerts {
  @Tool('Warns a city') async alert(context: McpContext): Promise<string> {
    const { action } = await context.elicit(Confirmation, 'Alert everyone?');
    return action;
  }
}

const recorded = new Recorded();
afterAll(() => recorded.close());

const lines: object[] = [];
const log = (fields: object): void => void lines.push(fields);
const logger = { debug: log, info: log, warn: log, error: log };

// #region server
const server = createServer({
  name: 'alerts',
  version: '1.0.0',
  features: [Alerts],
  observers: [telemetry()],
  logger: tracedLogger(logger),
});
// #endregion server
afterAll(() => server.close());

it.each([
  ['2025-11-25', ['elicitation/create', 'tools/call alert']],
  ['2026-07-28', ['tools/call alert', 'tools/call alert']],
])('makes one trace of a call that asks, in %s', async (revision, names) => {
  recorded.reset();
  const client = await connect(server, { revision, answers: () => ({ action: 'accept', content: { ok: true } }) });
  expect(await client.callTool('alert')).toMatchObject({ content: [{ text: 'accept' }] });
  const spans = recorded.spans.filter(({ name }) => names.includes(name));
  expect(spans.map(({ name }) => name)).toEqual(names);
  expect(new Set(spans.map((span) => parentOf(span).traceId)).size).toBe(1);
});

it('records arguments without those that are sensitive', async () => {
  recorded.reset();
  const observers = [telemetry({ record: { arguments: true } })];
  const client = await connect(createServer({ name: 'a', version: '1.0.0', features: [Accounts], observers }));
  await client.callTool('signIn', { user: 'ada', password: 'secret' });
  expect(recorded.span('tools/call signIn').attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"user":"ada","password":"[sensitive]"}',
  });
});
