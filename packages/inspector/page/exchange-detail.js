/** One row of the traffic, opened: what was asked, what happened meanwhile, what came back, and what to do with it next. */
import { hrefOf, post } from './api.js';
import { asCurl, CopyButton, withoutMark } from './copy-as.js';
import { diffLines } from './diff.js';
import { JsonTree, pretty, shownClock, shownTime } from './json-view.js';
import { html, useState } from './markup.js';
import { ResultView } from './result-view.js';
import { useStore } from './store.js';
import { STATUS } from './message-words.js';
import { HiddenValues, hiddenIn, nameOf, withTyped } from './hidden-values.js';
import { Rounds } from './rounds.js';
import { Waterfall } from './waterfall.js';

export { Waterfall };

/** @typedef {import('./traffic-row.js').Row} Row */

/** Names of the calls of this page. */
const names = { count: 0 };

/** A name for a call of the page. */
export function newCall() {
  names.count += 1;
  return `${Date.now().toString(36)}-${names.count}`;
}

/** @param {{ row: Row }} props */
export function ExchangeDetail({ row }) {
  const { hello, traffic } = useStore();
  const [tab, setTab] = useState('read');
  const good = lastGood(traffic.rows, row);
  const tabs = [
    ['read', 'Read'],
    ['wire', 'Wire'],
    ...(good ? [['diff', 'Diff with the last good one']] : []),
    ...(row.kind === 'request' && row.from === 'client' ? [['again', 'Edit and send again']] : []),
  ];
  return html`
    <div class="detail-head">
      <a class="back" href=${hrefOf('traffic')} aria-label="Close">←</a>
      <h2 class="cut">${row.method} ${row.name && html`<b>${row.name}</b>`}</h2>
      <span class=${`status ${row.status}`}>${STATUS[row.status]}</span>
    </div>
    <p class="facts">
      <span>${row.client}</span><span>${row.revision}</span><span>${shownClock(row.at)}</span
      ><span>${shownTime(row.took)}</span>
      ${row.rounds > 1 && html`<span>${row.rounds} rounds</span>`}
    </p>
    <div class="tabs small">
      <div class="tablist" role="tablist">
        ${tabs.map(
          ([id, title]) =>
            html`<button type="button" role="tab" aria-selected=${tab === id} onClick=${() => setTab(id)}>
              ${title}
            </button>`,
        )}
      </div>
      <span class="grow"></span>
      ${hello?.address && row.kind === 'request' && row.passed[0]?.message && html`<${CopyButton} text=${() => asCurl(row, hello.address)} label="Copy as curl" />`}
    </div>
    ${tab === 'read' && html`<${Read} row=${row} />`} ${tab === 'wire' && html`<${Wire} row=${row} />`}
    ${tab === 'diff' && good && html`<${Diff} row=${row} good=${good} />`}
    ${tab === 'again' && html`<${Again} row=${row} />`}
  `;
}

/** @param {{ row: Row }} props */
function Read({ row }) {
  const { _meta, ...params } = row.params ?? {};
  return html`
    ${row.runs.flatMap(({ times }) => (times ? [html`<${Waterfall} times=${times} />`] : []))}
    <${HandlerProblem} row=${row} />
    ${
      Object.keys(params).length > 0 &&
      html`<h3>Asked</h3>
        <${JsonTree} value=${params} />`
    }
    <${Rounds} row=${row} />
    <${Meanwhile} row=${row} />
    ${
      row.answer?.result &&
      html`<h3>Answered</h3>
        <${ResultView} result=${row.answer.result} />`
    }
    ${
      row.answer?.error &&
      html`<h3>Refused</h3>
        <p class="problem">${row.answer.error.message}</p>
        <${JsonTree} value=${row.answer.error} />`
    }
    ${row.status === 'error' && !row.answer && html`<p class="problem">${row.words}</p>`}
  `;
}

/** The error behind a masked one. @param {{ row: Row }} props */
function HandlerProblem({ row }) {
  const { errors } = useStore();
  const found = errors.find(({ errorId }) => row.words.includes(errorId));
  if (!found) return null;
  const { message, place } = found.problem;
  return html`<p class="problem">
    ${message} ${place && html`<a href=${hrefOf('broken')}>${place.shown}:${place.line}</a>`}
  </p>`;
}

/** Notifications, questions and rounds between the request and its answer. @param {{ row: Row }} props */
function Meanwhile({ row }) {
  const between = row.passed.slice(1).filter(({ message }) => message && message !== row.answer);
  if (between.length === 0) return null;
  return html`<h3>Meanwhile</h3>
    <ol class="meanwhile">
      ${between.map(
        ({ at, from, message, isInPlace }) =>
          html`<li>
            <time>+${shownTime(at - row.at)}</time>
            <span class=${`tag ${message.params?.level ?? ''}`}>${titleOf(message, from)}</span>
            <span>${wordsOf(message)}</span> ${isInPlace && html`<span class="tag">this page</span>`}
          </li>`,
      )}
    </ol>`;
}

/** @param {any} message @param {string} from */
function titleOf({ method, result, params }, from) {
  if (method === 'notifications/message') return params?.level ?? 'log';
  if (method === 'notifications/progress') return 'progress';
  if (method?.startsWith('notifications/')) return method.slice('notifications/'.length);
  if (result?.resultType === 'input_required') return 'asks';
  if (method) return from === 'server' ? 'asks' : 'next round';
  return 'answer';
}

