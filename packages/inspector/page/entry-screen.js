/** One tool, resource, template or prompt: what it says of itself, a form for its arguments, and what came of the last call. */
import { hrefOf, post } from './api.js';
import { asCommand, asCurl, CopyButton } from './copy-as.js';
import { newCall, readObject, Waterfall } from './exchange-detail.js';
import { examplesOf, expand, paramsOf, problemsIn, schemaOf } from './entry-arguments.js';
import { firstValue } from './form-values.js';
import { shownTime } from './json-view.js';
import { html, useState } from './markup.js';
import { Place } from './open-in-editor.js';
import { ResultView } from './result-view.js';
import { SchemaForm } from './schema-form.js';
import { judgedOf, speakAs, useStore } from './store.js';
import { TaskView } from './task-view.js';
import { Tokens } from './tokens.js';
import { ViewFrame, viewOf } from './view-frame.js';

/** Examples that are remembered for each entry. */
const REMEMBERED = 5;

/** @typedef {{ list: string, kind: string, key: string, method: string }} Kind */

/** @param {{ kind: Kind, entry: any }} props */
export function EntryScreen({ kind, entry }) {
  const store = useStore();
  const schema = schemaOf(kind.kind, entry);
  const [args, setArgs] = useState(() => firstArguments(kind, entry, schema));
  const [answers, setAnswers] = useState(/** @type {any[]} */ ([]));
  const [isJson, setJson] = useState(false);
  const run = async (/** @type {string[]} */ revisions) => {
    remember(kind, entry, args);
    const calls = revisions.map((revision) => ({ id: newCall(), revision }));
    setAnswers(calls.map((call) => ({ ...call, isRunning: true })));
    const request = { method: kind.method, params: paramsOf(kind, entry, args) };
    const ended = await Promise.all(
      calls.map(async ({ id, revision }) => ({
        id,
        revision,
        ...(await post('call', { id, ...store.speaker, revision, ...request })),
      })),
    );
    setAnswers(ended);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run([store.speaker.revision]);
  };
  const problems = problemsIn(answers[0]);
  const complete = completionOf(kind, entry, args);
  return html`<div onKeyDown=${press}>
    <${Title} kind=${kind} entry=${entry} />
    <div class="tabs small">
      <span role="tablist"
        ><button type="button" role="tab" aria-selected=${!isJson} onClick=${() => setJson(false)}>Form</button>
        <button type="button" role="tab" aria-selected=${isJson} onClick=${() => setJson(true)}>JSON</button></span
      >
      <span class="grow"></span>
      <${Examples} entry=${entry} onChoose=${setArgs} />
      <${Earlier} kind=${kind} entry=${entry} onChoose=${setArgs} />
    </div>
    ${
      isJson
        ? html`<${JsonArguments} args=${args} onChange=${setArgs} />`
        : html`<${SchemaForm}
            schema=${schema}
            root=${schema}
            value=${args}
            path=""
            problems=${problems}
            complete=${complete}
            onChange=${setArgs}
          />`
    }
    <${RunBar} onRun=${run} answers=${answers} />
    <div class="answers" aria-live="polite">
      ${answers.map((answer) => html`<${Answer} key=${answer.id} answer=${answer} kind=${kind} entry=${entry} args=${args} isOne=${answers.length === 1} />`)}
    </div>
  </div>`;
}

/** @param {{ kind: Kind, entry: any }} props */
function Title({ kind, entry }) {
  const marks = Object.entries(entry.annotations ?? {}).filter(([, value]) => value === true);
  const words = {
    readOnlyHint: 'read-only',
    destructiveHint: 'destructive',
    idempotentHint: 'idempotent',
    openWorldHint: 'open world',
  };
  const judged = judgedOf(kind.kind, entry[kind.key]);
  return html`<div class="detail-head">
      <a class="back" href=${hrefOf('home')} aria-label="Close">←</a>
      <h2 class="cut">${entry[kind.key]}</h2>
      ${marks.map(([name]) => html`<span class="tag">${/** @type {any} */ (words)[name] ?? name}</span>`)}
      <span class="grow"></span>
      ${judged?.place && html`<${Place} place=${judged.place} hasKey />`}
    </div>
    ${entry.title && html`<p><strong>${entry.title}</strong></p>`}
    <p class="description">
      ${entry.description ?? html`<span class="problem">It has no description: models do not know when to use it.</span>`}
    </p>
    <p class="facts">
      <span><${Tokens} entries=${[{ kind: kind.kind, listed: entry }]} /> tokens in the list</span>
      ${entry.mimeType && html`<span>${entry.mimeType}</span>`}
      ${entry.outputSchema && html`<span>returns ${entry.outputSchema.title ?? 'structured content'}</span>`}
      ${judged && html`<span>seen by ${seenBy(judged)}</span>`}
    </p>`;
}

