/** Where the time of a request went: guards, interceptors, validation, handler, output, and the questions to the client. */
import { shownTime } from './json-view.js';
import { html } from './markup.js';

/**
 * One line: a stage of the call, and the pieces of time that were its own.
 * @typedef {{ name: string, words: string, pieces: { from: number, to: number }[], own: number }} Stage
 *
 * @typedef {{ name: string, words: string, at: number, to: number }} Span
 */

/** What stages are called. @type {Record<string, string>} */
const TITLES = { arguments: 'validate', queue: 'waits in line' };

/**
 * The stages of a request, in the order of their work: each has the time that it did not spend in another one.
 * @param {any} times @returns {Stage[]}
 */
export function stagesOf(times) {
  const { took, opened = took } = times;
  const spans = spansOf(times);
  const root = { name: '', words: '', at: opened, to: took };
  const [rest, ...stages] = ownTimes(root, spans);
  // What is between and after the stages, such as the writing of the answer.
  if (stages.length > 0 && rest && rest.own > 0) stages.push({ ...rest, name: 'rest' });
  const found = { name: 'found', words: '', pieces: [{ from: 0, to: opened }], own: opened };
  return [found, ...stages.sort((one, other) => workOf(one) - workOf(other))];
}

/** @param {any} times @returns {Span[]} in the order of their beginning, the outer one first */
function spansOf({ took, opened, guards, questions, stages = [] }) {
  if (opened === undefined) return [];
  const measured = stages.map((/** @type {any} */ { name, at, to }) => ({
    name: TITLES[name] ?? name,
    words: '',
    at,
    to: to ?? took,
  }));
  let before = opened;
  const judged = guards.map((/** @type {any} */ { name, verdict, at }) => {
    const begun = measured.findLast((/** @type {Span} */ stage) => stage.at <= at)?.at ?? opened;
    const span = { name: `guard ${name}`, words: verdict, at: Math.max(before, begun), to: at };
    before = at;
    return span;
  });
  // A version that does not report its stages.
  const rest = stages.length > 0 ? [] : [{ name: 'arguments, handler, output', words: '', at: before, to: took }];
  const asked = questions.map((/** @type {any} */ { method, at, took: waited }) => ({
    name: method,
    words: 'question',
    at,
    to: at + (waited ?? 0),
  }));
  return [...measured, ...judged, ...rest, ...asked].sort((one, other) => one.at - other.at || other.to - one.to);
}

/**
 * The own times of a span and of those within it.
 * @param {Span} span @param {Span[]} spans those after it, in order; those within it are taken out @returns {Stage[]}
 */
function ownTimes(span, spans) {
  const { name, words, at, to } = span;
  const pieces = /** @type {Stage['pieces']} */ ([]);
  const within = /** @type {Stage[]} */ ([]);
  let cursor = at;
  // What begins when this one ends is not within it.
  for (let [next] = spans; next && (next.at < to || name === ''); [next] = spans) {
    spans.shift();
    const inner = { ...next, at: Math.max(next.at, cursor), to: Math.min(Math.max(next.to, cursor), to) };
    if (inner.at > cursor) pieces.push({ from: cursor, to: inner.at });
    within.push(...ownTimes(inner, spans));
    cursor = inner.to;
  }
  if (to > cursor || pieces.length === 0) pieces.push({ from: cursor, to: Math.max(to, cursor) });
  const own = pieces.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  return [{ name, words, pieces, own }, ...within];
}

/** When a stage begins to work: an output begins before the handler, and works after it. @param {Stage} stage */
function workOf({ name, pieces }) {
  return (name === 'output' || name === 'rest' ? pieces.at(-1) : pieces[0])?.from ?? 0;
}

/** The stages in one line: all guards together, what takes no time left out. @param {Stage[]} stages */
export function summaryOf(stages) {
  const named = new Map(/** @type {[string, number][]} */ ([]));
  for (const { name, own } of stages) {
    const [kind] = name.split(' ');
    const title = { guard: 'guards', interceptor: 'interceptors' }[kind] ?? name;
    if (title !== 'found' && title !== 'rest') named.set(title, (named.get(title) ?? 0) + own);
  }
  return [...named].map(([title, own]) => `${title} ${own.toFixed(1)}`).join(' | ');
}

/** @param {{ times: any }} props */
export function Waterfall({ times }) {
  const stages = stagesOf(times);
  const share = (/** @type {number} */ part) => `${(100 * part) / (times.took || 1)}%`;
  return html`<p class="facts"><code>${summaryOf(stages)}</code> <span>ms</span></p>
    <table class="waterfall">
      <caption class="hidden">
        Where the time went
      </caption>
      <tbody>
        ${stages.map(
          ({ name, words, pieces, own }) =>
            html`<tr>
              <th scope="row">${name} <small>${words}</small></th>
              <td>
                <div class="track">
                  ${pieces.map(({ from, to }) => html`<span class="bar" style=${{ left: share(from), width: share(to - from) }}></span>`)}
                </div>
              </td>
              <td class="took">${shownTime(own)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
