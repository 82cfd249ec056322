/** A skill is offered to callers who may see what it names, and nothing of it to others. */
import {
  Feature,
  Public,
  Scopes,
  Tool,
  UseGuards,
  createServer,
  type Access,
  type Guard,
  type Server,
} from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { Skill, skills, type SkillsOptions } from '@sigil-mcp/skills';
import { believing, serve, useAdapter } from '../http/http-server';
import { folderOf, skillText } from '../../support/skill-folders';
import { shop } from './shop/shop';

const STAFF = { as: { id: 'ada', roles: ['staff'] } };
const GUEST = { as: { id: 'bob' } };

async function namesFor(client: TestClient): Promise<string[]> {
  const { skills: listed } = (await client.request('skills/list')) as unknown as {
    skills: { frontmatter: { name: string } }[];
  };
  return listed.map(({ frontmatter: { name } }) => name);
}

/** Every way to a file. */
async function reaches(client: TestClient, uri: string): Promise<string[]> {
  const ways: Record<string, () => Promise<unknown>> = {
    read: () => client.readResource(uri),
    get: () => client.request('skills/get', { uri }),
    folder: () => client.request('resources/directory/read', { uri: uri.replace(/\/[^/]*$/, '') }),
    resources: async () => {
      const { resources } = await client.listResources();
      if (!resources.some((each) => each.uri === uri)) throw new Error('not listed');
    },
  };
  const open: string[] = [];
  for (const [name, reach] of Object.entries(ways))
    await reach().then(
      () => open.push(name),
      () => undefined,
    );
  return open;
}

const ALL = ['read', 'get', 'folder', 'resources'];

describe('a skill that names what a caller may not see', () => {
  it('is offered to nobody else, in any way', async () => {
    const server = shop(__dirname);
    const [staff, guest] = [await connect(server, STAFF), await connect(server, GUEST)];
    expect(await namesFor(staff)).toEqual(['ordering', 'refunds', 'partial', 'handbook', 'welcome']);
    expect(await namesFor(guest)).toEqual(['ordering', 'partial', 'welcome']);
    for (const uri of ['skill://refunds/SKILL.md', 'skill://team/handbook/SKILL.md', 'skill://ordering/SKILL.md'])
      expect(await reaches(staff, uri)).toEqual(ALL);
    expect(await reaches(guest, 'skill://refunds/SKILL.md')).toEqual([]);
    expect(await reaches(guest, 'skill://team/handbook/SKILL.md')).toEqual([]);
    expect(await reaches(guest, 'skill://refunds/templates/letter.md')).toEqual([]);
    // Its own skill is not limited.
    expect(await reaches(guest, 'skill://refunds/partial/SKILL.md')).toEqual(ALL);
    await server.close();
  });

  it('is answered as one that does not exist', async () => {
    const server = shop(__dirname);
    const guest = await connect(server, GUEST);
    const said = async (uri: string) => {
      const answers = ['skills/get', 'resources/read', 'resources/directory/read'].map((method) =>
        guest.request(method, { uri }).then(
          () => 'found',
          (error: { code: number; message: string }) => `${error.code} ${error.message.replaceAll(uri, '…')}`,
        ),
      );
      return Promise.all(answers);
    };
    expect(await said('skill://refunds/SKILL.md')).toEqual(await said('skill://nothing/SKILL.md'));
    expect(await said('skill://refunds')).toEqual(await said('skill://nothing'));
    await server.close();
  });

  it('follows entries that are disabled, enabled, removed and changed at run time', async () => {
    const server = shop(__dirname);
    const staff = await connect(server, STAFF);
    server.registry.disable('tool', 'refund_order');
    expect(await namesFor(staff)).toEqual(['ordering', 'partial', 'welcome']);
    server.registry.enable('tool', 'refund_order');
    expect(await namesFor(staff)).toContain('refunds');
    server.registry.remove('prompt', 'thank_customer');
    expect(await namesFor(staff)).not.toContain('ordering');
    expect(await reaches(staff, 'skill://ordering/SKILL.md')).toEqual([]);
    server.registry.disable('resource', 'skill://welcome/SKILL.md');
    expect(await namesFor(staff)).not.toContain('welcome');
    await server.close();
  });

  it('follows entries that were disabled before the start', async () => {
    const folder = folderOf({ 'desk/SKILL.md': skillText('desk', 'Ask `ask_desk()`.') });
    @Feature()
    class Desk {
      @Tool('Asks', { name: 'ask_desk' }) ask(): string {
        return 'yes';
      }
    }
    const server = make({ folders: [folder] }, [Desk]);
    server.registry.disable('resource', 'skill://desk/SKILL.md');
    const client = await connect(server);
    expect(await namesFor(client)).toEqual([]);
    server.registry.enable('resource', 'skill://desk/SKILL.md');
    expect(await namesFor(client)).toEqual(['desk']);
    await server.close();
  });

  it('follows guards whose verdicts change', async () => {
    let isOpen = false;
    class Hours implements Guard {
      allows(): boolean {
        return isOpen;
      }
    }
    const folder = folderOf({
      'desk/SKILL.md': skillText('desk', 'Ask `ask_desk()`.'),
      'bell/SKILL.md': skillText('bell'),
    });
    @Feature()
    class Desk {
      @Tool('Asks', { name: 'ask_desk' }) @UseGuards(Hours) ask(): string {
        return 'yes';
      }
    }
    const server = make({ folders: [folder] }, [Desk]);
    const client = await connect(server);
    expect(await namesFor(client)).toEqual(['bell']);
    isOpen = true;
    expect(await namesFor(client)).toEqual(['bell', 'desk']);
    await server.close();
  });

  it('may name itself, and skills may name each other', async () => {
    const folder = folderOf({
      'a/SKILL.md': skillText('a', 'See `skill://b/SKILL.md` and `skill://a`.'),
      'b/SKILL.md': skillText('b', 'See `skill://a/SKILL.md`. Call `hidden()`.'),
    });
    @Feature()
    class Some {
      @Tool('Hides') @UseGuards({ allows: ({ caller }: Access) => caller.hasRole('staff') }) hidden(): string {
        return '';
      }
    }
    const server = make({ folders: [folder] }, [Some]);
    expect(await namesFor(await connect(server, GUEST))).toEqual([]);
    expect(await namesFor(await connect(server, STAFF))).toEqual(['a', 'b']);
    await server.close();
  });
});

