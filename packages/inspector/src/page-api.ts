/** The routes of the page. None of them takes a program, or a path of a file, from the request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type Clock } from '@sigil-mcp/base';
import { ALL_REVISIONS, type JsonObject } from '@sigil-mcp/protocol';
import type { DevState } from './dev-state';
import { PageStream } from './page-stream';
import { objectOf, optionalText, speakerOf, textOf, type PageCalls } from './page-calls';
import { SAFE_HEADERS } from './page-files';
import type { PageChecks } from './page-checks';
import type { PageJudge } from './page-judge';
import type { PageQuestions } from './page-questions';
import type { PageTasks } from './page-tasks';
import type { TrafficRecord } from './traffic-record';
import type { ViewSandbox } from './view-sandbox';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  sources,
  literals,
  CliFailure,
  loadTokenizer,
  readProject,
  reasonOf,
  shownPath,
  versionOfCli,
  type ReadProject,
} from '@sigil-mcp/cli/kit';
import { costOf, dashed, joined, readWhole, specFor } from '@sigil-mcp/cli/kit/dev';
import { pageError } from './errors';

/** Names that are tried for a spec, when there is one of a name already. */
const MOST_NAMES = 50;

interface ToolOutcome {
  readonly args: JsonObject;
  readonly result: JsonObject;
}

/** Milliseconds for the authorization server to answer. */
const PATIENCE = 5000;

/** What a caller may do. */
interface CallerRights {
  readonly scopes: string | undefined;
  readonly roles: string | undefined;
}

/** What the routes need. */
export interface PageApiOptions {
  readonly record: TrafficRecord;
  readonly state: DevState;
  readonly calls: PageCalls;
  readonly tasks: PageTasks;
  readonly views: ViewSandbox;
  readonly judge: PageJudge;
  readonly checks: PageChecks;
  readonly questions: PageQuestions;
  readonly clock: Clock;
  readonly address: string | undefined;
  /** The authorization server for development; undefined without one. */
  readonly issuer: string | undefined;
}

type PageRoute = (body: JsonObject) => Promise<object> | object;

/** Answers requests that have the key. */
export class PageApi {
  readonly #streams = new Set<PageStream>();
  readonly #routes: ReadonlyMap<string, PageRoute>;

  constructor(private readonly options: PageApiOptions) {
    const { calls, judge, checks, views, questions, record, state, issuer } = options;
    this.#routes = new Map<string, PageRoute>([
      ['list', (body) => calls.list(speakerOf(body))],
      ['call', (body) => calls.call(speakerOf(body), textOf(body, 'id'), requestOf(body))],
      ['judge', (body) => judge.judge(speakerOf(body))],
      ['view', (body) => views.show(speakerOf(body), textOf(body, 'uri'))],
      ['doctor', () => checks.examine()],
      ['contract', () => checks.compareContract()],
      ['check', () => checks.checkDefinitions()],
      ['tokens', (body) => countedTokens(state.folder, body)],
      ['tests', (body) => done(() => checks.order(body['order']))],
      ['cancel', (body) => done(() => calls.cancel(textOf(body, 'id')))],
      ['answer', (body) => ({ done: questions.answer(body['id'], body['answer'], body['refused'] === true) })],
      ['token', (body) => issuedToken(issuer, textOf(body, 'person'), rightsOf(body))],
      ['clear', () => done(() => record.clear())],
      ['test', (body) => writeCallSpec(state.folder, body)],
    ]);
  }

  /** @param name of the route */
  async answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (name === 'events' && request.method === 'GET') return this.#stream(request, response);
    const route = request.method === 'POST' ? this.#routes.get(name) : undefined;
    if (!route) return write(response, 404, { problem: 'There is no such route.' });
    const body = await readWhole(request);
    if (body === undefined) return;
    const read = body === 'too large' ? undefined : readJson(body);
    if (!read) return write(response, 400, { problem: 'The body is not a JSON object, or too large.' });
    try {
      write(response, 200, await route(read));
    } catch (error) {
      const fix = error instanceof CliFailure ? ` ${error.fix}` : '';
      write(response, 200, { problem: `${reasonOf(error)}${fix}` });
    }
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    const { record, state, questions, checks, tasks, clock, address, issuer } = this.options;
    const after = Number(request.headers['x-sigil-after'] ?? 0);
    const stream = new PageStream(response, record, clock, Number.isInteger(after) ? after : 0);
    stream.send('hello', {
      folder: state.folder,
      address,
      hasIssuer: issuer !== undefined,
      version: versionOfCli(),
      revisions: ALL_REVISIONS.map(({ version }) => version),
      questions: record.hide(questions.open),
    });
    stream.send('tests', checks.tests);
    for (const task of tasks.all) stream.send('task', task);
    this.#streams.add(stream);
    const leave = state.open(stream.send);
    response.on('close', () => {
      leave();
      this.#streams.delete(stream);
    });
  }
}

