/** The routes of the page. None of them takes a program, or a path of a file, from the request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '@sigil-mcp/base';
import type { Clock } from '@sigil-mcp/core/adapter';
import { ALL_REVISIONS, type JsonObject } from '@sigil-mcp/protocol';
import { readWhole } from '../dev/read-whole';
import { CliFailure, reasonOf } from '../failure';
import { versionOfCli } from '../version';
import type { DevState } from './dev-state';
import { countedTokens } from './page-tokens';
import { PageStream } from './page-stream';
import { issuedToken, type CallerRights } from './issued-token';
import { objectOf, optionalText, speakerOf, textOf, type PageCalls } from './page-calls';
import { SAFE_HEADERS } from './page-files';
import type { PageChecks } from './page-checks';
import type { PageJudge } from './page-judge';
import type { PageQuestions } from './page-questions';
import type { PageTasks } from './page-tasks';
import type { TrafficRecord } from './traffic-record';
import type { ViewSandbox } from './view-sandbox';
import { writeCallSpec } from './write-call-spec';

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

type Route = (body: JsonObject) => Promise<object> | object;

/** Answers requests that have the key. */
export class PageApi {
  readonly #streams = new Set<PageStream>();
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(private readonly options: PageApiOptions) {
    const { calls, judge, checks, views, questions, record, state, issuer } = options;
    this.#routes = new Map<string, Route>([
      ['list', (body) => calls.list(speakerOf(body))],
      ['call', (body) => calls.call(speakerOf(body), textOf(body, 'id'), requestOf(body))],
      ['judge', (body) => judge.judge(speakerOf(body))],
      ['view', (body) => views.show(speakerOf(body), textOf(body, 'uri'))],
      ['doctor', () => checks.examine()],
      ['contract', () => checks.compareContract()],
      ['check', () => checks.checkDefinitions()],
      ['tokens', (body) => countedTokens(body)],
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
