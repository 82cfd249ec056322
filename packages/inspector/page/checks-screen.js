/** What is not right yet: the definitions, the set-up, changes of the contract, tests that fail, what the lists cost, and what each revision shows. */
import { post } from './api.js';
import { CopyButton } from './copy-as.js';
import { KINDS } from './home-screen.js';
import { shownTime } from './json-view.js';
import { html, useEffect, useState } from './markup.js';
import { useStore } from './store.js';
import { sumOf, Tokens, useTokens } from './tokens.js';

/** The checks, in their order. A further one is a component that takes nothing. */
const CHECKS = [Definitions, Doctor, Contract, Tests, Costs, Revisions];

export function ChecksScreen() {
  return html`<div class="column">${CHECKS.map((Check) => html`<section class="check"><${Check} /></section>`)}</div>`;
}

/** What `sigil check` finds in the definitions. */
function Definitions() {
  const [report, setReport] = useState(/** @type {any} */ (undefined));
  const run = async () => {
    setReport({ isRunning: true });
    setReport(await post('check', {}));
  };
  const { isRunning, problem, findings } = report ?? {};
  return html`<div class="tools">
      <h2>What a model reads</h2>
      <span class="grow"></span>
      <button type="button" class="quiet" disabled=${isRunning} onClick=${run}>Run sigil check</button>
    </div>
    <div role="status">
      ${isRunning && html`<p class="dim">Checking …</p>`} ${problem && html`<p class="problem">${problem}</p>`}
      ${findings && html`<p class=${findings.length === 0 ? 'good' : ''}>${findings.length === 0 ? 'Every definition is clear and safe.' : `${findings.length} to look at.`}</p>`}
    </div>
    ${
      findings?.length > 0 &&
      html`<ul class="findings">
        ${findings.map((/** @type {any} */ finding) => html`<${Finding} ...${finding} />`)}
      </ul>`
    }`;
}

/** @param {{ severity: string, entry?: string, place?: string, problem: string, fix: string, rule: string }} props */
function Finding({ severity, entry = 'the server', place, problem, fix, rule }) {
  const style = { error: 'bad', warning: 'warn' }[severity] ?? 'dim';
  return html`<li>
    <strong class=${style}>${severity}</strong> ${`${entry}: ${problem} `}<code>${place ?? rule}</code>
    <p class="fix">→ ${fix}</p>
  </li>`;
}

/** What `sigil doctor` says of the project. */
function Doctor() {
  const [report, setReport] = useState(/** @type {any} */ (undefined));
  const run = async () => {
    setReport({ isRunning: true });
    setReport(await post('doctor', {}));
  };
  const { isRunning, problem, checks = [] } = report ?? {};
  const found = checks.filter((/** @type {any} */ { findings }) => findings.length > 0);
  const count = found.reduce((/** @type {number} */ sum, /** @type {any} */ { findings }) => sum + findings.length, 0);
  return html`<div class="tools">
      <h2>The set-up of the project</h2>
      <span class="grow"></span>
      <button type="button" class="quiet" disabled=${isRunning} onClick=${run}>Run sigil doctor</button>
    </div>
    <div role="status">
      ${isRunning && html`<p class="dim">Checking …</p>`} ${problem && html`<p class="problem">${problem}</p>`}
      ${checks.length > 0 && html`<p class=${count === 0 ? 'good' : 'bad'}>${count === 0 ? `No problems found by ${checks.length} checks.` : `${count} to fix.`}</p>`}
    </div>
    ${found.map(
      (/** @type {any} */ { title, findings }) =>
        html`<article class="card bad">
          <p class="message">Not true: ${title}</p>
          ${findings.map(
            (/** @type {any} */ { problem: what, fix }) =>
              html`<p>${what}</p>
                <p class="fix">→ ${fix} <${CopyButton} text=${`${what} ${fix}`} label="Copy" /></p>`,
          )}
        </article>`,
    )}`;
}

/** What changed of what the server promises. */
function Contract() {
  const [report, setReport] = useState(/** @type {any} */ (undefined));
  const run = async () => {
    setReport({ isRunning: true });
    setReport(await post('contract', {}));
  };
  const { isRunning, problem, changes, against, asked, version } = report ?? {};
  return html`<div class="tools">
      <h2>The contract of the server</h2>
      <span class="grow"></span>
      <button type="button" class="quiet" disabled=${isRunning} onClick=${run}>Compare with the last commit</button>
    </div>
    <div role="status">
      ${isRunning && html`<p class="dim">Comparing …</p>`} ${problem && html`<p class="problem">${problem}</p>`}
      ${changes && html`<p class=${changes.length === 0 ? 'good' : ''}>${changes.length === 0 ? `Nothing changed since ${against}.` : `Since ${against}, ${changes.length} changed. They ask for version ${asked ?? '?'}; the server has ${version}.`}</p>`}
    </div>
    ${
      changes?.length > 0 &&
      html`<ul class="findings">
        ${changes.map(
          (/** @type {any} */ { level, key, text }) =>
            html`<li>
              <strong class=${{ breaking: 'bad', compatible: 'good' }[/** @type {string} */ (level)] ?? 'warn'}
                >${level}</strong
              >
              ${` ${key === undefined ? '' : `${key}: `}${text}`}
            </li>`,
        )}
      </ul>`
    }`;
}

