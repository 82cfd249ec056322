/** An HTTP client with Node's own `fetch`, as most servers use it: it keeps connections as well, and does more for each request. */
import { unexpected, type JsonClient } from './json-client';

const JSON_HEADERS = { 'content-type': 'application/json' };

export class FetchClient implements JsonClient {
  constructor(private readonly origin: string) {}

  async get(path: string): Promise<unknown> {
    const response = await fetch(`${this.origin}${path}`);
    const text = await response.text();
    if (response.status !== 200) throw unexpected('GET', path, response.status);
    return JSON.parse(text);
  }

  async post(path: string, value: unknown): Promise<unknown> {
    const sent = { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(value) };
    const response = await fetch(`${this.origin}${path}`, sent);
    const text = await response.text();
    if (response.status !== 200) throw unexpected('POST', path, response.status);
    return JSON.parse(text);
  }

  /** The connections of `fetch` belong to the process. */
  async close(): Promise<void> {}
}
