/** Calls of the page that have become tasks: their states, messages, questions and results. */
import { hrefOf, post } from './api.js';
import { JsonTree, shownClock } from './json-view.js';
import { html } from './markup.js';
import { useStore } from './store.js';

/** States after which a task changes no more. */
const ENDED = ['completed', 'failed', 'cancelled'];

/** One task. @param {{ followed: any, isShort?: boolean }} props */
export function TaskView({ followed: { call, name, task, history }, isShort = false }) {
  const questions = Object.values(task.inputRequests);
  const isOver = ENDED.includes(task.status);
  return html`<div class="task">
    <p class="facts">
      <span class=${`tag ${{ failed: 'error', input_required: 'warning' }[/** @type {string} */ (task.status)] ?? ''}`}
        >${task.status}</span
      >
      ${isShort && html`<a href=${hrefOf(`home/tool/${encodeURIComponent(name)}`)}>${name}</a>`}
      <span>${task.statusMessage}</span>
      <span>since ${shownClock(Date.parse(task.createdAt))}</span><code class="cut">${task.taskId}</code>
      ${!isOver && html`<button type="button" class="quiet" onClick=${() => void post('cancel', { id: call })}>Cancel the task</button>`}
    </p>
    ${questions.map((/** @type {any} */ { method, params }) => html`<p>It asks: ${params.message ?? method} <a href=${hrefOf('questions')}>Answer</a></p>`)}
    <details>
      <summary>${history.length === 1 ? '1 state' : `${history.length} states`}</summary>
      <ol>
        ${history.map((/** @type {string} */ said) => html`<li>${said}</li>`)}
      </ol>
      ${isShort && (task.result || task.error) && html`<${JsonTree} value=${task.result ?? task.error} />`}
    </details>
  </div>`;
}

/** All tasks of the page, the newest first. */
export function TaskList() {
  const all = [...useStore().tasks.values()].reverse();
  if (all.length === 0) return null;
  return html`<h3>Tasks of this page</h3>
    <ul class="tasks">
      ${all.map((followed) => html`<li key=${followed.call}><${TaskView} followed=${followed} isShort /></li>`)}
    </ul>`;
}
