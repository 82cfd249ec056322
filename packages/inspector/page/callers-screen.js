/** Who sees and runs what, and what decides it: one column for each caller, as the guards and scopes of the server judge it. */
import { hrefOf, post } from './api.js';
import { html, useEffect, useState } from './markup.js';
import { Place, useOpenKey } from './open-in-editor.js';
import { keepCallers, useStore } from './store.js';

/** The caller without a token. */
const NOBODY = { name: 'without a token', token: '' };

/** The only caller of a server on a pipe. */
const LOCAL = { name: 'you, on stdin and stdout', token: '' };

/** The kinds of entries, as the server names them. */
const KIND_OF = /** @type {Record<string, string>} */ ({ 'resource-template': 'template' });

export function CallersScreen() {
  const { callers, server, hello } = useStore();
  const [judged, setJudged] = useState(/** @type {Record<string, any>} */ ({}));
  const [chosen, setChosen] = useState({ caller: '', key: '' });
  const isPipe = hello !== undefined && !hello.address;
  const all = isPipe ? [LOCAL] : [NOBODY, ...callers];
  useOpenKey();
  useEffect(() => {
    for (const { name, token } of all)
      void post('judge', { token }).then((answer) => setJudged((before) => ({ ...before, [name]: answer })));
  }, [callers, server.serving, isPipe]);
  const rows = entriesOf(all.map(({ name }) => judged[name]));
  const choose = (/** @type {string} */ caller, /** @type {string} */ key) =>
    setChosen(chosen.caller === caller && chosen.key === key ? { caller: '', key: '' } : { caller, key });
  return html`<div class="column wide">
    <h2>Who sees and runs what</h2>
    <p class="dim">
      The server asks its guards and compares scopes; no handler runs. Choose a cell to see what decided. Tokens stay in
      this tab.
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Table">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">entry</th>
            ${all.map((caller) => html`<th scope="col">${caller.name} <${Forget} caller=${caller} /></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ kind, key, id }) =>
              html`<tr key=${id}>
                <th scope="row">
                  <a href=${hrefOf(`home/${KIND_OF[kind] ?? kind}/${encodeURIComponent(key)}`)}>${key}</a>
                </th>
                ${all.map(
                  ({ name }) =>
                    html`<td>
                      <${Cell}
                        answer=${judged[name]}
                        id=${id}
                        label=${`${key}, ${name}`}
                        isChosen=${chosen.caller === name && chosen.key === id}
                        onChoose=${() => choose(name, id)}
                      />
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <div aria-live="polite">
      <${Decision} answer=${judged[chosen.caller]} caller=${chosen.caller} id=${chosen.key} />
    </div>
    ${isPipe ? html`<p class="dim">Start <code>sigil dev --http</code> to compare callers.</p>` : html`<${AddCaller} />`}
  </div>`;
}

/** Every entry that the server has judged for one of the callers. @param {any[]} answers */
function entriesOf(answers) {
  const entries = answers.flatMap((answer) => answer?.entries ?? []);
  return [...new Map(entries.map(({ kind, key }) => [`${kind} ${key}`, { kind, key, id: `${kind} ${key}` }])).values()];
}

/** @param {any} answer @param {string} id @returns {any} */
function judgedIn(answer, id) {
  return answer?.entries?.find((/** @type {any} */ { kind, key }) => `${kind} ${key}` === id);
}

/** @param {{ answer: any, id: string, label: string, isChosen: boolean, onChoose: () => void }} props */
function Cell({ answer, id, label, isChosen, onChoose }) {
  if (!answer) return html`<span class="dim">…</span>`;
  const judged = judgedIn(answer, id);
  if (!judged && !answer.problem) return html`<span class="dim">not there</span>`;
  const [words, look] = judged
    ? shortWords(judged)
    : [/\b401\b|needs a token/.test(answer.problem) ? '401' : 'refused', 'bad'];
  return html`<button
    type="button"
    class=${`quiet ${look}`}
    aria-pressed=${isChosen}
    aria-label=${`${words}: ${label}`}
    onClick=${onChoose}
  >
    ${words}
  </button>`;
}

/** @param {any} judged @returns {[string, string]} what a cell says, and how it looks */
function shortWords({ call, isListed, missing }) {
  if (call === 'allowed') return isListed ? ['run', 'good'] : ['run, not listed', 'good'];
  if (call === 'scopes') return [`403 ${missing.join(' ')}${isListed ? '' : ', hidden'}`, 'warn'];
  const words = /** @type {Record<string, [string, string]>} */ ({
    hidden: ['hidden', 'dim'],
    token: ['401', 'bad'],
    denied: ['refused', 'bad'],
  });
  return words[call] ?? ['guard failed', 'bad'];
}

/** What decided about a cell. @param {{ answer: any, caller: string, id: string }} props */
function Decision({ answer, caller, id }) {
  if (id === '' || !answer) return null;
  const judged = judgedIn(answer, id);
  const { key = id.replace(/^\S+ /, '') } = judged ?? {};
  const { kind, id: name, scopes = [], roles = [] } = answer.caller ?? {};
  return html`<section class="card decision" aria-label="What decided">
    <h2>${key}: ${caller}</h2>
    ${
      judged
        ? html`<p><strong>In lists:</strong> ${listWords(judged)}</p>
            <p><strong>A call:</strong> ${callWords(judged)}</p>
            ${judged.guardPlace && html`<p>The guard: <${Place} place=${judged.guardPlace} hasKey=${!judged.ruledBy} /></p>`}
            ${judged.ruledBy && html`<p>Given to the entry here: <${Place} place=${judged.ruledBy} hasKey /></p>`}
            ${!judged.ruledBy && judged.place && html`<p>The entry: <${Place} place=${judged.place} hasKey=${!judged.guardPlace} /></p>`}
            <p class="dim">
              ${`For the server, the caller is ${kind} ${name}, with ${listed('scopes', scopes)} and ${listed('roles', roles)}.`}
            </p>`
        : html`<p class="problem">${answer.problem}</p>`
    }
  </section>`;
}

/** @param {any} judged */
function listWords({ isListed, call, guard, missing }) {
  if (isListed && call === 'scopes') return 'shown, so that the caller can ask for the scopes that it lacks.';
  if (isListed) return 'shown.';
  if (guard) return html`hidden, because the guard <code>${guard}</code> does not let this caller through.`;
  if (call === 'scopes') return `hidden, because ${missing.join(' ')} is missing, and the scopes say listed: false.`;
  return call === 'token' ? 'hidden from callers without a token.' : 'hidden from all, because it is not listed.';
}

/** @param {any} judged */
function callWords({ call, guard, message, missing, guards, asksLater }) {
  const name = html`the guard <code>${guard}</code>`;
  const scopes = html`<code>${missing.join(' ')}</code>`;
  switch (call) {
    case 'allowed':
      return asksLater.length > 0
        ? html`runs, unless <code>${asksLater.join(', ')}</code> refuses it: that looks at each call.`
        : `runs: ${guards.length === 0 ? 'no guard looks at it' : `${guards.join(', ')} let it through`}.`;
    case 'scopes':
      return html`403, because ${missing.length === 1 ? 'a scope is missing' : 'scopes are missing'}: ${scopes}.`;
    case 'hidden':
      return html`answered as if it did not exist, by ${name}.`;
    case 'denied':
      return html`refused by ${name}: “${message}”`;
    case 'token':
      return '401: only public entries can be called without a token.';
    default:
      return html`fails, because ${name} has thrown: ${message}`;
  }
}

/** @param {string} word @param {string[]} names */
function listed(word, names) {
  return names.length === 0 ? `no ${word}` : `the ${word} ${names.join(' ')}`;
}

/** @param {{ caller: { name: string, token: string } }} props */
function Forget({ caller }) {
  const { callers } = useStore();
  if (caller.token === '') return null;
  return html`<button
    type="button"
    class="quiet tiny"
    aria-label=${`Forget ${caller.name}`}
    onClick=${() => keepCallers(callers.filter(({ name }) => name !== caller.name))}
  >
    ×
  </button>`;
}

function AddCaller() {
  const { callers, hello } = useStore();
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const [rights, setRights] = useState({ scopes: '', roles: '' });
  const [problem, setProblem] = useState('');
  const isIssued = hello?.hasIssuer === true && token === '';
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (name === '' || (token === '' && !isIssued)) return;
    const given = isIssued ? await post('token', { person: name, ...rights }) : { token: token.trim() };
    setProblem(given.problem ?? '');
    if (given.problem) return;
    keepCallers([...callers.filter((one) => one.name !== name), { name, token: given.token }]);
    setName('');
    setToken('');
    setRights({ scopes: '', roles: '' });
  };
  return html`<form class="run" onSubmit=${add}>
    <label>name <input value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></label>
    <label
      >token
      <input
        type="password"
        autocomplete="off"
        value=${token}
        onInput=${(/** @type {any} */ event) => setToken(event.target.value)}
    /></label>
    ${
      isIssued &&
      ['scopes', 'roles'].map(
        (of) =>
          html`<label
            >${of}
            <input
              placeholder="as known"
              value=${/** @type {any} */ (rights)[of]}
              onInput=${(/** @type {any} */ event) => setRights({ ...rights, [of]: event.target.value })}
          /></label>`,
      )
    }
    <button class="main">${isIssued ? 'Sign in at the issuer' : 'Add a caller'}</button>
    ${problem && html`<span class="problem" role="alert">${problem}</span>`}
  </form>`;
}
