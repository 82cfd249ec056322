/** Features that come and go while the server runs, on every revision. */
import {
  Complete,
  DefinitionError,
  Feature,
  Injectable,
  Prompt,
  Resource,
  Server,
  ServerRegistry,
  Tool,
  UseGuards,
  createServer,
  type Guard,
  type OnStart,
  type OnStop,
} from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';
import { workshop } from './workshop';

const lived: string[] = [];

@Injectable()
class Store implements OnStart, OnStop {
  readonly items = ['ladder'];

  async onStart(): Promise<void> {
    lived.push('started');
  }

  onStop(): void {
    lived.push('stopped');
  }
}

@Injectable()
class Watchman implements Guard {
  constructor(private readonly store: Store) {}

  allows(): boolean {
    return this.store.items.length > 0;
  }
}

class Topic {
  @IsString()
  topic!: string;
}

@Feature()
class Reports {
  constructor(private readonly store: Store) {}

  @Tool('Reports')
  @UseGuards(Watchman)
  report(): string {
    return this.store.items.join();
  }

  @Resource('reports://{topic}')
  read({ topic }: Topic): string {
    return topic;
  }

  @Complete('topic', 'read')
  topics(typed: string): string[] {
    return ['tools', 'trees'].filter((topic) => topic.startsWith(typed));
  }

  @Prompt('Sums up')
  sum(): string {
    return 'Sum it up.';
  }
}

@Feature()
class Clashing {
  @Tool('Is fine')
  fine(): string {
    return 'fine';
  }

  @Tool('Is there already', { name: 'report' })
  again(): string {
    return 'again';
  }
}

@Feature()
class Homeless {
  constructor(readonly missing: Guard) {}

  @Tool('Never gets here')
  never(): void {
    throw new Error('never');
  }
}

@Feature()
class Builder {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly server: Server,
  ) {}

  @Tool('Adds the reports')
  async build(): Promise<string> {
    await this.registry.add(Reports);
    this.server.notifyResourceChanged('reports://tools');
    return 'built';
  }
}

@Feature()
class Stillborn {
  static attempts = 0;

  constructor() {
    Stillborn.attempts += 1;
    throw new Error('The database is down');
  }

  @Tool('Never gets here')
  stillborn(): void {
    throw new Error('never');
  }
}

@Injectable()
class Lazy implements OnStart {
  static made = 0;

  constructor() {
    Lazy.made += 1;
  }

  async onStart(): Promise<void> {
    await turn();
  }
}

@Feature()
class FirstUser {
  constructor(readonly lazy: Lazy) {}

  @Tool('Is first')
  first(): string {
    return 'first';
  }
}

@Feature()
class SecondUser {
  constructor(readonly lazy: Lazy) {}

  @Tool('Is second')
  second(): string {
    return 'second';
  }
}

const namesOf = async (client: TestClient): Promise<unknown[]> => {
  const { tools } = (await client.listTools()) as unknown as { tools: JsonObject[] };
  return tools.map(({ name }) => name);
};

beforeEach(() => void (lived.length = 0));

describe('a feature that comes later', () => {
  eachRevision('is built, started, listed, called, completed, and stopped with the server', async ({ connect }) => {
    const server = workshop();
    const client = await connect(server);
    await server.registry.add(Reports);
    expect(lived).toEqual(['started']);
    expect(await namesOf(client)).toContain('report');
    expect(await client.callTool('report')).toMatchObject({ content: [{ text: 'ladder' }] });
    expect(await client.readResource('reports://tools')).toMatchObject({ contents: [{ text: 'tools' }] });
    expect(await client.complete({ template: 'reports://{topic}' }, 'topic', 'tr')).toMatchObject({
      completion: { values: ['trees'] },
    });
    expect(await client.getPrompt('sum')).toMatchObject({ messages: [{ content: { text: 'Sum it up.' } }] });
    await server.close();
    expect(lived).toEqual(['started', 'stopped']);
  });

  eachRevision('is hidden, brought back and removed as a whole', async ({ connect }) => {
    const server = workshop();
    const client = await connect(server);
    await server.registry.add(Reports);
    expect(server.registry.disable(Reports)).toBe(true);
    expect(server.registry.disable(Reports)).toBe(false);
    expect(await namesOf(client)).not.toContain('report');
    await expect(client.getPrompt('sum')).rejects.toThrow('sum');
    expect(server.registry.enable(Reports)).toBe(true);
    expect(await namesOf(client)).toContain('report');
    expect(server.registry.remove(Reports)).toBe(true);
    expect(server.registry.remove(Reports)).toBe(false);
    expect(await namesOf(client)).not.toContain('report');
    await server.registry.add(Reports);
    expect(await namesOf(client)).toContain('report');
    expect(lived).toEqual(['started']);
  });

  eachRevision(
    'is one change of each list, whoever added it',
    async ({ connect }) => {
      const server = createServer({
        name: 'builder',
        version: '1.0.0',
        features: [Builder],
        capabilities: ['prompts', 'resources', 'completions'],
        logger: false,
      });
      const client = await connect(server);
      expect(await client.callTool('build')).toMatchObject({ content: [{ text: 'built' }] });
      await turn();
      expect(client.notifications().map(({ method }) => method)).toEqual([
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
        'notifications/prompts/list_changed',
      ]);
    },
    { until: '2025-11-25' },
  );
});