/** @param {any} message */
function wordsOf({ method, params, result, error }) {
  if (method === 'notifications/message')
    return typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
  if (method === 'notifications/progress')
    return [params.progress, params.total && `of ${params.total}`, params.message].filter(Boolean).join(' ');
  if (result?.inputRequests)
    return Object.values(result.inputRequests)
      .map((one) => one.params?.message ?? one.method)
      .join('; ');
  if (params?.inputResponses) return JSON.stringify(params.inputResponses);
  return params?.message ?? JSON.stringify(result ?? error ?? params ?? {});
}

/** @param {{ row: Row }} props */
function Wire({ row }) {
  return html`<div class="wire">
    ${row.passed.map(
      ({ at, from, text, head, isInPlace }) =>
        html`<article>
          <div class="wire-head">
            <strong>${from === 'client' ? 'client → server' : 'server → client'}</strong>
            ${isInPlace && html`<span class="tag">this page, in place of the client</span>`}
            <span>${shownClock(at)}</span> <span>${text.length} bytes</span><span class="grow"></span
            ><${CopyButton} text=${text} label="Copy" />
          </div>
          ${
            head &&
            html`<details>
              <summary>${head.line}</summary>
              <pre>${Object.entries(head.headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
            </details>`
          }
          <pre>${pretty(text)}</pre>
        </article>`,
    )}
  </div>`;
}

/** The call of the same entry before this one that went well. @param {Row[]} rows @param {Row} row */
function lastGood(rows, row) {
  const at = rows.indexOf(row);
  return row.kind === 'request'
    ? rows.findLast(
        (one, index) => index < at && one.method === row.method && one.name === row.name && one.status === 'ok',
      )
    : undefined;
}

/** @param {{ row: Row, good: Row }} props */
function Diff({ row, good }) {
  const text = (/** @type {Row} */ { params, answer }) => {
    const { _meta, ...asked } = params ?? {};
    return JSON.stringify({ asked, answered: answer?.result ?? answer?.error }, undefined, 2);
  };
  return html`<p class="facts"><span>good: ${shownClock(good.at)}, ${good.client}</span></p>
    <${Lines} lines=${diffLines(text(good), text(row))} />`;
}

/** @param {{ lines: { sign: string, line: string }[] }} props */
function Lines({ lines }) {
  const isSame = lines.every(({ sign }) => sign === ' ');
  return isSame
    ? html`<p class="good">Nothing differs.</p>`
    : html`<pre class="diff">
${lines.map(({ sign, line }) => html`<span class=${sign === '+' ? 'added' : sign === '-' ? 'removed' : ''}>${sign} ${line}${'\n'}</span>`)}</pre>`;
}

/** @param {{ row: Row }} props */
function Again({ row }) {
  const store = useStore();
  const { method, params = {} } = withoutMark(row.passed[0]?.message ?? {});
  const { _meta, ...plain } = params;
  const [text, setText] = useState(JSON.stringify(plain, undefined, 2));
  const [answer, setAnswer] = useState(/** @type {any} */ (undefined));
  const [problem, setProblem] = useState('');
  const [typed, setTyped] = useState(/** @type {Record<string, string>} */ ({}));
  const hidden = hiddenIn(readObject(text));
  const send = async () => {
    const read = readObject(text);
    const isMissing = hidden.some((way) => !typed[nameOf(way)]);
    setProblem(read === undefined ? 'This is not a JSON object.' : isMissing ? 'Type the hidden values.' : '');
    if (read === undefined || isMissing) return;
    setAnswer({ isRunning: true });
    const revision = store.hello?.revisions.includes(row.revision) ? row.revision : '';
    setAnswer(
      await post('call', { id: newCall(), ...store.speaker, revision, method, params: withTyped(read, typed) }),
    );
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
  };
  return html`<div class="again">
    <label for="again-params">Parameters of ${method}</label>
    <textarea
      id="again-params"
      class="code"
      rows="12"
      spellcheck="false"
      value=${text}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}
      onKeyDown=${press}
    ></textarea>
    <${HiddenValues} ways=${hidden} typed=${typed} onType=${setTyped} />
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <button type="button" class="main" onClick=${send}>Send <kbd>Ctrl Enter</kbd></button>
    <div aria-live="polite">
      ${answer?.isRunning && html`<p>Running …</p>`}
      ${answer && !answer.isRunning && html`<${Compared} row=${row} answer=${answer} />`}
    </div>
  </div>`;
}

/** @param {{ row: Row, answer: any }} props */
function Compared({ row, answer }) {
  const before = JSON.stringify(row.answer?.result ?? row.answer?.error ?? {}, undefined, 2);
  const now = JSON.stringify(answer.result ?? { message: answer.problem }, undefined, 2);
  const isGood = answer.result && !answer.result.isError;
  const words = isGood
    ? row.status === 'ok'
      ? 'As good as before'
      : 'Better: it works now'
    : row.status === 'ok'
      ? 'Broken: it worked before'
      : 'It fails again';
  return html`<h3>${words}</h3>
    ${answer.problem ? html`<p class="problem">${answer.problem}</p>` : html`<${ResultView} result=${answer.result} />`}
    <h3>Diff with this answer</h3>
    <${Lines} lines=${diffLines(before, now)} />`;
}

/** @param {string} text */
export function readObject(text) {
  try {
    const read = JSON.parse(text === '' ? '{}' : text);
    return read !== null && typeof read === 'object' && !Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