describe('a skill next to a feature', () => {
  it('is offered to callers who may see something of the feature', async () => {
    const folder = folderOf({ 'closing.md': skillText('closing'), 'open.md': skillText('open') });
    @Feature()
    @UseGuards({ allows: ({ caller }: Access) => caller.hasRole('staff') })
    @Skill(`${folder}/closing.md`)
    class Closing {
      @Tool('Closes') close(): string {
        return 'closed';
      }
    }
    const server = make({}, [Closing]);
    expect(await namesFor(await connect(server, GUEST))).toEqual([]);
    expect(await namesFor(await connect(server, STAFF))).toEqual(['closing']);
    await server.close();
  });
});

describe('on a server that requires tokens', () => {
  @Feature()
  class Tills {
    @Tool('Counts') @Public() count(): string {
      return '1';
    }
    @Tool('Empties') @Scopes('till:empty') empty(): string {
      return 'empty';
    }
  }

  it('skills need a token, unless they are public and name only what is', async () => {
    useAdapter('fastify');
    const folder = folderOf({ 'a/SKILL.md': skillText('a', '`count()`'), 'b/SKILL.md': skillText('b', '`empty()`') });
    for (const isPublic of [false, true]) {
      const extensions = [skills({ folders: [folder], ...(isPublic && { public: true }) })];
      const { url, close } = await serve({ features: [Tills], extensions }, { auth: believing });
      const anonymous = await connect(url);
      if (isPublic) expect(await namesFor(anonymous)).toEqual(['a']);
      else await expect(anonymous.request('skills/list')).rejects.toThrow();
      // Lists show what lacks only scopes, as those of tools do.
      const ada = await connect(url, { headers: { authorization: 'Bearer ada' } });
      expect(await namesFor(ada)).toEqual(['a', 'b']);
      await Promise.all([anonymous.close(), ada.close()]);
      await close();
    }
  });

  it('skills may need scopes', async () => {
    const folder = folderOf({ 'a/SKILL.md': skillText('a') });
    const server = make({ folders: [folder], scopes: ['skills:read'] });
    const plain = await connect(server, { as: { id: 'ada' } });
    await expect(plain.readResource('skill://a/SKILL.md')).rejects.toThrow('skills:read');
    const scoped = await connect(server, { as: { id: 'ada', scopes: ['skills:read'] } });
    expect(await namesFor(scoped)).toEqual(['a']);
    await server.close();
  });
});

function make(
  options: SkillsOptions,
  features: NonNullable<Parameters<typeof createServer>[0]['features']> = [],
): Server {
  return createServer({
    name: 'desk',
    version: '1.0.0',
    logger: false,
    features,
    extensions: [skills({ directoryRead: true, ...options })],
  });
}
