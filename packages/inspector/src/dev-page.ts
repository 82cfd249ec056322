/**
 * The page of `sigil dev`: it shows the traffic of real clients, the mistakes in the sources and what a model sees, and calls the server as a
 * client of its own. It is served on loopback only, to who has its key, and starts no program that a request names.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@sigil-mcp/base';
import { DevState } from './dev-state';
import { PageApi } from './page-api';
import { PageCalls } from './page-calls';
import { PageChecks } from './page-checks';
import { PageClients, type PageReach } from './page-clients';
import { PageFiles, SAFE_HEADERS } from './page-files';
import { PageJudge } from './page-judge';
import { PageQuestions } from './page-questions';
import { PageTasks } from './page-tasks';
import { ServedVersions } from './served-versions';
import { TrafficMask } from './traffic-mask';
import { TrafficRecord } from './traffic-record';
import { ViewSandbox } from './view-sandbox';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mention, type Inspector, type SecondLine } from '@sigil-mcp/cli/kit/dev';

/**
 * The header that carries the key.
 *
 * The key of the page: random for each run, in the fragment of its URL, which browsers never send, and in a header of each request.
 */
const KEY_HEADER = 'x-sigil-key';

/** 192 bits. */
const BYTES = 24;

/** The key of one run of `sigil dev`. */
class PageKey {
  /** The key as text for a URL. */
  readonly text = randomBytes(BYTES).toString('base64url');
  readonly #digest = digestOf(this.text);

  /** Whether a header has the key; takes the same time for each text. */
  opens(header: string | readonly string[] | undefined): boolean {
    return timingSafeEqual(digestOf(typeof header === 'string' ? header : ''), this.#digest);
  }
}

/** The names of this machine. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/**
 * Why a request is refused: its status, and a sentence.
 *
 * Refuses requests that do not come from the page of this machine: another page may send requests to loopback, and a name that is made to
 * point here (DNS rebinding) makes it look like the same origin.
 */
interface PageRefusal {
  readonly status: number;
  readonly reason: string;
}

/** The path of the page. */
const PATH = '/__sigil/';
const API = 'api/';

/** What the page is about. */
export interface DevPageOptions {
  /** Of the project. */
  readonly folder: string;
  readonly reach: PageReach;
  readonly clock: Clock;
  /** The URL of the authorization server for development; undefined without one. */
  readonly issuer?: string | undefined;
}

/** The page, and what it shows. */
export class DevPage implements Inspector {
  readonly tap: TrafficRecord;
  readonly state: DevState;
  /** Is shown the questions to clients. */
  readonly questions: PageQuestions;
  /** The client of the page on a pipe. */
  readonly second: SecondLine;
  readonly #key = new PageKey();
  readonly #files = new PageFiles();
  readonly #clients: PageClients;
  readonly #api: PageApi;
  readonly #checks: PageChecks;
  readonly #views: ViewSandbox;
  #server: Server | undefined;

