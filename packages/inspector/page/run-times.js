/** What the server reports of requests, brought together with their messages: either may come first. */
import { timesKey } from './message-words.js';

/** Reports that wait for their message, and rows among which the one of a report is looked for. */
const MOST_EARLY = 500;

/** @typedef {import('./traffic-row.js').Row} Row */

/** The reports that wait. */
export class RunTimes {
  constructor() {
    /** @type {Map<string, any>} */
    this.early = new Map();
  }

  /** The handler starts, for the first time or again. @param {Row} row @param {string} key @param {number} first number of its first message */
  start(row, key, first) {
    row.runs.push({ key, times: this.early.get(key), first });
    row.times = row.runs[0]?.times;
    this.early.delete(key);
  }

  /** @param {Row[]} rows @param {any} times */
  add(rows, times) {
    const key = timesKey(times);
    const isOf = (/** @type {Row['runs'][number]} */ run) => run.key === key && run.times === undefined;
    const row = rows.slice(-MOST_EARLY).findLast(({ runs }) => runs.some(isOf));
    const run = row?.runs.find(isOf);
    if (row && run) {
      run.times = times;
      row.times ??= times;
    } else this.early.set(key, times);
    const [oldest] = this.early.keys();
    if (this.early.size > MOST_EARLY && oldest !== undefined) this.early.delete(oldest);
  }
}
