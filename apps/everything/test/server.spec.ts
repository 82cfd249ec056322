/** The contract of the official conformance suite, over memory, in every revision; test/programs/e2e drives the program. */
import { eachRevision } from '@sigil-mcp/testing';
import { server } from '../src/server';

describe('the everything server', () => {
  eachRevision('has a first tool that answers to no arguments, and descriptions everywhere', async ({ connect }) => {
    const client = await connect(server);
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const [first] = tools as { name: string; description: string }[];
    expect(await client.callTool(first?.name ?? '')).toMatchObject({ isError: false });
    for (const { description } of [tools, prompts].flat() as { description: string }[])
      expect(description).toMatch(/\w/);
  });

  eachRevision('repeats arguments of prompts word for word', async ({ connect }) => {
    const client = await connect(server);
    const odd = `'"\\ \u{1F327} ${'x'.repeat(500)}`;
    const { messages } = await client.getPrompt('test_prompt_with_arguments', { arg1: odd, arg2: '' });
    expect(messages).toMatchObject([{ content: { text: `Prompt with arguments: arg1='${odd}', arg2=''` } }]);
  });

  eachRevision('embeds only what has a URI [PROMPT-008]', async ({ connect }) => {
    const client = await connect(server);
    const embed = (resourceUri: string) => client.getPrompt('test_prompt_with_embedded_resource', { resourceUri });
    expect(await embed('test://x')).toMatchObject({ messages: [{ content: { resource: { uri: 'test://x' } } }, {}] });
    await expect(embed('no uri')).rejects.toMatchObject({ code: -32602 });
  });
});
