/** What a test report shows of an error answer: the line of the test, and the option that was forgotten. */
import { createServer, Feature, McpContext, Scopes, Title, Tool } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { eachRevision } from '../src';

class Sure {
  @Title('Sure?') @IsBoolean() sure!: boolean;
}

@Feature()
class Loans {
  @Tool('Gives a book back', { asks: [Sure] })
  async giveBack(context: McpContext): Promise<string> {
    const { action } = await context.elicit(Sure, 'Really?');
    return action;
  }

  @Tool('Lists what is lent')
  @Scopes('loans:read')
  list(): string {
    return 'nothing';
  }
}

const server = createServer({ name: 'loans', version: '1.0.0', features: [Loans], logger: false });
afterAll(() => server.close());

const failureOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => new Error('There was no error.'),
    (error: Error) => error,
  );

eachRevision('a test that forgets `answers` reads that, and its own line', async ({ connect }) => {
  const client = await connect(server);
  const { stack, message } = await failureOf(client.callTool('giveBack'));
  expect(stack).toContain(`${message}\nThe server asks this client. Pass \`answers\` to connect()`);
  expect(stack).toContain('point-to-test.spec.ts');
});

eachRevision('a test whose caller lacks scopes reads how to give them', async ({ connect }) => {
  const client = await connect(server, { as: { id: 'ada', scopes: [] } });
  const { stack, message } = await failureOf(client.callTool('list'));
  expect(message).toContain('loans:read');
  expect(stack).toContain('Pass a caller with these scopes to connect(): { as: { id, scopes } }');
  expect(stack).toContain('point-to-test.spec.ts');
});
