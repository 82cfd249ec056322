/** From messages, one after the other, to rows: a request with its answer, its questions and what was reported meanwhile. */

import { markWords, messagesIn, nameOf, outcomeOf, scopeOf, timesKey, wordsOf } from './message-words.js';
import { RunTimes } from './run-times.js';
import { newRow } from './traffic-row.js';

/** Rows that are kept. */
const MOST_ROWS = 20_000;
/** Durations that are kept for each entry. */
const MOST_TIMES = 200;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const INFO = 'io.modelcontextprotocol/clientInfo';
/** The member of `_meta` by which the page names its own calls. */
const CALL = 'dev.sigil/call';

/** @typedef {import('./traffic-row.js').Row} Row @typedef {import('./traffic-row.js').Passed} Passed */

/** All rows, and how often each entry was called. */
export class TrafficModel {
  constructor() {
    /** @type {Row[]} */
    this.rows = [];
    /** Messages that sigil dev could not keep until they were read. */
    this.lost = 0;
    /** The number of the last message. */
    this.seq = 0;
    this.count = 0;
    /** @type {Map<string, Row>} requests that wait for their answer, by session and id */
    this.open = new Map();
    /** @type {Map<string, Row>} by the token of their progress */
    this.tokens = new Map();
    /** @type {Map<string, Row>} by the state that comes back in the next round */
    this.asked = new Map();
    /** @type {Map<number, Row>} the last row of each exchange of HTTP */
    this.exchanges = new Map();
    /** @type {Map<string, any>} what sessions agreed on */
    this.sessions = new Map();
    /** @type {Map<string, { calls: number, errors: number, times: number[] }>} */
    this.entries = new Map();
    /** @type {Map<string, { client: string, revision: string, last: number }>} */
    this.clients = new Map();
    /** @type {Map<string, Row>} the calls of the page */
    this.calls = new Map();
    this.reports = new RunTimes();
  }

  /** @param {{ entries: any[], lost: number }} news */
  add({ entries, lost }) {
    if (lost > 0) {
      this.lost += lost;
      this.push({
        kind: 'lost',
        at: entries[0]?.at ?? Date.now(),
        words: `${lost} messages are missing: too many came at once`,
      });
    }
    for (const entry of entries) {
      this.seq = entry.seq;
      this.count += 1;
      const messages = messagesIn(entry.text);
      if (messages.length === 0) this.addUnread(entry);
      for (const message of messages) this.addMessage(entry, message);
    }
    if (this.rows.length > MOST_ROWS) this.shorten();
  }

  /**
   * A version or a change of the lists; it may come again, with what has changed.
   * @param {{ at: number, failed?: string }} mark
   */
  addMark({ at, failed, ...more }) {
    const words = markWords({ failed, ...more });
    const known = this.rows.findLast((row) => row.kind === 'mark' && row.at === at);
    if (known) return Object.assign(known, { words });
    return this.push({ kind: 'mark', at, words, status: failed ? 'error' : 'ok' });
  }

  /** What the server reported of a request. @param {any} times */
  addTimes(times) {
    this.reports.add(this.rows, times);
  }

  clear() {
    this.rows = [];
    this.lost = 0;
    for (const map of [this.tokens, this.asked, this.exchanges, this.calls]) map.clear();
  }

  /** Half of the calls of an entry took less. @param {string} key */
  statsOf(key) {
    const { calls = 0, errors = 0, times = [] } = this.entries.get(key) ?? {};
    const sorted = [...times].sort((one, other) => one - other);
    return { calls, errors, median: sorted[Math.floor(sorted.length / 2)] };
  }

  /** @param {any} entry @param {any} message */
  addMessage(entry, message) {
    const { at, from, text, head, isInPlace } = entry;
    const passed = { at, from, text, message, head, isInPlace };
    const scope = scopeOf(entry);
    if (message.method === undefined) this.addAnswer(entry, scope, passed);
    else if (message.id === undefined || message.id === null) this.addNotification(entry, scope, passed);
    else this.addRequest(entry, scope, passed);
  }

  /** @param {any} entry @param {string} scope @param {Passed} passed */
  addRequest(entry, scope, passed) {
    const { message } = passed;
    const { id, method, params } = message;
    const round = this.asked.get(params?.requestState);
    if (round && round.method === method) {
      this.asked.delete(params.requestState);
      round.rounds += 1;
      round.status = 'pending';
      round.passed.push(passed);
      this.reports.start(round, timesKey({ exchange: entry.exchange, method, id }), round.passed.length - 1);
      return this.wait(round, entry, `${scope}${entry.from}${JSON.stringify(id)}`);
    }
    const parent = entry.from === 'server' ? this.parentOf(entry, scope) : undefined;
    const row = this.push({
      kind: 'request',
      at: entry.at,
      from: entry.from,
      ...this.speakerOf(entry, scope, message),
      method,
      name: nameOf(message),
      id,
      exchange: entry.exchange,
      params,
      passed: [passed],
      status: 'pending',
      call: params?._meta?.[CALL],
    });
    if (parent) {
      parent.passed.push(passed);
      row.parent = parent;
      parent.hasAsked = true;
    }
    this.reports.start(row, timesKey(row), 0);
    if (row.call) this.calls.set(row.call, row);
    const token = params?._meta?.progressToken;
    if (token !== undefined) this.tokens.set(JSON.stringify(token), row);
    return this.wait(row, entry, `${scope}${entry.from}${JSON.stringify(id)}`);
  }

  /** @param {Row} row @param {any} entry @param {string} key */
  wait(row, entry, key) {
    this.open.set(key, row);
    if (entry.exchange !== undefined && entry.from === 'client') this.exchanges.set(entry.exchange, row);
    return row;
  }