/** Whom lists show an entry, as far as it says so itself. @param {any} judged */
function seenBy({ scopes, guards, isPublic, asksLater }) {
  const asked = guards.filter((/** @type {string} */ name) => !asksLater.includes(name));
  const guarded = asked.length > 0 ? `whom ${asked.join(' and ')} lets through` : 'all';
  if (isPublic) return `${guarded}, also without a token`;
  return scopes.length > 0 ? `${guarded}; a call needs ${scopes.join(' ')}` : guarded;
}

/** @param {{ args: any, onChange: (args: any) => void }} props */
function JsonArguments({ args, onChange }) {
  const [text, setText] = useState(JSON.stringify(args, undefined, 2));
  const read = readObject(text);
  const type = (/** @type {any} */ event) => {
    setText(event.target.value);
    const object = readObject(event.target.value);
    if (object !== undefined) onChange(object);
  };
  return html`<label class="hidden" for="json-arguments">Arguments as JSON</label>
    <textarea id="json-arguments" class="code" rows="10" spellcheck="false" value=${text} onInput=${type}></textarea>
    ${read === undefined && html`<p class="problem" role="alert">This is not a JSON object.</p>`}`;
}

/** @param {{ onRun: (revisions: string[]) => void, answers: any[] }} props */
function RunBar({ onRun, answers }) {
  const { speaker, hello, callers, revision } = useStore();
  const running = answers.filter(({ isRunning }) => isRunning);
  const revisions = hello?.revisions ?? [];
  const choose = (/** @type {any} */ event) => {
    const caller = callers.find(({ name }) => name === event.target.value);
    speakAs({ caller: caller?.name ?? 'you', token: caller?.token ?? '' });
  };
  return html`<div class="run">
    <label
      >as
      <select value=${speaker.caller} onChange=${choose}>
        <option value="you">you</option>
        ${callers.map(({ name }) => html`<option value=${name}>${name}</option>`)}
      </select></label
    >
    <label
      >revision
      <select
        value=${speaker.revision}
        onChange=${(/** @type {any} */ event) => speakAs({ revision: event.target.value })}
      >
        <option value="">newest${speaker.revision === '' && revision ? ` (${revision})` : ''}</option>
        ${revisions.map((/** @type {string} */ one) => html`<option value=${one}>${one}</option>`)}
      </select></label
    >
    <span class="grow"></span>
    ${running.length > 0 && html`<button type="button" class="quiet" onClick=${() => running.forEach(({ id }) => void post('cancel', { id }))}>Cancel</button>`}
    <button type="button" class="quiet" onClick=${() => onRun(revisions)}>Run on all revisions</button>
    <button type="button" class="main" onClick=${() => onRun([speaker.revision])}>Run <kbd>Ctrl Enter</kbd></button>
  </div>`;
}

/** @param {{ answer: any, kind: Kind, entry: any, args: any, isOne: boolean }} props */
function Answer({ answer, kind, entry, args, isOne }) {
  const store = useStore();
  const row = store.traffic.calls.get(answer.id);
  const followed = store.tasks.get(answer.id);
  if (answer.isRunning)
    return html`<section class="card" role="status">
      ${isOne ? '' : `${answer.revision}: `}Running …<${Progress}
        row=${row}
      />${followed && html`<${TaskView} followed=${followed} />`}
    </section>`;
  const isBad = answer.problem !== undefined || answer.result?.isError === true;
  const name = kind.kind === 'template' ? expand(entry.uriTemplate, args) : entry[kind.key];
  const call = {
    kind: kind.method === 'resources/read' ? 'resource' : kind.kind,
    name,
    args,
    address: store.hello?.address,
    revision: answer.revision,
    token: store.speaker.token,
  };
  return html`<section class=${isBad ? 'card bad' : 'card'} aria-label="Result">
    <div class="card-head">
      <strong>${isBad ? 'failed' : 'ok'}</strong><span>${shownTime(row?.took)}</span
      ><span class="dim">${answer.revision}</span>
      <span class="grow"></span>
      ${row && html`<a href=${hrefOf(`traffic/${row.key}`)}>Show it in the traffic</a>`}
    </div>
    ${followed && html`<${TaskView} followed=${followed} />`}
    ${row?.times && isOne && html`<${Waterfall} times=${row.times} />`}
    ${isOne && answer.result && viewOf(entry) && html`<${ViewFrame} tool=${entry} args=${args} result=${answer.result} />`}
    ${answer.problem !== undefined ? html`<p class="problem" role="alert">${answer.problem}</p>` : html`<${ResultView} result=${answer.result} onRead=${read} />`}
    ${isOne && html`<div class="copy-as"><${CurlButton} row=${row} address=${call.address} /><${CopyButton} text=${() => asCommand(call)} label="Copy as sigil call" /><${TestButton} call=${call} answer=${answer} /></div>`}
  </section>`;
}

