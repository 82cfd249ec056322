/** Asking the client: the same handlers on every revision that has the question. */
import { createServer } from '@sigil-mcp/core';
import { Asking, EVERYTHING, answering } from './asking';
import { eachRevision } from './checked';

const server = createServer({ name: 'asking', version: '1.0.0', features: [Asking], logger: false });
const FORMS = { since: '2025-06-18' };
const URLS = { since: '2025-11-25' };
const text = (words: string) => ({ content: [{ type: 'text', text: words }], isError: false });

describe('elicitation', () => {
  eachRevision(
    'asks for a form, and gives the handler an instance of it',
    async ({ revision, connect }) => {
      const colors = revision === '2025-06-18' ? 'red, blue' : ['red', 'blue'];
      const answers = answering({ name: 'mug', size: 'large', colors });
      const client = await connect(server, { capabilities: EVERYTHING, answers });
      expect(await client.callTool('order')).toMatchObject(text('2 large red+blue mug, gift: false'));
      expect(client.questions).toHaveLength(1);
    },
    FORMS,
  );
  eachRevision(
    'asks several times, one after the other, at once, in prompts and resources',
    async ({ connect }) => {
      const client = await connect(server, { capabilities: EVERYTHING, answers: answering() });
      expect(await client.callTool('twice')).toMatchObject(text('Ada Ada number'));
      expect(await client.callTool('atOnce')).toMatchObject(text('Ada|Paris|tester|file:///home/ada'));
      expect(await client.getPrompt('greet')).toMatchObject({ messages: [{ content: { text: 'Greet Ada.' } }] });
    },
    FORMS,
  );
  eachRevision(
    'sends a user to a page',
    async ({ connect }) => {
      const client = await connect(server, { capabilities: EVERYTHING, answers: answering() });
      expect(await client.callTool('page')).toMatchObject(text('accept'));
    },
    URLS,
  );
});

describe('sampling and roots', () => {
  eachRevision('asks the model, and for roots', async ({ connect }) => {
    const client = await connect(server, { capabilities: EVERYTHING, answers: answering() });
    expect(await client.callTool('sample')).toMatchObject(text('assistant: Paris'));
    expect(await client.callTool('roots')).toMatchObject(text('file:///home/ada (home)'));
  });
});
