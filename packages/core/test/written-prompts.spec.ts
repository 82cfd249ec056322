/** Prompts that return a result in the format of the protocol. */
import { assistantMessage, createServer, Feature, Prompt } from '@sigil-mcp/core';
import { eachRevision } from '../../../test/support/each-revision';

@Feature()
class Advice {
  @Prompt('Advises') advise() {
    return {
      description: 'Today',
      messages: [
        { role: 'user', content: 'Ask.' },
        { role: 'assistant', content: 'Answer.' },
      ],
    };
  }
  @Prompt('Lists') list() {
    return { messages: [assistantMessage('One.')] };
  }
  @Prompt('Is wrong') wrong() {
    return { messages: [{ role: 'system', content: 'no' }] };
  }
}
const server = createServer({ name: 'advice', version: '1.0.0', logger: false, features: [Advice] });

eachRevision('are passed on, with their description', async ({ connect }) => {
  const client = await connect(server.override([]));
  expect(await client.getPrompt('advise')).toMatchObject({
    description: 'Today',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Ask.' } },
      { role: 'assistant', content: { type: 'text', text: 'Answer.' } },
    ],
  });
  expect(await client.getPrompt('list')).toMatchObject({ description: 'Lists', messages: [{ role: 'assistant' }] });
});

eachRevision('are refused, and masked, with a message that is none', async ({ connect }) => {
  const client = await connect(server.override([]));
  await expect(client.getPrompt('wrong')).rejects.toMatchObject({ code: -32603 });
});
