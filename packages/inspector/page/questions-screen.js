/** What the server asks: answered by hand, or by a rule, and what was asked before. */
import { hrefOf, post } from './api.js';
import { firstValue } from './form-values.js';
import { JsonTree, shownClock } from './json-view.js';
import { html, useState } from './markup.js';
import { jsonOf, KINDS, sampled } from './question-rules.js';
import { Rounds } from './rounds.js';
import { SchemaForm } from './schema-form.js';
import { changed, useStore } from './store.js';

/** Calls that asked and are shown. */
const MOST_CALLS = 20;

export function QuestionsScreen() {
  const store = useStore();
  return html`<div class="column">
    <div class="tools">
      <h2>${store.questions.length === 0 ? 'Nothing is asked' : 'The server waits for an answer'}</h2>
    </div>
    ${store.questions.length === 0 && html`<p class="dim">Questions of handlers appear here: forms, pages to open, requests for a model, folders. Those to other clients can be answered here as well: whoever answers first has answered.</p>`}
    ${store.questions.map((question) => html`<${Question} key=${question.id} question=${question} />`)}
    <${Rules} /> <${Earlier} />
  </div>`;
}

/** @param {{ question: any }} props */
function Question({ question: { id, method, params, client, entry } }) {
  const answer = (/** @type {any} */ value) => void post('answer', { id, answer: value });
  const refuse = () => void post('answer', { id, refused: true });
  const form =
    method === 'elicitation/create'
      ? params.mode === 'url'
        ? UrlQuestion
        : FormQuestion
      : method === 'roots/list'
        ? RootsQuestion
        : SamplingQuestion;
  return html`<article class="card" aria-label="Question">
    <div class="card-head">
      <strong>${method}</strong>
      <span>${client === undefined ? 'to this page' : `to ${client}, who may answer first`}</span>
      ${entry && html`<code>${entry}</code>`}
      <span class="grow"></span><button type="button" class="quiet" onClick=${refuse}>Refuse with an error</button>
    </div>
    <${form} params=${params} onAnswer=${answer} />
  </article>`;
}

/** @typedef {{ params: any, onAnswer: (answer: any) => void }} AskedProps */

/** @param {AskedProps} props */
function FormQuestion({ params: { message, requestedSchema: schema }, onAnswer }) {
  const [content, setContent] = useState(() => firstValue(schema, schema) ?? {});
  return html`<p class="message">${message}</p>
    <${SchemaForm} schema=${schema} root=${schema} value=${content} path="" onChange=${setContent} />
    <${Decide} onAccept=${() => onAnswer({ action: 'accept', content })} onAnswer=${onAnswer} />`;
}

/** @param {AskedProps} props */
function UrlQuestion({ params: { message, url }, onAnswer }) {
  return html`<p class="message">${message}</p>
    <p><code>${url}</code></p>
    <${Decide} onAccept=${() => onAnswer({ action: 'accept' })} onAnswer=${onAnswer} />`;
}

/** @param {{ onAccept: () => void, onAnswer: (answer: any) => void }} props */
function Decide({ onAccept, onAnswer }) {
  return html`<div class="run">
    <button type="button" class="main" onClick=${onAccept}>Accept</button>
    <button type="button" class="quiet" onClick=${() => onAnswer({ action: 'decline' })}>Decline</button>
    <button type="button" class="quiet" onClick=${() => onAnswer({ action: 'cancel' })}>Cancel</button>
  </div>`;
}

/** @param {AskedProps} props */
function SamplingQuestion({ params, onAnswer }) {
  const [text, setText] = useState('');
  return html`<${JsonTree} value=${params} />
    <label for="sampled">What the model answers</label>
    <textarea
      id="sampled"
      rows="4"
      value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}
    ></textarea>
    <div class="run">
      <button type="button" class="main" onClick=${() => onAnswer(sampled(text))}>Answer</button>
    </div>`;
}

/** @param {AskedProps} props */
function RootsQuestion({ onAnswer }) {
  const [text, setText] = useState('[{ "uri": "file:///project" }]');
  const roots = jsonOf(text);
  return html`<label for="roots">The folders of the client</label>
    <textarea
      id="roots"
      class="code"
      rows="3"
      value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}
    ></textarea>
    <div class="run">
      <button type="button" class="main" disabled=${!Array.isArray(roots)} onClick=${() => onAnswer(roots)}>
        Answer
      </button>
    </div>`;
}

/** How questions are answered from now on. */
function Rules() {
  const { rules } = useStore();
  const set = (/** @type {import('./question-rules.js').Kind} */ kind, /** @type {object} */ change) => {
    Object.assign(rules[kind], change);
    changed();
  };
  return html`<h3>Rules</h3>
    <div class="asked">
      <table class="rules">
        <tbody>
          ${KINDS.map(({ kind, title, does, values }) => {
            const rule = rules[kind];
            return html`<tr>
              <th scope="row">${title}</th>
              <td>
                <select
                  aria-label=${title}
                  value=${rule.does}
                  onChange=${(/** @type {any} */ event) => set(kind, { does: event.target.value })}
                >
                  <option value="ask">ask me</option>
                  ${does.map((one) => html`<option value=${one}>${one === 'accept' ? 'always accept' : `always ${one}`}</option>`)}
                </select>
                ${
                  rule.does === 'accept' &&
                  values !== undefined &&
                  html`<div>
                    <textarea
                      class="code"
                      rows="2"
                      aria-label=${`Values for ${title}`}
                      value=${rule.values}
                      onInput=${(/** @type {any} */ event) => set(kind, { values: event.target.value })}
                    ></textarea>
                    ${kind !== 'sampling' && jsonOf(rule.values) === undefined && html`<p class="problem">This is not JSON: the rule answers nothing.</p>`}
                  </div>`
                }
              </td>
              <td>
                <label
                  ><input
                    type="checkbox"
                    checked=${rule.isForAll}
                    onChange=${(/** @type {any} */ event) => set(kind, { isForAll: event.target.checked })}
                  />for other clients, too</label
                >
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}

/** The last calls that asked, in every revision. */
function Earlier() {
  const { traffic } = useStore();
  const calls = traffic.rows
    .filter(({ hasAsked }) => hasAsked)
    .slice(-MOST_CALLS)
    .reverse();
  if (calls.length === 0) return null;
  return html`<h3>Calls that asked</h3>
    ${calls.map(
      (row) =>
        html`<article class="card" key=${row.key} aria-label="Call that asked">
          <p class="facts">
            <a href=${hrefOf(`traffic/${row.key}`)}>${row.method} ${row.name}</a>
            <span>${row.client}</span><span>${row.revision}</span><span>${shownClock(row.at)}</span>
            <span>${row.rounds === 1 ? '1 round' : `${row.rounds} rounds`}</span>
          </p>
          <${Rounds} row=${row} />
        </article>`,
    )}`;
}
