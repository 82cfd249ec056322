/** An HTTP client with undici's `Pool`: connections to one origin, kept open and used again. */
import { Pool } from 'undici';
import { unexpected, type JsonClient } from './json-client';

const JSON_HEADERS = { 'content-type': 'application/json' };

// #region pool
export class PoolClient implements JsonClient {
  readonly #pool: Pool;

  constructor(origin: string) {
    this.#pool = new Pool(origin, { connections: 64, keepAliveTimeout: 60_000 });
  }

  async get(path: string): Promise<unknown> {
    const { statusCode, body } = await this.#pool.request({ method: 'GET', path });
    const text = await body.text();
    if (statusCode !== 200) throw unexpected('GET', path, statusCode);
    return JSON.parse(text);
  }

  async post(path: string, value: unknown): Promise<unknown> {
    const sent = JSON.stringify(value);
    const { statusCode, body } = await this.#pool.request({ method: 'POST', path, headers: JSON_HEADERS, body: sent });
    const text = await body.text();
    if (statusCode !== 200) throw unexpected('POST', path, statusCode);
    return JSON.parse(text);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
// #endregion pool
