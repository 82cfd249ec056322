/** What the server asks the client of this page: answered by hand, or by a rule. */
import { post } from './api.js';
import { readObject } from './exchange-detail.js';
import { firstValue } from './form-values.js';
import { JsonTree } from './json-view.js';
import { html, useState } from './markup.js';
import { SchemaForm } from './schema-form.js';
import { changed, useStore } from './store.js';

export function QuestionsScreen() {
  const store = useStore();
  const setRule = (/** @type {any} */ event) => {
    store.rule = event.target.value;
    changed();
  };
  return html`<div class="column">
    <div class="tools">
      <h2>${store.questions.length === 0 ? 'Nothing is asked' : 'The server waits for an answer'}</h2>
      <span class="grow"></span>
      <label
        >forms
        <select value=${store.rule} onChange=${setRule}>
          <option value="ask">ask me</option>
          <option value="accept">accept with defaults</option>
          <option value="decline">decline</option>
        </select></label
      >
    </div>
    ${store.questions.length === 0 && html`<p class="dim">Questions of handlers to the calls of this page appear here: forms, pages to open, requests for a model, folders. Those to other clients stand in their traffic.</p>`}
    ${store.questions.map((question) => html`<${Question} key=${question.id} question=${question} />`)}
  </div>`;
}

/** @param {{ question: any }} props */
function Question({ question: { id, method, params } }) {
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
      <strong>${method}</strong><span class="grow"></span
      ><button type="button" class="quiet" onClick=${refuse}>Refuse with an error</button>
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
  const send = () =>
    onAnswer({ role: 'assistant', content: { type: 'text', text }, model: 'a person', stopReason: 'endTurn' });
  return html`<${JsonTree} value=${params} />
    <label for="sampled">What the model answers</label>
    <textarea
      id="sampled"
      rows="4"
      value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}
    ></textarea>
    <div class="run"><button type="button" class="main" onClick=${send}>Answer</button></div>`;
}

/** @param {AskedProps} props */
function RootsQuestion({ onAnswer }) {
  const [text, setText] = useState('[{ "uri": "file:///project" }]');
  const read = readObject(`{"roots":${text}}`);
  return html`<label for="roots">The folders of the client</label>
    <textarea
      id="roots"
      class="code"
      rows="3"
      value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}
    ></textarea>
    <div class="run">
      <button type="button" class="main" disabled=${read === undefined} onClick=${() => onAnswer(read?.roots)}>
        Answer
      </button>
    </div>`;
}