  constructor({ folder, reach, clock, issuer }: DevPageOptions) {
    this.second = reach.second;
    const privacy = { versions: new ServedVersions(), mask: new TrafficMask() };
    this.tap = new TrafficRecord(clock, undefined, privacy);
    this.state = new DevState(folder, clock, privacy.versions, (value) => this.tap.hide(value));
    privacy.versions.listen({
      onReport: (report) => this.state.report(report),
      onKnown: () => this.tap.wake(),
      onChanges: (changes, isNew) => this.state.listsChanged(changes, isNew),
    });
    const questions = (this.questions = new PageQuestions((name, data) =>
      this.state.broadcast(name, this.tap.hide(data)),
    ));
    this.#clients = new PageClients(reach, questions);
    const tasks = new PageTasks(this.state.broadcast, (value) => this.tap.hide(value));
    const calls = new PageCalls(this.#clients, tasks, privacy);
    const judge = new PageJudge(this.#clients, clock, folder);
    this.state.whenJudged(judge.take);
    const checks = new PageChecks(folder, this.state.broadcast, clock);
    this.#checks = checks;
    this.state.whenReady(() => checks.versionReady());
    const views = new ViewSandbox(this.#clients);
    this.#views = views;
    const { tap: record, state } = this;
    this.#api = new PageApi({
      views,
      record,
      state,
      calls,
      tasks,
      judge,
      checks,
      questions,
      clock,
      issuer,
      address: reach.address,
    });
    // A server of its own for the page is that of the version before.
    if (reach.address === undefined) this.state.whenReady(() => void this.#clients.close().catch(mention));
  }

  /** Answers requests below the path of the page. @returns whether this is one */
  readonly front = (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path !== PATH.slice(0, -1) && !path.startsWith(PATH)) return false;
    this.#answer(path.slice(PATH.length), request, response);
    return true;
  };

  /** Serves the page on a port of its own. @returns the port */
  async listen(): Promise<number> {
    const server = createServer((request, response) => {
      response.on('error', () => undefined); // the browser has disconnected
      if (!this.front(request, response)) refuse(response, { status: 404, reason: 'There is no such page.' });
    });
    this.#server = server.on('error', mention);
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** The URL of the page, with its key. @param port on which it is served */
  urlAt(port: number): string {
    return `http://127.0.0.1:${port}${PATH}#${this.#key.text}`;
  }

  /** Ends the streams of open pages and the clients. */
  async close(): Promise<void> {
    this.#api.close();
    this.#checks.close();
    this.#views.close();
    this.#server?.close();
    this.#server?.closeAllConnections();
    await this.#clients.close();
  }

  #answer(name: string, request: IncomingMessage, response: ServerResponse): void {
    const refusal = refusalOf(request, request.socket.localPort);
    if (refusal) return refuse(response, refusal);
    if (!name.startsWith(API)) {
      if (request.method === 'GET' && name === '') return this.#serveIndex(response);
      if (request.method === 'GET' && this.#files.serve(name, response)) return;
      return refuse(response, { status: 404, reason: 'There is no such page.' });
    }
    const refused = apiRefusalOf(request, this.#key);
    if (refused) return refuse(response, refused);
    this.#api.answer(name.slice(API.length), request, response).catch(() => response.destroy());
  }

  /** The page may frame views, and nothing else. */
  #serveIndex(response: ServerResponse): void {
    const serve = (framed?: string): void => void this.#files.serve('', response, framed);
    this.#views.open().then(serve, () => serve());
  }
}

function refuse(response: ServerResponse, { status, reason }: PageRefusal): void {
  const body = JSON.stringify({ problem: reason });
  // What a refused request sends is not read.
  response.writeHead(status, { ...SAFE_HEADERS, 'content-type': 'application/json', connection: 'close' }).end(body);
}

/** Checks that hold for each request below the path of the page. @param port on which it came in */
function refusalOf({ headers, socket }: IncomingMessage, port: number | undefined): PageRefusal | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (!LOOPBACK.test(socket.remoteAddress ?? '')) return { status: 403, reason: 'The page is for this machine only.' };
  const hosts = NAMES.map((name) => `${name}:${port}`);
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    return { status: 403, reason: 'The header Host is not that of the page.' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, reason: 'Another page has sent this request.' };
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? { status: 403, reason: 'Another page has sent this request.' } : undefined;
}

/** Checks of requests for data and actions. */
function apiRefusalOf({ headers, method }: IncomingMessage, key: PageKey): PageRefusal | undefined {
  if (!key.opens(headers[KEY_HEADER]))
    return { status: 401, reason: 'The key is missing or wrong. Open the URL that sigil dev prints.' };
  if (method === 'GET') return undefined;
  if (method !== 'POST') return { status: 405, reason: 'Use POST.' };
  // A form of another page cannot send this type without asking first.
  const isJson = /^application\/json(?:;|$)/.test(headers['content-type'] ?? '');
  return isJson ? undefined : { status: 415, reason: 'The body has to be JSON.' };
}

/** Digests have one length, so that the comparison takes the same time for each text. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