describe('a feature that cannot come', () => {
  const codes = (adding: Promise<void>): Promise<unknown> =>
    adding.then(
      () => 'added',
      (error: unknown) => (error instanceof DefinitionError ? error.problems.map(({ code }) => code) : error),
    );

  eachRevision('is refused as a whole, with everything that is wrong', async ({ connect }) => {
    const server = workshop();
    const client = await connect(server);
    const before = await namesOf(client);
    await server.registry.add(Reports);
    expect(await codes(server.registry.add(Clashing))).toEqual(['SIGIL_ENTRY_NAME_TAKEN']);
    expect(await codes(server.registry.add(Reports))).toEqual(Array(3).fill('SIGIL_ENTRY_NAME_TAKEN'));
    expect(await codes(server.registry.add(Homeless))).toEqual(['SIGIL_DEPENDENCY_WITHOUT_TYPE']);
    expect(await namesOf(client)).toEqual([...before, 'report']);
  });

  eachRevision('is refused where clients were told that there is no such kind', async ({ connect }) => {
    const server = createServer({ name: 'bare', version: '1.0.0', features: [Builder], logger: false });
    await connect(server);
    expect(await codes(server.registry.add(Reports))).toEqual(Array(2).fill('SIGIL_CAPABILITY_NOT_ADVERTISED'));
    expect(server.registry.remove(Reports)).toBe(false);
  });

  it('may race another of its kind, and one of them wins', async () => {
    const server = workshop();
    const outcomes = await Promise.all([codes(server.registry.add(Reports)), codes(server.registry.add(Reports))]);
    expect(outcomes).toContain('added');
    await server.close();
  });
});

describe('features that are built while the server runs', () => {
  it("one that cannot be built is in nobody's way, and may be tried again", async () => {
    const server = workshop();
    const client = await connect(server);
    await expect(server.registry.add(Stillborn)).rejects.toThrow('The database is down');
    await server.registry.add(Reports);
    await expect(server.registry.add(Stillborn)).rejects.toThrow('The database is down');
    expect(Stillborn.attempts).toBe(2);
    expect(await namesOf(client)).toContain('report');
    await client.close();
  });

  it('two that are added at once share what they need', async () => {
    const server = workshop();
    const client = await connect(server);
    await Promise.all([server.registry.add(FirstUser), server.registry.add(SecondUser)]);
    expect(Lazy.made).toBe(1);
    expect(await namesOf(client)).toEqual(expect.arrayContaining(['first', 'second']));
    await client.close();
  });

  it('nothing is started any more once the server closes', async () => {
    const server = workshop();
    await connect(server);
    const [adding] = [server.registry.add(Reports), server.close()];
    await adding.catch(() => undefined);
    await server.close();
    expect(lived.filter((event) => event === 'started')).toHaveLength(
      lived.filter((event) => event === 'stopped').length,
    );
    await expect(server.registry.add(FirstUser)).rejects.toMatchObject({
      problems: [{ code: 'SIGIL_REGISTRY_CLOSED' }],
    });
  });

  it('data that needs a guard which was not built is refused, and its name stays free', async () => {
    const server = workshop();
    const client = await connect(server);
    // What TypeScript refuses, JavaScript may try.
    const classAsGuard = Watchman as unknown as Guard;
    const data = { kind: 'tool', name: 'guarded', description: 'Guarded', handler: () => 'x' } as const;
    expect(() => server.registry.add({ ...data, guards: [classAsGuard] })).toThrow(DefinitionError);
    server.registry.add(data);
    expect(() => server.registry.update('tool', 'guarded', { guards: [classAsGuard] })).toThrow(
      /createServer\(\{ providers/,
    );
    server.registry.update('tool', 'guarded', { description: 'Not guarded' });
    expect(await client.listTools()).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({ name: 'guarded', description: 'Not guarded' }),
      ]) as unknown,
    });
    await client.close();
  });
});

it('a feature that is added before the server starts is there when it does', async () => {
  const server = workshop();
  await server.registry.add(Reports);
  expect(lived).toEqual([]);
  expect(server.registry.disable(Reports)).toBe(true);
  await server.close();
});