function rightsOf(body: JsonObject): CallerRights {
  return { scopes: optionalText(body, 'scopes'), roles: optionalText(body, 'roles') };
}

function requestOf(body: JsonObject): { method: string; params: JsonObject } {
  return { method: textOf(body, 'method'), params: objectOf(body, 'params') };
}

function done(action: () => void): object {
  action();
  return { done: true };
}

function write(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...SAFE_HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function readJson(body: Buffer): JsonObject | undefined {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    // Parsed from JSON.
    return isObject(read) ? (read as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The tokens of each text, and of each entry as hosts pass it on; `entries` have a kind and the item of its list. */
function countedTokens(folder: string, { texts, entries }: JsonObject): object {
  const count = loadTokenizer(folder);
  return {
    encoding: count.encoding,
    counts: [
      ...listOf(texts).map((text) => (typeof text === 'string' ? count(text) : 0)),
      ...listOf(entries).map((entry) => {
        const { kind, listed } = isObject(entry) ? entry : {};
        if (!isObject(listed)) return 0;
        // All but tools are passed on alike.
        return costOf({ kind: kind === 'tool' ? 'tool' : 'resource', key: '', listed }, count).tokens;
      }),
    ],
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * @param issuer its URL, which comes from the project and not from the page
 * @param person one of the people that it knows, or another name, if rights are given
 * @param rights scopes and roles, separated by spaces, in place of those that it knows; undefined for these
 * @throws SigilError if it gives no token for the person
 */
async function issuedToken(
  issuer: string | undefined,
  person: string,
  { scopes, roles }: CallerRights = { scopes: undefined, roles: undefined },
): Promise<{ readonly token: string }> {
  const reason = 'sigil dev was started without --issuer';
  if (issuer === undefined) throw pageError('SIGIL_DEV_PAGE_REQUEST', { reason });
  const url = new URL(`${issuer.replace(/\/$/, '')}/token`);
  url.searchParams.set('as', person);
  if (scopes !== undefined) url.searchParams.set('scope', scopes);
  if (roles !== undefined) url.searchParams.set('roles', roles);
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' });
  const text = (await response.text()).trim();
  if (response.ok) return { token: text };
  throw pageError('SIGIL_DEV_PAGE_REQUEST', { reason: `the issuer knows no ${JSON.stringify(person)}` });
}

/**
 * Writes a spec for a call into the project.
 * @param folder of the project
 * @param body what was called, and its result
 * @returns the path of the file, and its text
 * @throws CliFailure if the server is not exported, or the file cannot be written
 */
export function writeCallSpec(folder: string, body: JsonObject): { readonly file: string; readonly text: string } {
  const project = readProject(folder);
  const [kind, name] = [textOf(body, 'kind'), textOf(body, 'name')];
  const check = checkOf(kind, name, { args: objectOf(body, 'arguments'), result: objectOf(body, 'result') });
  const base = freeBase(project, dashed(joined(name.replace(/[^\w-]+/g, '-'))) || 'call');
  const title = `${name.replace(/['\\\r\n]/g, ' ')} answers as it did in the page`;
  const change = specFor(project, [base], { title, check });
  sources.write([change], folder);
  return { file: shownPath(folder, change.path), text: change.text };
}

/** The lines of the test. */
function checkOf(kind: string, name: string, { args, result }: ToolOutcome): readonly string[] {
  const quoted = literals.literal(name);
  if (kind === 'resource') {
    const text = literals.literal(result['contents'] ?? []);
    return [`const { contents } = await client.readResource(${quoted});`, `expect(contents).toMatchObject(${text});`];
  }
  if (kind === 'prompt') {
    const messages = literals.literal(result['messages'] ?? []);
    return [
      `const { messages } = await client.getPrompt(${quoted}, ${literals.literal(args)});`,
      `expect(messages).toEqual(${messages});`,
    ];
  }
  const { content = [], isError = false } = result;
  const call = `const result = await client.callTool(${quoted}, ${literals.literal(args)});`;
  // Older revisions know text alone, and structured results are repeated as text.
  const texts = Array.isArray(content) && content.every((block) => isObject(block) && block['type'] === 'text');
  const expected = { isError, ...(texts && { content }) };
  return [call, `expect(result).toMatchObject(${literals.literal(expected)});`];
}

/** A name for which there is no spec yet. */
function freeBase({ folder }: ReadProject, base: string): string {
  const isTaken = (name: string): boolean =>
    ['test', 'tests', '__tests__'].some((tests) =>
      ['spec', 'test'].some((ending) => existsSync(join(folder, tests, `${name}.${ending}.ts`))),
    );
  const names = [base, ...Array.from({ length: MOST_NAMES }, (_, index) => `${base}-${index + 2}`)];
  return names.find((name) => !isTaken(name)) ?? base;
}
