/** What is wrong, with its source: mistakes that keep a version from running, and errors that handlers have thrown. */
import { hrefOf } from './api.js';
import { CopyButton } from './copy-as.js';
import { shownClock } from './json-view.js';
import { html, useState } from './markup.js';
import { chosenEditor, EDITORS, OpenLink, useOpenKey } from './open-in-editor.js';
import { useStore } from './store.js';

export function BrokenScreen() {
  const { server, errors } = useStore();
  const [editor, setEditor] = useState(chosenEditor());
  const isBroken = server.problems.length > 0;
  useOpenKey();
  const choose = (/** @type {any} */ event) => {
    localStorage.setItem('editor', event.target.value);
    setEditor(event.target.value);
  };
  return html`<div class="column">
    <div class="tools">
      <h2>${isBroken ? stageWords(server.stage) : 'Nothing keeps the server from running'}</h2>
      <span class="grow"></span>
      <label
        >opens in
        <select value=${editor} onChange=${choose}>
          ${Object.entries(EDITORS).map(([id, { title }]) => html`<option value=${id}>${title}</option>`)}
        </select></label
      >
    </div>
    ${isBroken && html`<p>${goesOn(server)}</p>`}
    <div aria-live="polite">
      ${server.problems.map((/** @type {any} */ problem, /** @type {number} */ index) => html`<${Problem} problem=${problem} editor=${editor} isFirst=${index === 0} />`)}
    </div>
    ${
      errors.length > 0 &&
      html`<h2>Errors of handlers</h2>
        <p>Clients have received a masked message; this is the error itself.</p>`
    }
    ${errors.map((error, index) => html`<${HandlerError} error=${error} editor=${editor} isFirst=${!isBroken && index === 0} />`)}
  </div>`;
}

/** What a failure of a stage is called. @param {string | undefined} stage */
export function stageWords(stage) {
  return (
    { compile: 'It does not compile.', start: 'It does not start.', run: 'It has ended.' }[stage ?? ''] ??
    'It is broken.'
  );
}

/** @param {any} server */
function goesOn({ serving, phase }) {
  if (phase === 'building') return 'A change is being compiled.';
  return serving === undefined
    ? 'No version runs: clients receive this error. Save a change to try again.'
    : `Version ${serving} goes on for your clients. Save a change to try again.`;
}

/** @param {{ problem: any, editor: import('./open-in-editor.js').Editor, isFirst: boolean, children?: any }} props */
function Problem({ problem, editor, isFirst, children }) {
  const { message, code, place, rest } = problem;
  return html`<article class="card bad">
    <div class="card-head">
      ${place && html`<code class="cut">${place.shown}:${place.line}:${place.column}</code>`}
      <span class="grow"></span>
      ${place && html`<${OpenLink} place=${place} editor=${editor} hasKey=${isFirst} />`}
      <${CopyButton} text=${() => promptFor(problem)} label="Copy for an assistant" />
    </div>
    <p class="message">${message} ${code && html`<small>${code}</small>`}</p>
    ${place && html`<${Excerpt} place=${place} />`}
    ${rest.map((/** @type {string} */ line) => html`<p class=${/^\s*at /.test(line) ? 'frame' : 'fix'}>${line}</p>`)}
    ${children}
  </article>`;
}

/** @param {{ place: any }} props */
function Excerpt({ place }) {
  return html`<pre class="excerpt" tabindex="0" role="group" aria-label="Source">
${place.lines.map((/** @type {string} */ text, /** @type {number} */ index) => {
      const number = place.first + index;
      const isIt = number === place.line;
      const start = place.column - 1;
      return html`<span class=${isIt ? 'it' : ''}
        ><i>${String(number).padStart(5)}</i> ${
          isIt
            ? html`${text.slice(0, start)}<mark>${text.slice(start, start + place.length) || ' '}</mark>${text.slice(start + place.length)}`
            : text
        }${'\n'}</span
      >`;
    })}</pre>`;
}

/** @param {{ error: any, editor: import('./open-in-editor.js').Editor, isFirst: boolean }} props */
function HandlerError({ error, editor, isFirst }) {
  const { traffic } = useStore();
  const row = traffic.rows.findLast(({ words }) => words.includes(error.errorId));
  return html`<${Problem} problem=${error.problem} editor=${editor} isFirst=${isFirst}>
    <p class="facts">
      <span>${shownClock(error.at)}</span><span>${error.method} ${error.entry}</span>
      ${row?.params?.arguments && html`<code class="cut">${JSON.stringify(row.params.arguments)}</code>`}
      ${row && html`<a href=${hrefOf(`traffic/${row.key}`)}>Show the call</a>`}
    </p>
  <//>`;
}

/** A problem as a question to an assistant. @param {any} problem */
function promptFor({ message, code, place, rest }) {
  const source = place ? [`In ${place.shown}, line ${place.line}:`, '', '```ts', ...place.lines, '```', ''] : [];
  return [
    `My MCP server, which uses @sigil-mcp/core, has this error: ${message}${code ? ` [${code}]` : ''}`,
    '',
    ...source,
    ...rest,
    'Fix the cause, and change nothing else.',
  ].join('\n');
}