/** @param {string} uri */
function read(uri) {
  location.hash = hrefOf(`home/resource/${encodeURIComponent(uri)}`);
}

/** @param {{ row: any }} props */
function Progress({ row }) {
  const last = row?.passed.findLast((/** @type {any} */ { message }) => message?.method === 'notifications/progress')
    ?.message.params;
  if (!last) return null;
  return html` <progress value=${last.progress} max=${last.total} aria-label="Progress"></progress> ${last.message}`;
}

/** @param {{ row: any, address: string | undefined }} props */
function CurlButton({ row, address }) {
  if (address === undefined)
    return html`<span class="dim"
      >curl needs an address: start <code>sigil dev --http</code>, or use sigil call.</span
    >`;
  return row && html`<${CopyButton} text=${() => asCurl(row, address)} label="Copy as curl" />`;
}

/** Writes the call into the project, as a test. @param {{ call: any, answer: any }} props */
function TestButton({ call, answer }) {
  const [written, setWritten] = useState(/** @type {any} */ (undefined));
  if (!answer.result) return null;
  const write = async () => {
    const { kind, name, args } = call;
    setWritten(await post('test', { kind, name, arguments: args, result: answer.result }));
  };
  return html`<button type="button" class="quiet" onClick=${write}>Write a test</button>
    <span role="status">${written?.problem ?? (written && html`<code>${written.file}</code> is written.`)}</span>
    ${written?.text && html`<pre>${written.text}</pre>`}`;
}

/** What the author has written down. @param {{ entry: any, onChoose: (args: any) => void }} props */
function Examples({ entry, onChoose }) {
  const known = examplesOf(entry);
  if (known.length === 0) return null;
  const choose = (/** @type {any} */ event) =>
    event.target.value !== '' && onChoose(known[Number(event.target.value)]?.args);
  return html`<select aria-label="Examples" onChange=${choose}>
    <option value="">examples</option>
    ${known.map(({ args, says }, index) => html`<option value=${String(index)}>${says || JSON.stringify(args).slice(0, 60)}</option>`)}
  </select>`;
}

/** @param {{ kind: Kind, entry: any, onChoose: (args: any) => void }} props */
function Earlier({ kind, entry, onChoose }) {
  const known = rememberedOf(kind, entry);
  if (known.length === 0) return null;
  const choose = (/** @type {any} */ event) => event.target.value !== '' && onChoose(known[Number(event.target.value)]);
  return html`<select aria-label="Earlier arguments" onChange=${choose}>
    <option value="">earlier arguments</option>
    ${known.map((/** @type {any} */ args, /** @type {number} */ index) => html`<option value=${String(index)}>${JSON.stringify(args).slice(0, 60)}</option>`)}
  </select>`;
}

/** What the server suggests while somebody types. @param {Kind} kind @param {any} entry @param {any} args */
function completionOf(kind, entry, args) {
  const { lists, speaker } = useStore();
  if (!lists?.capabilities.completions || !['template', 'prompt'].includes(kind.kind)) return undefined;
  const ref =
    kind.kind === 'prompt'
      ? { type: 'ref/prompt', name: entry.name }
      : { type: 'ref/resource', uri: entry.uriTemplate };
  return async (/** @type {string} */ name, /** @type {string} */ value) => {
    const { [name]: _own, ...previous } = args;
    const params = { ref, argument: { name, value }, previous };
    const { result } = await post('call', { id: newCall(), ...speaker, method: 'completion/complete', params });
    return result?.completion?.values ?? result?.values ?? [];
  };
}

/** @param {Kind} kind @param {any} entry */
function placeOf(kind, entry) {
  return `arguments ${kind.kind} ${entry[kind.key]}`;
}

/** @param {Kind} kind @param {any} entry @returns {any[]} */
function rememberedOf(kind, entry) {
  try {
    return JSON.parse(sessionStorage.getItem(placeOf(kind, entry)) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {Kind} kind @param {any} entry @param {any} args */
function remember(kind, entry, args) {
  if (Object.keys(args).length === 0) return;
  const others = rememberedOf(kind, entry).filter((one) => JSON.stringify(one) !== JSON.stringify(args));
  sessionStorage.setItem(placeOf(kind, entry), JSON.stringify([args, ...others].slice(0, REMEMBERED)));
}

/** @param {Kind} kind @param {any} entry @param {any} schema */
function firstArguments(kind, entry, schema) {
  return rememberedOf(kind, entry)[0] ?? firstValue(schema, schema) ?? {};
}
