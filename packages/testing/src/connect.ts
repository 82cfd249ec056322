/** Connects a client of one revision to a server object, a program or a URL. */
import { typedCalls, type CallTypes, type ServerApi, type TypedCalls } from '@sigil-mcp/client';
import { commandPipe, urlPipe, type CommandTarget, type OpenPipe, type Traffic } from '@sigil-mcp/client/wire';
import {
  Caller,
  MemoryTransport,
  type ApiOf,
  type CallerInit,
  type Provider,
  type RequestHeaders,
  type Server,
} from '@sigil-mcp/core';
import { ANONYMOUS } from '@sigil-mcp/core/adapter';
import { membersOf, OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import {
  ALL_REVISIONS,
  findRevision,
  IMPLEMENTATION_RULES,
  NEWEST_PER_REQUEST_REVISION,
  type ClientCapabilities,
  type Revision,
} from '@sigil-mcp/protocol';
import type { AnswerQuestion, CallOptions } from './client/call-options';
import { TestClient } from './client/test-client';
import { testingError } from './errors';
import { noteOpened } from './opened';
import type { CallToolAnswer, GetPromptAnswer, ReadResourceAnswer } from './results';
import { Transcript } from './traffic/transcript';

/** A caller as a test describes it: an id, or some of its members. */
export type TestCaller = string | Partial<CallerInit>;

/** The caller as a test describes it. */
export interface CallerOptions {
  /** The `context.caller`: a user called `test-user` unless it has another id; anonymous if left out. */
  readonly as?: TestCaller;
  /**
   * Headers that are sent with each HTTP request, such as a token; the `context.headers` if the target is a server object. None if left
   * out.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller and its headers, in the form of a transport. */
interface TestAccess {
  readonly headers: RequestHeaders;
  readonly caller: Caller;
}

/** The options of one client of a server object. */
interface MemoryOptions {
  readonly access: TestAccess;
  /** Providers that replace those of the server, for this client. */
  readonly override: readonly Provider[];
}

/** A server object, a program that serves MCP over stdio, or the URL of a Streamable HTTP endpoint. */
export type Target = Server | CommandTarget | URL | string;

/** The options of a client: its identity and what it speaks. */
export interface ConnectOptions extends CallerOptions {
  /** A revision's date; the newest if left out. */
  readonly revision?: string;
  /**
   * The capabilities that the client declares. If left out: all that a server can ask for if `answers` is set, and none otherwise.
   */
  readonly capabilities?: ClientCapabilities;
  /** Its name and version; `sigil-testing` of version 1.0.0 if left out. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Answers questions of the server. Without it a question is refused, or its `input_required` result is returned to the test. */
  readonly answers?: AnswerQuestion;
  /**
   * Providers that replace those of the same token, for this client: it gets its own server, which closes with it. For a server
   * object only; none if left out.
   * @see Server.override
   */
  readonly override?: readonly Provider[];
  /** Writes each message to stderr as it is sent or received, for debugging; false if left out. */
  readonly printTraffic?: boolean;
}

/** Of `connect`. Those that are undefined have several kinds, or are checked where they are read. */
export const CONNECT_OPTIONS: Readonly<Record<keyof ConnectOptions, OptionRule | undefined>> = {
  as: undefined,
  headers: OPTION_RULES.object,
  revision: undefined,
  capabilities: OPTION_RULES.object,
  clientInfo: membersOf(IMPLEMENTATION_RULES),
  answers: OPTION_RULES.function,
  override: OPTION_RULES.list,
  printTraffic: OPTION_RULES.flag,
};

/**
 * Connects a client: over memory to a server object, over stdio to a program that is started for it, over HTTP to a URL. The messages
 * are the same text on each. The revision is negotiated and checked: if the server falls back to another one, this fails. With the jest
 * preset the client is closed when the test has ended; otherwise close it yourself.
 * @example
 * const client = await connect(server, { revision: '2025-06-18' });
 * expect(await client.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
 * await client.close();
 * @example
 * const client = await connect(server, { as: { id: 'ada', scopes: ['alerts:write'] }, override: [{ provide: Api, useValue: fake }] });
 * @example
 * const client = await connect({ command: 'node', args: ['dist/main.js'] });
 * @example
 * const client = await connect('http://127.0.0.1:3000/mcp', { headers: { Authorization: `Bearer ${token}` } });
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<TestClient> {
  requireOptions('connect', options, CONNECT_OPTIONS);
  const revision = revisionOf(options.revision);
  const openPipe = await pipeTo(target, options);
  const client = noteOpened(
    new TestClient(
      {
        revision,
        clientInfo: options.clientInfo ?? CLIENT_INFO,
        capabilities: options.capabilities ?? (options.answers ? ANSWERS_ALL : {}),
        answers: options.answers,
        onTraffic: options.printTraffic ? printer() : undefined,
      },
      openPipe,
    ),
  );
  try {
    await client.open();
  } catch (error) {
    // A process that was started for a client that is not returned would run on. The first error is more useful than that of the close.
    await client.close().catch(() => undefined);
    throw error;
  }
  return client;
}

function printer(): (entry: Traffic) => void {
  const transcript = new Transcript();
  return (entry) => void process.stderr.write(`${transcript.linesOf(entry).join('\n')}\n`);
}

function pipeTo(target: Target, options: ConnectOptions): OpenPipe | Promise<OpenPipe> {
  if (typeof target === 'string' || target instanceof URL) {
    throwIfGiven(options, ['as', 'override'], 'SIGIL_TEST_ELSEWHERE');
    return urlPipe(httpUrl(target), { headers: options.headers });
  }
  if ('command' in target) {
    throwIfGiven(options, ['as', 'override', 'headers'], 'SIGIL_TEST_OTHER_PROGRAM');
    // A test configures the programs that it starts with its own environment.
    return commandPipe({ ...target, env: { ...process.env, ...target.env } });
  }
  return serverPipe(target, { access: accessOf(options), override: options.override ?? [] });
}

function throwIfGiven(
  options: ConnectOptions,
  names: readonly (keyof ConnectOptions)[],
  code: 'SIGIL_TEST_ELSEWHERE' | 'SIGIL_TEST_OTHER_PROGRAM',
): void {
  const given = names.filter((name) => options[name] !== undefined);
  if (given.length > 0) throw testingError(code, { options: given.join(', ') });
}

function httpUrl(target: string | URL): string {
  const text = String(target);
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw testingError('SIGIL_TEST_TARGET', { target: JSON.stringify(text) });
}

const CLIENT_INFO = { name: 'sigil-testing', version: '1.0.0' } as const;
/** The capabilities of a client with `answers`. A test that answers only some questions knows which ones to expect. */
export const ANSWERS_ALL: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

function revisionOf(version: string | undefined): Revision {
  const revision = version === undefined ? NEWEST_PER_REQUEST_REVISION : findRevision(version);
  if (revision) return revision;
  const known = ALL_REVISIONS.map((served) => served.version).join(', ');
  throw testingError('SIGIL_TEST_REVISION', { revision: JSON.stringify(version), known });
}

/** Lets the server listen, for this client; a client with its own providers has its own server, which closes with it. */
async function serverPipe(server: Server, { access, override }: MemoryOptions): Promise<OpenPipe> {
  const own = override.length > 0 ? server.override(override) : undefined;
  const transport = new MemoryTransport();
  try {
    await (own ?? server).listen(transport);
  } catch (error) {
    // The error of the start is more useful than that of the close.
    await own?.close().catch(() => undefined);
    throw error;
  }
  return (user) => {
    const pipe = transport.connect((text) => user.receive(text), access);
    if (!own) return pipe;
    return {
      send: (text) => pipe.send(text),
      close: () => {
        pipe.close();
        return own.close();
      },
    };
  };
}

/** The caller that a test describes, with the defaults filled in. */
function accessOf({ as, headers = {} }: CallerOptions): TestAccess {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(lowered) as RequestHeaders, caller: callerOf(as) };
}

function callerOf(as: TestCaller | undefined): Caller {
  if (as === undefined) return ANONYMOUS;
  return new Caller({ id: 'test-user', ...(typeof as === 'string' ? { id: as } : as) });
}

// `createClient`: a client of a test that knows what the server offers, as types.

/** The options and results of `TestClient`. */
export interface TestCalls extends CallTypes {
  readonly toolOptions: CallOptions;
  readonly toolResult: CallToolAnswer;
  readonly options: Readonly<Record<string, never>>;
  readonly promptResult: GetPromptAnswer;
  readonly resourceResult: ReadResourceAnswer;
}

/** A client of a test with the entries of its server as functions. */
export type TypedTestClient<A extends ServerApi> = TestClient & TypedCalls<A, TestCalls>;

/**
 * Connects a client as `connect` does, with the tools, prompts and resources of the server as functions. They are typed by the features of a
 * server object, and by the type of an API for other targets.
 * @throws as `connect`
 * @example
 * const client = await createClient(server, { revision: '2025-06-18' });
 * const { data } = await client.tools.forecast({ city: 'Oslo' });
 * expect(data?.degrees).toBe(4);
 * @example
 * const client = await createClient<Api>('http://127.0.0.1:3000/mcp');
 */
export async function createClient<P>(target: Server<P>, options?: ConnectOptions): Promise<TypedTestClient<ApiOf<P>>>;
export async function createClient<A extends ServerApi = ServerApi>(
  target: Target,
  options?: ConnectOptions,
): Promise<TypedTestClient<A>>;
export async function createClient(target: Target, options?: ConnectOptions): Promise<TypedTestClient<ServerApi>> {
  const client = await connect(target, options);
  return Object.assign(client, typedCalls<ServerApi, TestCalls>(client));
}
