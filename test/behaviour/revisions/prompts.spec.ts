/** Prompts and completion, on every revision. */
import { createServer } from '@sigil-mcp/core';
import { eachRevision } from './checked';
import { PNG, workshop } from './workshop';

describe('prompts', () => {
  eachRevision(
    'are listed with their arguments [PROMPT-001] [PROMPT-002] [PROMPT-003]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      const { prompts } = (await client.listPrompts()) as unknown as { prompts: object[] };
      expect(prompts).toMatchObject([
        {
          name: 'letter',
          description: 'Writes a letter',
          arguments: [
            { name: 'name', required: true },
            { name: 'copies', required: false },
          ],
        },
        { name: 'greet', description: 'Greets' },
      ]);
      expect((prompts[0] as { title?: string }).title).toBe(revision >= '2025-06-18' ? 'Letter' : undefined);
      expect(prompts[1]).not.toHaveProperty('arguments');
    },
  );

  eachRevision('give messages with roles and every kind of content [PROMPT-007] [PROMPT-008]', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.getPrompt('letter', { name: 'Ada' })).toMatchObject({
      description: 'Writes a letter',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Dear Ada' } },
        { role: 'assistant', content: { type: 'text', text: 'Yes?' } },
        {
          role: 'user',
          content: { type: 'resource', resource: { uri: 'shop://note', mimeType: 'text/plain', text: 'a note' } },
        },
        { role: 'user', content: { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' } },
        { role: 'user', content: { type: 'text', text: 'Thank you.' } },
      ],
    });
  });

  eachRevision('may be called without arguments where they take none', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.request('prompts/get', { name: 'greet' })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
    });
  });

  eachRevision(
    'refuse an unknown name, a missing argument, one that does not fit, and one that nobody knows [PROMPT-005]',
    async ({ connect }) => {
      const client = await connect(workshop());
      await expect(client.getPrompt('poem')).rejects.toMatchObject({ code: -32602, message: 'Unknown prompt: poem' });
      await expect(client.getPrompt('letter')).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('name'),
      });
      await expect(client.getPrompt('letter', { name: 'Ada', copies: 'many' })).rejects.toMatchObject({ code: -32602 });
      await expect(client.getPrompt('letter', { name: 'Ada', colour: 'red' })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request('prompts/get', { name: 'letter', arguments: { name: 5 } })).rejects.toMatchObject({
        code: -32602,
      });
    },
  );

  eachRevision('convert arguments from strings by the types of the class', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.getPrompt('letter', { name: 'Ada', copies: '3' })).toMatchObject({
      messages: expect.any(Array),
    });
    await expect(client.getPrompt('letter', { name: 'Ada', copies: '3.5' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('completion', () => {
  eachRevision('understands both kinds of references [COMPL-003] [COMPL-001]', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.complete({ prompt: 'letter' }, 'name', 'A')).toMatchObject({
      completion: { values: ['Aa', 'Ab', 'completion/complete'], total: 3, hasMore: false },
    });
    expect(await client.complete({ template: 'shop://items/{id}' }, 'id', '24')).toMatchObject({
      completion: { values: ['24', '240', '241', '242', '243', '244', '245', '246', '247', '248', '249'] },
    });
  });

  eachRevision(
    'sends at most 100 values, says how many there are, and keeps the order of the completer [COMPL-002] [COMPL-005]',
    async ({ connect }) => {
      const client = await connect(workshop());
      const { completion } = (await client.complete({ template: 'shop://items/{id}' }, 'id', '')) as unknown as {
        completion: { values: string[]; total: number; hasMore: boolean };
      };
      expect(completion.values).toHaveLength(100);
      expect(completion.values.slice(0, 3)).toEqual(['0', '1', '2']);
      expect(completion).toMatchObject({ total: 250, hasMore: true });
    },
  );

  eachRevision('suggests nothing for an argument without a completer', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.complete({ prompt: 'letter' }, 'copies', '1')).toMatchObject({ completion: { values: [] } });
  });

  eachRevision('refuses unknown prompts and templates, and malformed requests [COMPL-004]', async ({ connect }) => {
    const client = await connect(workshop());
    await expect(client.complete({ prompt: 'poem' }, 'name', 'A')).rejects.toMatchObject({ code: -32602 });
    await expect(client.complete({ template: 'shop://{lost}' }, 'lost', 'A')).rejects.toMatchObject({ code: -32602 });
    await expect(client.request('completion/complete', { ref: { type: 'ref/other' } })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.request('completion/complete', {})).rejects.toMatchObject({ code: -32602 });
  });

  eachRevision(
    'is an unknown method where the server completes nothing [COMPL-004] [BASE-013]',
    async ({ connect }) => {
      const client = await connect(createServer({ name: 'empty', version: '1.0.0', logger: false }));
      await expect(client.complete({ prompt: 'letter' }, 'name', 'A')).rejects.toMatchObject({ code: -32601 });
    },
  );
});
