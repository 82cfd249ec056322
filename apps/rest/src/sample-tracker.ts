/**
 * A tracker in memory, to try the server without a tracker of your own. It behaves as trackers do: it is overloaded now and then, and
 * its answers can be cached. Each request is printed on stderr, so that you see retries and what the cache saves.
 */
import type { Issue } from './issues/issue';

/** What a model does not need to know is left out by the class `Issue`. */
interface StoredIssue extends Issue {
  readonly assignee: string;
  readonly comments: string[];
}

const FIRST: readonly StoredIssue[] = [
  issue(3, 'The export leaks memory', 'Memory grows by 2 MB with each export to PDF.'),
  issue(2, 'Dates are wrong in Lisbon', 'Daylight saving time is ignored.', 'closed'),
  issue(1, 'Dark mode', 'The login page stays white.'),
];

/** Answers requests of `fetch` for the paths `issues`, `issues/<number>` and `issues/<number>/comments`. */
export class SampleTracker {
  readonly #issues = FIRST.map((each) => ({ ...each, comments: [] as string[] }));
  #requests = 0;

  /** As the global `fetch`. */
  readonly fetch = (input: string, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(input);
    this.#requests += 1;
    // The first request finds the tracker overloaded, and so does every fourth one after it.
    const answer =
      this.#requests % 4 === 1
        ? new Response('', { status: 503, headers: { 'retry-after': '0' } })
        : this.#answer(method, pathname, searchParams, { etag: new Headers(headers).get('if-none-match'), body });
    const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
    process.stderr.write(`tracker: ${method} ${pathname}${query} -> ${answer.status}\n`);
    return Promise.resolve(answer);
  };

  #answer(
    method: string,
    path: string,
    query: URLSearchParams,
    { etag, body }: { etag: string | null; body: RequestInit['body'] },
  ): Response {
    const [, number] = /^\/issues\/(\d+)/.exec(path) ?? [];
    if (number === undefined) return Response.json(this.#search(query));
    const found = this.#issues.find((each) => each.number === Number(number));
    if (!found) return new Response('', { status: 404 });
    if (method === 'POST') {
      found.comments.push(typeof body === 'string' ? body : '');
      return new Response('', { status: 201 });
    }
    const version = `"${found.comments.length}"`;
    if (etag === version) return new Response(null, { status: 304, headers: { etag } });
    return Response.json(found, { headers: { etag: version } });
  }

  #search(query: URLSearchParams): StoredIssue[] {
    const text = (query.get('q') ?? '').toLowerCase();
    const state = query.get('state') ?? 'all';
    return this.#issues.filter(
      (each) => (state === 'all' || each.state === state) && `${each.title} ${each.body}`.toLowerCase().includes(text),
    );
  }
}

function issue(number: number, title: string, body: string, state: Issue['state'] = 'open'): StoredIssue {
  return { number, title, state, body, assignee: 'ada@example.com', comments: [] };
}