/** The tests that a change concerns. */
function Tests() {
  const { tests } = useStore();
  const { runner, isOn, phase, files, output, took } = tests;
  const order = (/** @type {string} */ name) => () => void post('tests', { order: name });
  const words = {
    idle: '',
    running: 'running …',
    passed: `passed in ${shownTime(took)}`,
    failed: 'failed',
    stopped: 'stopped',
  }[/** @type {string} */ (phase)];
  return html`<div class="tools">
      <h2>Tests of the file that changed</h2>
      <span class="grow"></span>
      ${
        runner &&
        html`<label
            ><input type="checkbox" checked=${isOn} onChange=${order(isOn ? 'off' : 'on')} /> run after each
            change</label
          ><button type="button" class="quiet" onClick=${order(phase === 'running' ? 'stop' : 'run')}>
            ${phase === 'running' ? 'Stop' : 'Run all tests'}
          </button>`
      }
    </div>
    <p class="dim" role="status">
      ${runner ? html`${runner} ` : 'The project has neither jest nor vitest.'}
      ${words && html`<strong class=${{ passed: 'good', failed: 'bad' }[/** @type {string} */ (phase)] ?? ''}>${words}</strong>`}
      ${files.length > 0 && html` <code>${files.join(' ')}</code>`}
    </p>
    ${output && html`<pre class="output" tabindex="0" role="region" aria-label="Output of the tests">${output}</pre>`}`;
}

function Costs() {
  const { lists } = useStore();
  return html`<h2>What the lists cost</h2>
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">list</th>
          <th scope="col">entries</th>
          <th scope="col">tokens</th>
          <th scope="col">largest</th>
        </tr>
      </thead>
      <tbody>
        ${KINDS.map((kind) => html`<${Cost} kind=${kind} entries=${lists?.[kind.list] ?? []} />`)}
      </tbody>
    </table>`;
}

function Revisions() {
  const { hello, server, speaker } = useStore();
  const [seen, setSeen] = useState(/** @type {Record<string, any>} */ ({}));
  useEffect(() => {
    for (const revision of hello?.revisions ?? [])
      void post('list', { ...speaker, revision }).then((answer) =>
        setSeen((before) => ({ ...before, [revision]: answer })),
      );
  }, [hello, server.serving, speaker.token]);
  return html`<h2>What each revision shows</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Table">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">revision</th>
            ${KINDS.map(({ title }) => html`<th scope="col">${title}</th>`)}
            <th scope="col">tokens</th>
          </tr>
        </thead>
        <tbody>
          ${(hello?.revisions ?? []).map((/** @type {string} */ revision) => html`<${RevisionRow} revision=${revision} answer=${seen[revision]} />`)}
        </tbody>
      </table>
    </div>`;
}

/** @param {{ kind: (typeof KINDS)[number], entries: any[] }} props */
function Cost({ kind, entries }) {
  const { counts, about } = useTokens({ entries: entries.map((listed) => ({ kind: kind.kind, listed })) });
  const sizes = entries
    .map((entry, index) => ({ name: entry[kind.key], size: counts[index] ?? 0 }))
    .sort((one, other) => other.size - one.size);
  const [largest] = sizes;
  return html`<tr>
    <th scope="row">${kind.title}</th>
    <td>${entries.length}</td>
    <td>${about}${sumOf(counts)}</td>
    <td>${largest ? `${largest.name} (${largest.size})` : ''}</td>
  </tr>`;
}

/** @param {{ revision: string, answer: any }} props */
function RevisionRow({ revision, answer }) {
  if (!answer)
    return html`<tr>
      <th scope="row">${revision}</th>
      <td colspan="5" class="dim">…</td>
    </tr>`;
  if (answer.problem)
    return html`<tr>
      <th scope="row">${revision}</th>
      <td colspan="5" class="bad">${answer.problem}</td>
    </tr>`;
  return html`<tr>
    <th scope="row">${revision}</th>
    ${KINDS.map(({ list }) => html`<td>${answer.result[list].length}</td>`)}
    <td>
      <${Tokens}
        entries=${KINDS.flatMap(({ kind, list }) => answer.result[list].map((/** @type {any} */ listed) => ({ kind, listed })))}
      />
    </td>
  </tr>`;
}
