/** What a model gets of the lists: how much they cost, which texts say too little, and what each revision shows. */
import { hrefOf, post } from './api.js';
import { KINDS } from './home-screen.js';
import { tokensOf } from './json-view.js';
import { html, useEffect, useState } from './markup.js';
import { useStore } from './store.js';

/** Characters of a description that says something, and of one that is too long. */
const SHORT = 15;
const LONG = 1000;

export function ChecksScreen() {
  const { lists, hello, server, speaker } = useStore();
  const [seen, setSeen] = useState(/** @type {Record<string, any>} */ ({}));
  useEffect(() => {
    for (const revision of hello?.revisions ?? [])
      void post('list', { ...speaker, revision }).then((answer) =>
        setSeen((before) => ({ ...before, [revision]: answer })),
      );
  }, [hello, server.serving, speaker.token]);
  if (!lists) return html`<div class="empty"><p>Waiting for a version …</p></div>`;
  const findings = findingsIn(lists);
  return html`<div class="column">
    <h2>${findings.length === 0 ? 'Every text says something' : `${findings.length} texts to look at`}</h2>
    <ul class="findings">
      ${findings.map(({ place, name, words }) => html`<li><a href=${hrefOf(place)}>${name}</a> ${words}</li>`)}
    </ul>
    <h2>What the lists cost</h2>
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">list</th>
          <th scope="col">entries</th>
          <th scope="col">tokens, about</th>
          <th scope="col">largest</th>
        </tr>
      </thead>
      <tbody>
        ${KINDS.map((kind) => html`<${Cost} kind=${kind} entries=${lists[kind.list]} />`)}
      </tbody>
    </table>
    <h2>What each revision shows</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Table">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">revision</th>
            ${KINDS.map(({ title }) => html`<th scope="col">${title}</th>`)}
            <th scope="col">tokens, about</th>
          </tr>
        </thead>
        <tbody>
          ${(hello?.revisions ?? []).map((/** @type {string} */ revision) => html`<${RevisionRow} revision=${revision} answer=${seen[revision]} />`)}
        </tbody>
      </table>
    </div>
    <p class="dim">
      <code>sigil doctor</code> checks the set-up of the project, and <code>npm test</code> runs its tests.
    </p>
  </div>`;
}

/** @param {{ kind: (typeof KINDS)[number], entries: any[] }} props */
function Cost({ kind, entries }) {
  const sizes = entries
    .map((entry) => ({ name: entry[kind.key], size: tokensOf(JSON.stringify(entry)) }))
    .sort((one, other) => other.size - one.size);
  const [largest] = sizes;
  return html`<tr>
    <th scope="row">${kind.title}</th>
    <td>${entries.length}</td>
    <td>${sizes.reduce((sum, { size }) => sum + size, 0)}</td>
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
    <td>${tokensOf(JSON.stringify(KINDS.map(({ list }) => answer.result[list])))}</td>
  </tr>`;
}

/** @param {any} lists @returns {{ place: string, name: string, words: string }[]} */
function findingsIn(lists) {
  return KINDS.flatMap((kind) => {
    const texts = lists[kind.list].map((/** @type {any} */ one) => one.description ?? '');
    return lists[kind.list].flatMap((/** @type {any} */ entry) => {
      const text = entry.description ?? '';
      const isTwice = text !== '' && texts.filter((/** @type {string} */ other) => other === text).length > 1;
      const words = isTwice ? 'has the same description as another one' : lacking(text);
      const place = `home/${kind.kind}/${encodeURIComponent(entry[kind.key])}`;
      return words === '' ? [] : [{ place, name: entry[kind.key], words }];
    });
  });
}

/** @param {string} text */
function lacking(text) {
  if (text === '') return 'has no description';
  if (/^todo\b/i.test(text)) return 'still has a placeholder for its description';
  if (text.length < SHORT) return 'has a very short description';
  return text.length > LONG ? `has a description of about ${tokensOf(text)} tokens` : '';
}
