/** What `docs/how-to/resources.md` says and shows. */
import {
  Complete,
  contents,
  createServer,
  Describe,
  Feature,
  ListTemplate,
  McpContext,
  Resource,
} from '@sigil-mcp/core';
import type { ListedResource, ResourceContentsList } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsIn, IsString, Matches } from 'class-validator';

expect.extend(matchers);

const plans: Record<string, string> = { attic: 'Two windows.', cellar: 'One lamp.' };

// #region resource
@Feature()
class House {
  @Resource('house://rules', { title: 'House rules', mimeType: 'text/markdown', annotations: { audience: ['user'] } })
  rules(): string {
    return '# Rules\n\nShoes off.';
  }

  @Resource('house://meter', { description: 'The water meter, read now' })
  meter(): { litres: number } {
    return { litres: 1204 };
  }
}
// #endregion resource

// #region template
class Room {
  @Describe('Name of a room') @IsString() @Matches(/^[a-z]+$/) name!: string;
  @IsIn(['plan', 'photo']) kind!: string;
}

@Feature()
class Rooms {
  @Resource('house://rooms/{name}/{kind}', { mimeType: 'text/plain' })
  room({ name }: Room): string | undefined {
    return plans[name]; // undefined: there is no such resource
  }

  @ListTemplate('room')
  listed(): ListedResource[] {
    return Object.keys(plans).map((name) => ({ variables: { name, kind: 'plan' }, name: `Plan of the ${name}` }));
  }

  @Complete('name', 'room')
  names(typed: string, context: McpContext): string[] {
    context.log.debug('Completing', { kind: context.completion?.arguments['kind'] });
    return Object.keys(plans).filter((name) => name.startsWith(typed));
  }
}
// #endregion template

@Feature()
class Album {
  // #region pieces
  @Resource('house://album')
  album(): ResourceContentsList {
    return contents(
      { data: '# Summer', mimeType: 'text/markdown' },
      { uri: 'house://album/1', data: Buffer.from('ffd8', 'hex'), mimeType: 'image/jpeg' },
    );
  }
  // #endregion pieces
}

const server = createServer({ name: 'house', version: '1.0.0', features: [House, Rooms, Album], logger: false });

eachRevision('a resource is listed, and read when it is asked for', async ({ connect }) => {
  const client = await connect(server);
  await expect(client).toListResource('house://rules', { mimeType: 'text/markdown' });
  expect(await client.readResource('house://rules')).toHaveText(/Shoes off/);
  const { contents } = await client.readResource('house://meter');
  expect(contents).toEqual([{ uri: 'house://meter', mimeType: 'application/json', text: '{"litres":1204}' }]);
});

eachRevision('a template reads its variables as a class, and says what is not there', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.readResource('house://rooms/attic/plan')).toHaveText('Two windows.');
  await expect(client.readResource('house://rooms/attic/film')).rejects.toBeRpcError();
  await expect(client.readResource('house://rooms/hall/plan')).rejects.toBeRpcError();
});

eachRevision('a template lists what is worth listing, and completes its variables', async ({ connect }) => {
  const client = await connect(server);
  await expect(client).toListResource('house://rooms/cellar/plan', { name: 'Plan of the cellar' });
  const template = 'house://rooms/{name}/{kind}';
  expect((await client.complete({ template }, 'name', 'a')).completion.values).toEqual(['attic']);
  expect((await client.complete({ template }, 'kind', 'p')).completion.values).toEqual(['plan', 'photo']);
});

eachRevision('contents may come in pieces', async ({ connect }) => {
  const { contents } = await (await connect(server)).readResource('house://album');
  expect(contents).toMatchObject([
    { uri: 'house://album', text: '# Summer' },
    { uri: 'house://album/1', mimeType: 'image/jpeg', blob: '/9g=' },
  ]);
});