  /** @param {any} entry @param {string} scope @param {Passed} passed */
  addAnswer(entry, scope, passed) {
    const { message } = passed;
    const asker = entry.from === 'server' ? 'client' : 'server';
    const key = `${scope}${asker}${JSON.stringify(message.id)}`;
    const row = this.open.get(key) ?? (entry.from === 'server' ? this.exchanges.get(entry.exchange) : undefined);
    if (!row) return;
    this.open.delete(key);
    row.passed.push(passed);
    row.parent?.passed.push(passed);
    this.settle(row, entry, message);
    if (row.method === 'initialize' && message.result) this.agree(entry, row, message.result);
  }

  /** @param {Row} row @param {any} entry @param {any} message */
  settle(row, entry, message) {
    row.answer = message;
    row.took = entry.at - row.at;
    [row.status, row.words] = outcomeOf(message);
    if (row.status === 'asking') {
      row.hasAsked = true;
      if (message.result.requestState !== undefined) this.asked.set(message.result.requestState, row);
      return;
    }
    if (row.name === '') return;
    const key = `${row.method} ${row.name}`;
    const stats = this.entries.get(key) ?? { calls: 0, errors: 0, times: [] };
    stats.calls += 1;
    if (row.status !== 'ok') stats.errors += 1;
    stats.times.push(row.took);
    if (stats.times.length > MOST_TIMES) stats.times.shift();
    this.entries.set(key, stats);
  }

  /** @param {any} entry @param {Row} row @param {any} result */
  agree(entry, row, result) {
    row.revision = result.protocolVersion ?? row.revision;
    const scope = entry.session === undefined ? undefined : `s${entry.session}:`;
    if (scope) this.sessions.set(scope, { client: row.client, revision: row.revision });
    this.meet(row);
  }

  /** @param {any} entry @param {string} scope @param {Passed} passed */
  addNotification(entry, scope, passed) {
    const { method, params } = passed.message;
    const progress =
      method === 'notifications/progress' ? this.tokens.get(JSON.stringify(params?.progressToken)) : undefined;
    const row = progress ?? (entry.from === 'server' ? this.exchanges.get(entry.exchange) : undefined);
    if (method === 'notifications/cancelled') {
      const asked = this.open.get(`${scope}${entry.from}${JSON.stringify(params?.requestId)}`);
      if (asked) {
        asked.status = 'cancelled';
        asked.took = entry.at - asked.at;
        return void asked.passed.push(passed);
      }
    }
    if (row && row.status === 'pending') return void row.passed.push(passed);
    this.push({
      kind: 'notification',
      at: entry.at,
      from: entry.from,
      ...this.speakerOf(entry, scope, passed.message),
      method,
      params,
      exchange: entry.exchange,
      passed: [passed],
      status: 'none',
      words: wordsOf(method, params),
    });
  }

  /** A body that is no message, such as a refusal of HTTP. @param {any} entry */
  addUnread(entry) {
    const passed = { at: entry.at, from: entry.from, text: entry.text, message: undefined, head: entry.head };
    const row = entry.from === 'server' ? this.exchanges.get(entry.exchange) : undefined;
    const words = entry.head?.line ?? 'not a message';
    if (row) {
      row.passed.push(passed);
      Object.assign(row, { status: 'error', took: entry.at - row.at, words });
      return;
    }
    const speaker = this.speakerOf(entry, scopeOf(entry), {});
    const unread = this.push({
      ...speaker,
      kind: 'request',
      at: entry.at,
      from: entry.from,
      method: 'not a message',
      passed: [passed],
    });
    if (entry.exchange !== undefined) this.exchanges.set(entry.exchange, unread);
  }

  /** The request during which the server asks. @param {any} entry @param {string} scope */
  parentOf(entry, scope) {
    const own = this.exchanges.get(entry.exchange);
    if (own) return own;
    return [...this.open].findLast(([key, row]) => key.startsWith(`${scope}client`) && row.status === 'pending')?.[1];
  }

  /** @param {any} entry @param {string} scope @param {any} message */
  speakerOf(entry, scope, { method, params }) {
    const session = this.sessions.get(scope);
    const meta = params?._meta ?? {};
    const opening = method === 'initialize' ? params : undefined;
    const header = entry.head?.headers?.['mcp-protocol-version'];
    const known = this.exchanges.get(entry.exchange);
    const client =
      meta[INFO]?.name ?? opening?.clientInfo?.name ?? entry.client ?? session?.client ?? known?.client ?? 'a client';
    const revision =
      meta[VERSION] ??
      opening?.protocolVersion ??
      header ??
      session?.revision ??
      known?.revision ??
      entry.proposed ??
      '';
    const speaker = { client: String(client), revision: String(revision) };
    if (entry.from === 'client' && !opening) this.meet({ ...speaker, at: entry.at });
    return speaker;
  }

  /** @param {{ client: string, revision: string, at: number }} speaker */
  meet({ client, revision, at }) {
    this.clients.set(`${client} ${revision}`, { client, revision, last: at });
  }

  /** @param {Partial<Row>} given @returns {Row} */
  push(given) {
    this.pushed = (this.pushed ?? 0) + 1;
    const row = newRow(String(this.pushed), given);
    this.rows.push(row);
    return row;
  }

  /** Drops the oldest rows: the list is a window. */
  shorten() {
    this.rows = this.rows.slice(-Math.floor(MOST_ROWS * 0.75));
    const kept = new Set(this.rows);
    for (const map of [this.open, this.tokens, this.asked, this.exchanges, this.calls])
      for (const [key, row] of map) if (!kept.has(row)) map.delete(/** @type {never} */ (key));
  }
}
