/** What a model sees of the server: its tools, resources, templates and prompts, each with a form to try it. */
import { hrefOf } from './api.js';
import { EntryScreen } from './entry-screen.js';
import { isLike } from './go-to.js';
import { shownTime } from './json-view.js';
import { html, useState } from './markup.js';
import { useOpenKey } from './open-in-editor.js';
import { refresh, useStore } from './store.js';
import { TaskList } from './task-view.js';

/** Entries of a kind that are drawn before somebody asks for more. */
const FIRST = 150;

/**
 * The kinds of entries: the list, the path, the member that identifies one, the method that runs it.
 * @type {{ list: 'tools' | 'resources' | 'templates' | 'prompts', kind: string, title: string, key: string, method: string }[]}
 */
export const KINDS = [
  { list: 'tools', kind: 'tool', title: 'Tools', key: 'name', method: 'tools/call' },
  { list: 'resources', kind: 'resource', title: 'Resources', key: 'uri', method: 'resources/read' },
  { list: 'templates', kind: 'template', title: 'Templates', key: 'uriTemplate', method: 'resources/read' },
  { list: 'prompts', kind: 'prompt', title: 'Prompts', key: 'name', method: 'prompts/get' },
];

/** What the last version did to an entry. @type {Record<string, string>} */
const FRESH = { '+': 'new', '~': 'changed' };

export function HomeScreen() {
  const store = useStore();
  const [text, setText] = useState('');
  const [, kind = '', encoded = ''] = store.path.split('/');
  const key = safeDecode(encoded);
  useOpenKey();
  const { lists, listProblem } = store;
  const kindOf = KINDS.find((one) => one.kind === kind);
  const entry = kindOf && lists?.[kindOf.list].find((one) => one[kindOf.key] === key);
  if (!lists) return html`<${Waiting} problem=${listProblem} />`;
  return html`<div class=${entry ? 'split home chosen' : 'split home'}>
    <section class="pane list" aria-label="Entries">
      <div class="tools">
        <input
          type="search"
          data-filter
          placeholder="Filter  /"
          aria-label="Filter"
          value=${text}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)}
        />
        <span class="grow"></span>
        <button type="button" class="quiet" onClick=${refresh}>Read again</button>
      </div>
      ${listProblem && html`<p class="problem" role="alert">${listProblem}</p>`}
      <div class="entries" onKeyDown=${move}>
        ${KINDS.map((one) => html`<${Entries} kind=${one} entries=${lists[one.list]} text=${text} chosen=${kind === one.kind ? key : ''} />`)}
      </div>
    </section>
    ${
      entry && kindOf
        ? html`<section class="pane detail" aria-label=${kindOf.kind} key=${`${kind} ${key}`}>
            <${EntryScreen} kind=${kindOf} entry=${entry} />
          </section>`
        : html`<section class="pane detail about" aria-label="About"><${About} lists=${lists} /></section>`
    }
  </div>`;
}

/** @param {string} text */
function safeDecode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {{ problem: string | undefined }} props */
function Waiting({ problem }) {
  const { server } = useStore();
  if (problem)
    return html`<div class="empty">
      <p class="problem" role="alert">${problem}</p>
      <button type="button" class="main" onClick=${refresh}>Try again</button>
    </div>`;
  return html`<div class="empty">
    <p>
      ${server.phase === 'broken' ? html`No version runs. <a href=${hrefOf('broken')}>Show why</a>` : 'Waiting for the first version …'}
    </p>
  </div>`;
}

/** @param {{ kind: (typeof KINDS)[number], entries: any[], text: string, chosen: string }} props */
function Entries({ kind, entries, text, chosen }) {
  const { traffic, fresh } = useStore();
  const [isWhole, setWhole] = useState(false);
  if (entries.length === 0) return null;
  const found =
    text === '' ? entries : entries.filter((entry) => isLike(`${entry[kind.key]} ${entry.title ?? ''}`, text));
  const shown = isWhole ? found : found.slice(0, FIRST);
  return html`<h2>
      <span>${kind.title} <small>${entries.length}</small></span
      ><span class="grow"></span> <span class="stat">calls</span><span class="stat">p50</span
      ><span class="stat">err</span>
    </h2>
    <ul>
      ${shown.map((entry) => {
        const key = entry[kind.key];
        const { calls, errors, median } = traffic.statsOf(`${kind.method} ${key}`);
        return html`<li key=${key}>
          <a
            href=${hrefOf(`home/${kind.kind}/${encodeURIComponent(key)}`)}
            aria-current=${key === chosen ? 'true' : undefined}
          >
            <span class="cut">${key}</span>
            ${FRESH[fresh.get(key) ?? ''] && html`<span class="tag new">${FRESH[fresh.get(key) ?? '']}</span>`}
            <span class="grow"></span>
            <small class="stat" title="calls">${calls > 0 && `${calls}×`}</small
            ><small class="stat" title="half of the calls took less">${calls > 0 && shownTime(median)}</small
            ><small class="stat bad" title="errors">${errors > 0 && `${errors} !`}</small>
          </a>
        </li>`;
      })}
    </ul>
    ${found.length > shown.length && html`<button type="button" class="quiet" onClick=${() => setWhole(true)}>Show all ${found.length}</button>`}`;
}

/** @param {KeyboardEvent} event */
function move(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
  if (step === 0) return;
  event.preventDefault();
  const links = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('a')];
  const at = links.indexOf(/** @type {any} */ (document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}

/** @param {{ lists: import('./store.js').Lists }} props */
function About({ lists }) {
  const { hello, revision } = useStore();
  return html`<div>
    <h2>${lists.info?.title ?? lists.info?.name ?? 'This server'} <small>${lists.info?.version}</small></h2>
    <p>
      ${KINDS.map(({ list, title }) => html`<span class="fact">${counted(lists[list].length, title)}</span> `)} as a
      model sees them in ${revision}.
    </p>
    ${
      lists.instructions
        ? html`<h3>Instructions for the model</h3>
            <pre class="text">${lists.instructions}</pre>`
        : html`<p class="dim">It gives models no instructions.</p>`
    }
    ${
      hello?.address &&
      html`<h3>Connect a client</h3>
        <pre>claude mcp add --transport http ${lists.info?.name ?? 'server'} ${hello.address}</pre>`
    }
    <${TaskList} />
    <p class="dim">
      Choose an entry to call it. <kbd>/</kbd> filters, <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Ctrl K</kbd> goes
      everywhere.
    </p>
  </div>`;
}

/** @param {number} count @param {string} title in the plural */
function counted(count, title) {
  const word = title.toLowerCase();
  return `${count} ${count === 1 ? word.slice(0, -1) : word}`;
}
