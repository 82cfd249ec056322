/** The API client: all requests pass here, with token, time limit, retries and cache. */
import { Injectable, ToolFailure } from '@sigil-mcp/core';
import { KeptAnswers } from './kept-answers';
import { RestSettings } from './rest-settings';
import { withRetries, type Answer } from './retries';

/** The body of a write, with the key by which the API recognizes a repeated request. */
export interface Writing {
  readonly body: object;
  readonly idempotencyKey: string;
}

/** Built once per server, so that all callers share its cache. */
@Injectable()
export class RestClient {
  constructor(
    private readonly settings: RestSettings,
    private readonly kept: KeptAnswers,
  ) {}

  /**
   * Reads JSON. It is not validated here: the tool's output class validates what a tool returns.
   * @returns undefined for a 404
   */
  async get<T>(path: string, signal: AbortSignal): Promise<T | undefined> {
    const url = this.#urlOf(path);
    const kept = this.kept.find(url);
    if (kept && kept.freshUntil > Date.now()) return kept.body as T; // `get` of this path returned the same type before
    const known: Record<string, string> = kept?.etag === undefined ? {} : { 'if-none-match': kept.etag };
    const answer = await this.#send(url, { headers: known }, signal);
    if (answer.status === 404) return undefined;
    if (kept && answer.status === 304) return this.kept.keep(url, answer.headers, kept.body, kept.etag) as T;
    return this.kept.keep(url, answer.headers, JSON.parse(answer.text)) as T; // as the API documents it
  }

  /** Writes JSON; cached responses of `path` and its parents are dropped. */
  async post(path: string, { body, idempotencyKey }: Writing, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    await this.#send(this.#urlOf(path), { method: 'POST', headers, body: JSON.stringify(body) }, signal);
    for (let above = path; above !== ''; above = above.replace(/\/?[^/]*$/, '')) this.kept.forget(this.#urlOf(above));
  }

  #urlOf(path: string): string {
    return new URL(path, this.settings.url).href;
  }

  async #send(url: string, request: RequestInit, signal: AbortSignal): Promise<Answer> {
    const { token, patience, send } = this.settings;
    const headers = {
      accept: 'application/json',
      ...request.headers,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const once = async (): Promise<Answer> => {
      const late = AbortSignal.timeout(patience.timeLimit);
      const response = await send(url, { ...request, headers, signal: AbortSignal.any([signal, late]) });
      const text = await response.text();
      // Node 20 collects a timeout that nothing refers to, and it never ends.
      late.throwIfAborted();
      return { status: response.status, headers: response.headers, text };
    };
    const answer = await withRetries(once, patience, signal);
    if (answer.status < 400 || answer.status === 404) return answer;
    if (answer.status === 401 || answer.status === 403)
      throw new ToolFailure(
        'The tracker rejects the credentials of this server. Its operator has to set TRACKER_TOKEN.',
      );
    throw new ToolFailure(`The tracker refuses this (HTTP ${answer.status}). Change the arguments.`);
  }
}
