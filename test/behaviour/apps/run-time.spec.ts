/** Views while a server runs: who may read them, what is logged, and files that change. */
import { apps, View, view } from '@sigil-mcp/apps';
import {
  Feature,
  Scopes,
  Tool,
  UseGuards,
  UseInterceptors,
  createServer,
  resource,
  tool,
  type Access,
  type FeatureSource,
  type Guard,
  type Interceptor,
  type Logger,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageWith } from './weather';

const folder = mkdtempSync(join(tmpdir(), 'sigil-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));
let written = 0;
function file(html = pageWith('a')): string {
  const path = join(folder, `${(written += 1)}.html`);
  writeFileSync(path, html);
  return path;
}

/** The warnings of a server. */
class Warnings implements Logger {
  readonly said: string[] = [];
  debug(): void {}
  info(): void {}
  error(): void {}
  warn(_fields: object, message: string): void {
    this.said.push(message);
  }
  child(): Logger {
    return this;
  }
}

function serverOf(features: readonly FeatureSource[], options: Partial<ServerOptions> = {}) {
  return createServer({ name: 'a', version: '1.0.0', logger: false, features, extensions: [apps()], ...options });
}

class OnlyAnna implements Guard {
  allows({ caller }: Access): boolean {
    return caller.id === 'anna';
  }
}

class Marks implements Interceptor {
  intercept(_call: unknown, next: () => Promise<unknown>): Promise<unknown> {
    Marks.seen.push('around');
    return next();
  }
  static readonly seen: string[] = [];
}

@Feature()
@UseGuards(new OnlyAnna())
class Secret {
  @View('ui://secret/page', { file: file() }) readonly page!: View;
  @View('ui://secret/made') made(): string {
    return pageWith('made');
  }
  @Tool('Shows it', { view: 'page' }) show(): string {
    return 'ok';
  }
  @Tool('Shows it', { view: 'made' }) make(): string {
    return 'ok';
  }
}

eachRevision('a view is listed and read by those whom the guards of its class allow', async ({ connect: open }) => {
  const anna = await open(serverOf([Secret]), { as: { id: 'anna' } });
  expect((await anna.listResources()).resources).toHaveLength(2);
  expect((await anna.readResource('ui://secret/page')).contents).toMatchObject([{ text: pageWith('a') }]);
  expect((await anna.readResource('ui://secret/made')).contents).toMatchObject([{ text: pageWith('made') }]);

  const bert = await open(serverOf([Secret]), { as: { id: 'bert' } });
  expect((await bert.listTools()).tools).toEqual([]);
  for (const uri of ['ui://secret/page', 'ui://secret/made'])
    await expect(bert.readResource(uri)).rejects.toThrow(/not found|unknown/i);
});

eachRevision('a view needs the scopes of its class and its own', async ({ connect: open }) => {
  @Feature()
  @Scopes('charts')
  class Charts {
    @View('ui://charts/one', { file: file() }) @Scopes('charts:read') readonly one!: View;
    @Tool('Shows it', { view: 'one' }) @Scopes('charts:read') show(): string {
      return 'ok';
    }
  }
  const server = serverOf([Charts]);
  const some = await open(server, { as: { id: 'a', scopes: ['charts'] } });
  await expect(some.readResource('ui://charts/one')).rejects.toThrow();
  const all = await open(server, { as: { id: 'a', scopes: ['charts', 'charts:read'] } });
  expect((await all.readResource('ui://charts/one')).contents).toHaveLength(1);
});

describe('the page of a file', () => {
  it('is the one that was checked, whatever happens to the file', async () => {
    const path = file(pageWith('before'));
    const client = await connect(serverOf([view('ui://a/page', { name: 'page', file: path })]));
    const read = async () => (await client.readResource('ui://a/page')).contents[0]?.text;
    expect(await read()).toBe(pageWith('before'));
    truncateSync(path, 20);
    expect(await read()).toBe(pageWith('before'));
    writeFileSync(path, '<script>alert(1)</script>');
    expect(await read()).toBe(pageWith('before'));
    rmSync(path);
    expect(await read()).toBe(pageWith('before'));
    await client.close();
  });

  it('is read again for each server', async () => {
    const path = file(pageWith('one'));
    const features = () => [view('ui://a/page', { name: 'page', file: path })];
    const first = await connect(serverOf(features()));
    writeFileSync(path, pageWith('two'));
    const second = await connect(serverOf(features()));
    const texts = await Promise.all([first, second].map((each) => each.readResource('ui://a/page')));
    expect(texts.map(({ contents }) => contents[0]?.text)).toEqual([pageWith('one'), pageWith('two')]);
    await Promise.all([first.close(), second.close()]);
  });

  it('keeps every character', async () => {
    const html = pageWith('</script> & "quotes" \u2028 $& $1 \u{1F600} é');
    const client = await connect(serverOf([view('ui://a/page', { name: 'page', file: file(html) })]));
    expect((await client.readResource('ui://a/page')).contents[0]?.text).toBe(html);
    await client.close();
  });

  it('passes the interceptors of its class', async () => {
    @Feature()
    @UseInterceptors(new Marks())
    class Charts {
      @View('ui://charts/one', { file: file() }) readonly one!: View;
    }
    const client = await connect(serverOf([Charts]));
    await client.readResource('ui://charts/one');
    expect(Marks.seen).toEqual(['around']);
    await client.close();
  });

  it('is found in a class that is derived from the one that names it', async () => {
    class Base {
      @View('ui://charts/one', { file: file() }) readonly one!: View;
      @Tool('Shows it', { view: 'one' }) show(): string {
        return 'ok';
      }
    }
    @Feature()
    class Charts extends Base {}
    const client = await connect(serverOf([Charts]));
    expect((await client.readResource('ui://charts/one')).contents).toMatchObject([{ text: pageWith('a') }]);
    expect((await client.listTools()).tools).toMatchObject([{ _meta: { ui: { resourceUri: 'ui://charts/one' } } }]);
    await client.close();
  });
});

describe('a view in a module', () => {
  it('keeps its URI, and its tools have the prefix', async () => {
    @Feature()
    class Charts {
      @View('ui://charts/one', {
        file: file(pageWith('').replace('<p></p>', '<script>app.callServerTool({ name: "m_more" })</script>')),
      })
      readonly one!: View;
      @Tool('Shows it', { view: 'one' }) show(): string {
        return 'ok';
      }
      @Tool('More', { view: 'one', visibleTo: ['app'] }) more(): string {
        return 'ok';
      }
    }
    const client = await connect(serverOf([], { modules: [{ prefix: 'm', features: [Charts] }] }));
    expect(
      (await client.listTools()).tools.map(({ name, _meta: meta }) => [name, (meta as { ui: object }).ui]),
    ).toEqual([
      ['m_show', { resourceUri: 'ui://charts/one' }],
      ['m_more', { resourceUri: 'ui://charts/one', visibility: ['app'] }],
    ]);
    expect((await client.readResource('ui://charts/one')).contents).toHaveLength(1);
    await client.close();
  });
});

describe('a server logs', () => {
  async function warningsOf(
    features: readonly FeatureSource[],
    use: (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>,
  ) {
    const logger = new Warnings();
    const client = await connect(serverOf(features, { logger }));
    await use(client);
    await client.close();
    return logger.said;
  }
  const nothing = async (): Promise<void> => {};

  it('a view that no tool shows, and one that reaches the machine of the user', async () => {
    const csp = { connectDomains: ['http://localhost:3000', 'https://api.example.com'] };
    expect(await warningsOf([view('ui://a/page', { name: 'page', file: file(), csp })], nothing)).toEqual([
      'resource "ui://a/page": No tool shows the view: name it in the option view of a tool.',
      'resource "ui://a/page": The view may reach http://localhost:3000, which is the machine of each user. Remove it before you publish the server.',
    ]);
  });

  it('a call of a page that some of those who see it may not make', async () => {
    const page = pageWith('').replace('<p></p>', '<script>app.callServerTool({ name: "edit" })</script>');
    const features = [
      view('ui://a/page', { name: 'page', file: file(page) }),
      tool('show', { description: 'Shows it', view: 'page' }, () => 'ok'),
      tool('edit', { description: 'Changes it', scopes: ['edit'] }, () => 'ok'),
    ];
    expect(await warningsOf(features, nothing)).toEqual([
      'resource "ui://a/page": The page calls the tool edit, which needs edit. Callers who see the page may lack that: handle the refusal in the page.',
    ]);
  });

  it('once, that the result of a tool with a view has no text', async () => {
    const features = [
      view('ui://a/page', { name: 'page', file: file() }),
      tool('blank', { description: 'Says nothing', view: 'page' }, () => ' '),
      tool('empty', { description: 'Says nothing', view: 'page' }, () => undefined),
      tool('text', { description: 'Says something', view: 'page' }, () => 'something'),
      tool('data', { description: 'Says something', view: 'page' }, () => ({ a: 1 })),
      tool('plain', { description: 'Has no view' }, () => undefined),
    ];
    const calls = ['blank', 'blank', 'empty', 'text', 'data', 'plain'];
    const said = await warningsOf(features, async (client) => {
      for (const name of calls) await client.callTool(name);
    });
    const message =
      'The result of a tool with a view has no text: the model, and users of hosts without views, see nothing. Return a text, or data.';
    expect(said).toEqual([`tool "blank": ${message}`, `tool "empty": ${message}`]);
  });

  it('once, what is wrong with a page that a method makes, or that is no view of ours', async () => {
    const features = [
      view(
        'ui://a/made',
        { name: 'made' },
        () => '<!doctype html><html lang="en"><script>fetch("https://a.example")</script>',
      ),
      resource('ui://a/raw', { name: 'raw', mimeType: 'text/html;profile=mcp-app' }, () => Buffer.from('{}')),
      tool('show', { description: 'Shows it', view: 'made' }, () => 'ok'),
    ];
    const said = await warningsOf(features, async (client) => {
      for (const uri of ['ui://a/made', 'ui://a/raw', 'ui://a/made', 'ui://a/raw']) await client.readResource(uri);
    });
    expect(said.map((each) => each.replace(/: line.*|, which.*/, ''))).toEqual([
      'resource "ui://a/made": The page ui://a/made is not a whole HTML5 document',
      'resource "ui://a/made": fetch() in line 1 of ui://a/made needs https://a.example',
      ...Array<string>(3).fill('resource "ui://a/raw": The page ui://a/raw is not a whole HTML5 document'),
    ]);
  });
});

describe('a view that is disabled', () => {
  it('before the start is the view of its tools once it is enabled', async () => {
    const views = [
      view('ui://late/one', { name: 'one', file: file(pageWith('late')) }),
      tool('byName', { description: 'Shows it', view: 'one' }, () => 'ok'),
      tool('byUri', { description: 'Shows it', view: 'ui://late/one' }, () => 'ok'),
    ];
    const server = serverOf(views);
    server.registry.disable('resource', 'ui://late/one');
    const client = await connect(server);
    const { tools } = await client.listTools();
    for (const { _meta } of tools) expect(_meta).toMatchObject({ ui: { resourceUri: 'ui://late/one' } });
    await expect(client.readResource('ui://late/one')).rejects.toMatchObject({ code: -32602 });
    server.registry.enable('resource', 'ui://late/one');
    expect((await client.readResource('ui://late/one')).contents).toMatchObject([{ text: pageWith('late') }]);
    await server.close();
  });

  it('and removed is no longer the view of a tool that changes', async () => {
    const server = serverOf([
      view('ui://gone/one', { name: 'one', file: file() }),
      tool('show', { description: 'Shows it', view: 'one' }, () => 'ok'),
    ]);
    const client = await connect(server);
    server.registry.remove('resource', 'ui://gone/one');
    server.registry.update('tool', 'show', { description: 'Showed it' });
    expect((await client.listTools()).tools[0]).not.toHaveProperty('_meta');
    await server.close();
  });
});

describe('a view that is added while the server runs', () => {
  it('is served, or refused with its problems', async () => {
    const server = serverOf([tool('a', { description: 'A' }, () => 'ok'), resource('a://b', { name: 'b' }, () => 'b')]);
    const client = await connect(server);
    server.registry.add(view('ui://a/page', { name: 'page', file: file() }));
    expect((await client.readResource('ui://a/page')).contents).toMatchObject([{ text: pageWith('a') }]);
    server.registry.add(tool('show', { description: 'Shows it', view: 'page' }, () => 'ok'));
    const shown = (await client.listTools()).tools.find(({ name }) => name === 'show');
    expect(shown).toMatchObject({ _meta: { ui: { resourceUri: 'ui://a/page' } } });
    expect(() =>
      server.registry.add(view('ui://a/cut', { name: 'cut', file: file(pageWith('a').slice(0, -7)) })),
    ).toThrow(/there is no <\/html> at the end/);
    await client.close();
  });
});
