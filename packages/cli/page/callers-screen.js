/** Who sees what: one column for each caller, by the lists that the server shows to it. */
import { hrefOf, post } from './api.js';
import { KINDS } from './home-screen.js';
import { html, useEffect, useState } from './markup.js';
import { keepCallers, useStore } from './store.js';

/** The caller without a token. */
const NOBODY = { name: 'without a token', token: '' };

export function CallersScreen() {
  const { callers, server, hello, speaker } = useStore();
  const [seen, setSeen] = useState(/** @type {Record<string, any>} */ ({}));
  const all = [NOBODY, ...callers];
  useEffect(() => {
    for (const { name, token } of all)
      void post('list', { revision: speaker.revision, token }).then((answer) =>
        setSeen((before) => ({ ...before, [name]: answer })),
      );
  }, [callers, server.serving, speaker.revision]);
  if (hello && !hello.address)
    return html`<div class="empty">
      <p>On stdin and stdout there is one caller: who has started the server.</p>
      <p class="dim">Start <code>sigil dev --http</code> to compare callers.</p>
    </div>`;
  const rows = KINDS.flatMap((kind) => keysOf(kind, Object.values(seen)).map((key) => ({ kind, key })));
  return html`<div class="column wide">
    <h2>Who sees what</h2>
    <p class="dim">
      A call may still be refused by a guard that looks at its arguments, or for a scope. Tokens stay in this tab.
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
            ({ kind, key }) =>
              html`<tr>
                <th scope="row"><a href=${hrefOf(`home/${kind.kind}/${encodeURIComponent(key)}`)}>${key}</a></th>
                ${all.map(({ name }) => html`<td><${Cell} answer=${seen[name]} kind=${kind} name=${key} /></td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <${AddCaller} />
  </div>`;
}

/** @param {(typeof KINDS)[number]} kind @param {any[]} answers @returns {string[]} */
function keysOf({ list, key }, answers) {
  return [
    ...new Set(answers.flatMap(({ result }) => (result?.[list] ?? []).map((/** @type {any} */ one) => one[key]))),
  ];
}

/** @param {{ answer: any, kind: (typeof KINDS)[number], name: string }} props */
function Cell({ answer, kind, name }) {
  if (!answer) return html`<span class="dim">…</span>`;
  if (answer.problem) return html`<span class="bad" title=${answer.problem}>refused</span>`;
  const isSeen = answer.result[kind.list].some((/** @type {any} */ one) => one[kind.key] === name);
  return isSeen ? html`<span class="good">sees it</span>` : html`<span class="dim">hidden</span>`;
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
  const [problem, setProblem] = useState('');
  const isIssued = hello?.hasIssuer === true && token === '';
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (name === '' || (token === '' && !isIssued)) return;
    const given = isIssued ? await post('token', { person: name }) : { token: token.trim() };
    setProblem(given.problem ?? '');
    if (given.problem) return;
    keepCallers([...callers.filter((one) => one.name !== name), { name, token: given.token }]);
    setName('');
    setToken('');
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
    <button class="main">${isIssued ? 'Sign in at the issuer' : 'Add a caller'}</button>
    ${problem && html`<span class="problem" role="alert">${problem}</span>`}
  </form>`;
}
