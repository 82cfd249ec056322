/** A JSON value as a tree that opens level by level. What it shows is text, whatever a server has sent. */
import { html } from './markup.js';

/** Levels that are open at first. */
const OPEN = 3;
/** Members that are shown at once. */
const MOST = 200;

/** @param {{ value: any, name?: string, level?: number }} props */
export function JsonTree({ value, name = '', level = 0 }) {
  const label = name === '' ? null : html`<span class="json-name">${name}</span>: `;
  if (value === null || typeof value !== 'object')
    return html`<div class="json-leaf">${label}<${Leaf} value=${value} /></div>`;
  const members = Array.isArray(value) ? value.map((one, index) => [String(index), one]) : Object.entries(value);
  const size = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  if (members.length === 0) return html`<div class="json-leaf">${label}<span class="json-size">${size}</span></div>`;
  return html`<details class="json" open=${level < OPEN}>
    <summary>${label}<span class="json-size">${size}</span></summary>
    ${members.slice(0, MOST).map(([key, one]) => html`<${JsonTree} key=${key} value=${one} name=${key} level=${level + 1} />`)}
    ${members.length > MOST && html`<div class="json-leaf">and ${members.length - MOST} more</div>`}
  </details>`;
}

/** @param {{ value: any }} props */
function Leaf({ value }) {
  return html`<span class=${`json-${value === null ? 'null' : typeof value}`}>${JSON.stringify(value)}</span>`;
}

/** JSON with indents, or the text itself if it is none. @param {string} text */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** @param {number | undefined} milliseconds */
export function shownTime(milliseconds) {
  if (milliseconds === undefined) return '';
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The time of the day with milliseconds. @param {number} at */
export function shownClock(at) {
  const date = new Date(at);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
