/** Resources and templates, on every revision. */
import { Feature, Resource, contents, createServer } from '@sigil-mcp/core';
import { eachRevision } from './checked';
import { PNG, Workshop, workshop } from './workshop';

const NEWEST = '2026-07-28';

@Feature()
class Archive {
  @Resource('archive://bundle')
  bundle(): unknown {
    return contents(
      { data: '# Read me', mimeType: 'text/markdown' },
      { uri: 'archive://bundle/logo', data: PNG, mimeType: 'image/png', meta: { 'archive.example/shelf': 3 } },
      { uri: 'archive://bundle/index', data: { pages: 2 } },
    );
  }

  @Resource('archive://bare')
  bare(): Uint8Array {
    return new Uint8Array([0xff, 0x00]);
  }

  @Resource('archive://pages/{page}')
  page(): string | undefined {
    return undefined;
  }

  @Resource('archive://broken')
  broken(): never {
    throw new Error('disk on fire at 10.0.0.7');
  }
}

const archive = () => createServer({ name: 'archive', version: '1.0.0', features: [Archive], logger: false });

eachRevision(
  'resources/list names the resources, and no templates [RSRC-001] [RSRC-002] [RSRC-003]',
  async ({ connect, revision }) => {
    const client = await connect(workshop());
    const { resources } = (await client.listResources()) as unknown as { resources: object[] };
    expect(resources).toMatchObject([
      { uri: 'shop://plan', name: 'plan', description: 'What to build', mimeType: 'text/markdown', size: 5 },
      { uri: 'shop://logo', name: 'logo', mimeType: 'image/png', annotations: { audience: ['user'] } },
    ]);
    expect((resources[0] as { title?: string }).title).toBe(revision >= '2025-06-18' ? 'The plan' : undefined);
  },
);

eachRevision('resources/templates/list names the templates [RSRC-016]', async ({ connect }) => {
  const client = await connect(workshop());
  expect(await client.listResourceTemplates()).toMatchObject({
    resourceTemplates: [{ uriTemplate: 'shop://items/{id}', name: 'item', mimeType: 'application/json' }],
  });
});

eachRevision(
  'resources/read gives text as text and bytes as base64, with a MIME type [RSRC-009] [RSRC-011]',
  async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.readResource('shop://plan')).toMatchObject({
      contents: [{ uri: 'shop://plan', mimeType: 'text/markdown', text: '# Bed' }],
    });
    expect(await client.readResource('shop://logo')).toMatchObject({
      contents: [{ uri: 'shop://logo', mimeType: 'image/png', blob: PNG.toString('base64') }],
    });
  },
);

eachRevision(
  'resources/read gives several contents, each with its own URI and type [RSRC-009]',
  async ({ connect }) => {
    const client = await connect(archive());
    const { contents: pieces } = (await client.readResource('archive://bundle')) as unknown as { contents: object[] };
    expect(pieces).toMatchObject([
      { uri: 'archive://bundle', mimeType: 'text/markdown', text: '# Read me' },
      { uri: 'archive://bundle/logo', mimeType: 'image/png', blob: PNG.toString('base64') },
      { uri: 'archive://bundle/index', mimeType: 'application/json', text: '{"pages":2}' },
    ]);
    expect(await client.readResource('archive://bare')).toMatchObject({
      contents: [{ mimeType: 'application/octet-stream', blob: '/wA=' }],
    });
  },
);

eachRevision('a template reads its variables into the input class, typed [RSRC-016]', async ({ connect }) => {
  const client = await connect(workshop());
  expect(await client.readResource('shop://items/42')).toMatchObject({
    contents: [{ uri: 'shop://items/42', mimeType: 'application/json', text: '{"id":42}' }],
  });
});

eachRevision('a variable that does not fit its class is an error that names it [RSRC-010]', async ({ connect }) => {
  const client = await connect(workshop());
  await expect(client.readResource('shop://items/many')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('id'),
  });
});

eachRevision(
  'a missing resource is an error with its URI, never an empty result [RSRC-005] [RSRC-006] [RSRC-007] [RSRC-008] [BASE-023]',
  async ({ connect, revision }) => {
    const client = await connect(workshop());
    await expect(client.readResource('shop://lost')).rejects.toMatchObject({
      code: revision < NEWEST ? -32002 : -32602,
      data: { uri: 'shop://lost' },
    });
    // A template that matches, and a handler that has nothing for it.
    const other = await connect(archive());
    await expect(other.readResource('archive://pages/9')).rejects.toMatchObject({
      code: revision < NEWEST ? -32002 : -32602,
      data: { uri: 'archive://pages/9' },
    });
  },
);

eachRevision('what is no URI is refused before anything is looked up [RSRC-010]', async ({ connect }) => {
  const client = await connect(workshop());
  for (const uri of ['', 'plan', '/etc/passwd', 'shop://a b', 'shop://a\u0000b', '://x']) {
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32602 });
  }
  await expect(client.request('resources/read', { uri: 5 })).rejects.toMatchObject({ code: -32602 });
});

eachRevision('an unexpected failure is an internal error without details [BASE-049]', async ({ connect }) => {
  const client = await connect(archive());
  const failure = (await client.readResource('archive://broken').catch((error: unknown) => error)) as {
    code: number;
    message: string;
  };
  expect(failure.code).toBe(-32603);
  expect(failure.message).toMatch(/^Internal error \(id [0-9a-f-]{36}\)/);
  expect(failure.message).not.toContain('10.0.0.7');
});

eachRevision('a server without resources has no resources methods [RSRC-001]', async ({ connect }) => {
  const client = await connect(createServer({ name: 'empty', version: '1.0.0', logger: false }));
  for (const method of ['resources/list', 'resources/templates/list', 'resources/read']) {
    await expect(client.request(method, { uri: 'shop://plan' })).rejects.toMatchObject({ code: -32601 });
  }
});

eachRevision(
  'an advertised kind without entries lists nothing, and is no unknown method [RSRC-002] [TOOL-002] [PROMPT-002]',
  async ({ connect }) => {
    const server = createServer({
      name: 'empty',
      version: '1.0.0',
      logger: false,
      capabilities: ['tools', 'resources', 'prompts'],
    });
    const client = await connect(server);
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(await client.listResources()).toMatchObject({ resources: [] });
    expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: [] });
    expect(await client.listPrompts()).toMatchObject({ prompts: [] });
  },
);

it('refuses custom schemes that RFC 3986 does not allow [RSRC-015]', () => {
  @Feature()
  class Odd {
    @Resource('1shop://plan')
    plan(): string {
      return '';
    }
  }
  expect(() => createServer({ name: 'odd', version: '1.0.0', features: [Odd, Workshop] })).toThrow(
    /Odd\.plan.*not an absolute URI/s,
  );
});
