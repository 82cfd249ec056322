/** The talker fixture on every transport, met by the testing client in every revision; each message is judged by its schema. */
import { connect, type ConnectOptions, type TestClient } from '@sigil-mcp/testing';
import { compileFixture } from '../../support/compile-fixture';
import { schemaErrors } from '../../behaviour/revisions/checked';
import { SpawnedServer } from '../../support/spawned-server';
import { until } from '../../support/until';

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** Everything that a client can declare. */
export const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
} as const;

/** One revision on one transport. */
export interface Talker {
  readonly title: string;
  readonly revision: string;
  readonly transport: 'stdio' | 'HTTP';
  /** Meets the server; closed, and judged, when the test is over. */
  meet(options?: Omit<ConnectOptions, 'revision'>): Promise<TestClient>;
  /** Meets a server that no other client has. */
  meetAlone(): Promise<TestClient>;
  /** What the server of this client wrote to stderr. */
  stderr(client: TestClient): string;
}

/** The program, compiled. */
export function talkerProgram(): string {
  return compileFixture(require.resolve('./fixtures/talker.ts'));
}

/** The processes and clients of one test file. */
export class Talkers {
  readonly #clients: TestClient[] = [];
  /** The first is for all clients. */
  readonly #served: SpawnedServer[] = [];

  /** Registers what starts before the tests of a file, and ends after them. */
  static forThisFile(): Talkers {
    const talkers = new Talkers();
    beforeAll(() => talkers.#serve().then(() => undefined));
    afterEach(() => talkers.#closeAll());
    afterAll(() => talkers.#stop());
    return talkers;
  }

  /** Where the one that serves HTTP is. */
  get url(): string {
    return this.#served[0] ? urlOf(this.#served[0]) : '';
  }

  /** What that one wrote to stderr. */
  get stderr(): string {
    return this.#served[0]?.stderr ?? '';
  }

  /** For `describe.each`. */
  each({ since = '', until = '9' } = {}): Talker[] {
    const revisions = REVISIONS.filter((revision) => revision >= since && revision <= until);
    return revisions.flatMap((revision) => [this.#overStdio(revision), this.#overHttp(revision)]);
  }

  #overStdio(revision: string): Talker {
    const meet: Talker['meet'] = (options) =>
      this.#meet({ command: process.execPath, args: [talkerProgram()] }, { ...options, revision });
    return {
      title: `${revision} over stdio`,
      revision,
      transport: 'stdio',
      meet,
      meetAlone: meet,
      stderr: (client) => client.stderr(),
    };
  }

  #overHttp(revision: string): Talker {
    return {
      title: `${revision} over HTTP`,
      revision,
      transport: 'HTTP',
      meet: (options) => this.#meet(this.url, { ...options, revision }),
      meetAlone: async () => this.#meet(urlOf(await this.#serve()), { revision }),
      stderr: () => this.stderr,
    };
  }

  async #meet(target: Parameters<typeof connect>[0], options: ConnectOptions): Promise<TestClient> {
    const client = await connect(target, options);
    expect(client.revision).toBe(options.revision);
    this.#clients.push(client);
    return client;
  }

  async #serve(): Promise<SpawnedServer> {
    const server = new SpawnedServer(talkerProgram(), ['--http']);
    this.#served.push(server);
    await server.hears('http://');
    return server;
  }

  async #closeAll(): Promise<void> {
    const clients = this.#clients.splice(0);
    await Promise.all(clients.map((client) => client.close()));
    expect(clients.flatMap(schemaErrors)).toEqual([]);
  }

  async #stop(): Promise<void> {
    for (const { process, exit } of this.#served) {
      process.kill('SIGTERM');
      expect(await exit).toEqual({ code: 0, signal: null });
    }
  }
}

function urlOf({ stderr }: SpawnedServer): string {
  return /http:\/\/[^"\s]+/.exec(stderr)?.[0] ?? '';
}

/** Waits until something is so, also on a busy machine. */
export async function eventually(isSo: () => boolean, what: string): Promise<void> {
  await until(isSo).catch((error: unknown) => {
    throw new Error(`This did not happen: ${what}.`, { cause: error });
  });
}

/** Asks and is answered, twice: what the server has said before this has come, also where each request has a connection of its own. */
export async function roundTrips(client: { listTools(): Promise<unknown> }): Promise<void> {
  for (const _ of ['there', 'and there again']) await client.listTools();
}
