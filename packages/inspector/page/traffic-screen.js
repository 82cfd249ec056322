/** Every message of the clients, as a list that shows a window of itself. */
import { hrefOf, post } from './api.js';
import { ExchangeDetail } from './exchange-detail.js';
import { shownClock, shownTime } from './json-view.js';
import { html, useEffect, useMemo, useRef, useState } from './markup.js';
import { changed, useStore } from './store.js';
import { STATUS } from './message-words.js';

/** The height of a row in pixels, as in page.css. */
const ROW = 34;
/** Rows that are drawn above and below what is seen. */
const MORE = 12;

/** @typedef {import('./traffic-row.js').Row} Row */

export function TrafficScreen() {
  const store = useStore();
  const [filter, setFilter] = useState({ text: '', client: '', errors: false, hidden: false });
  /** What is shown while the list is paused. */
  const frozen = useRef(/** @type {Row[] | undefined} */ (undefined));
  const { rows } = store.traffic;
  if (!store.isPaused) frozen.current = undefined;
  else frozen.current ??= [...rows];
  const source = frozen.current ?? rows;
  // The rows are one array that grows.
  const shown = useMemo(
    () => source.filter((row) => isShown(row, filter)),
    [source, source.length, store.traffic.count, filter],
  );
  const [, key] = store.path.split('/');
  const chosen = rows.find((row) => row.key === key);
  return html`<div class=${chosen ? 'split chosen' : 'split'}>
    <section class="pane list" aria-label="Messages">
      <${Tools} filter=${filter} setFilter=${setFilter} shown=${shown} />
      ${shown.length === 0 ? html`<${Nothing} isEmpty=${rows.length === 0} />` : html`<${Window} rows=${shown} chosen=${key} />`}
    </section>
    ${chosen && html`<section class="pane detail" aria-label="Message" key=${key}><${ExchangeDetail} row=${chosen} /></section>`}
  </div>`;
}

/** @param {Row} row @param {{ text: string, client: string, errors: boolean, hidden: boolean }} filter */
function isShown(row, { text, client, errors, hidden }) {
  if (row.kind === 'mark' || row.kind === 'lost') return text === '' && client === '';
  if (client !== '' && row.client !== client) return false;
  if (errors && row.status !== 'error' && row.status !== 'failed') return false;
  // Lists and openings are what clients send all the time.
  if (hidden && /^(ping|initialize|server\/discover|notifications\/initialized|.+\/list)$/.test(row.method))
    return false;
  return text === '' || `${row.method} ${row.name} ${row.words}`.toLowerCase().includes(text.toLowerCase());
}

/** @param {{ filter: any, setFilter: (filter: any) => void, shown: Row[] }} props */
function Tools({ filter, setFilter, shown }) {
  const store = useStore();
  const clients = [...new Set([...store.traffic.clients.values()].map(({ client }) => client))];
  const set = (/** @type {string} */ name) => (/** @type {any} */ event) =>
    setFilter({ ...filter, [name]: event.target.type === 'checkbox' ? event.target.checked : event.target.value });
  const pause = () => {
    store.isPaused = !store.isPaused;
    changed();
  };
  const clear = () => {
    store.traffic.clear();
    void post('clear', {});
    changed();
  };
  return html`<div class="tools">
    <input
      type="search"
      data-filter
      placeholder="Filter  /"
      aria-label="Filter"
      value=${filter.text}
      onInput=${set('text')}
    />
    <select aria-label="Client" value=${filter.client} onChange=${set('client')}>
      <option value="">all clients</option>
      ${clients.map((client) => html`<option value=${client}>${client}</option>`)}
    </select>
    <label><input type="checkbox" checked=${filter.errors} onChange=${set('errors')} />only errors</label>
    <label><input type="checkbox" checked=${filter.hidden} onChange=${set('hidden')} />only calls</label>
    <span class="grow"></span>
    <button type="button" class="quiet" aria-pressed=${store.isPaused} onClick=${pause}>
      ${store.isPaused ? 'Go on' : 'Pause'}
    </button>
    <button type="button" class="quiet" onClick=${() => save(shown)}>Save .jsonl</button>
    <button type="button" class="quiet" onClick=${clear}>Clear</button>
  </div>`;
}

/** @param {{ isEmpty: boolean }} props */
function Nothing({ isEmpty }) {
  return html`<div class="empty">
    ${
      isEmpty
        ? html`<p>No message yet.</p>
            <p>Connect a client to this server, or call a tool under <a href=${hrefOf('home')}>Home</a>.</p>`
        : html`<p>No message passes the filter.</p>`
    }
  </div>`;
}

/** The part of the list that is seen; it follows the end while the end is in sight. @param {{ rows: Row[], chosen: string | undefined }} props */
function Window({ rows, chosen }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const [view, setView] = useState({ top: 0, height: 800 });
  const isFollowing = useRef(true);
  const look = () => {
    const { scrollTop, clientHeight, scrollHeight } = element.current ?? {
      scrollTop: 0,
      clientHeight: 0,
      scrollHeight: 0,
    };
    isFollowing.current = scrollTop + clientHeight >= scrollHeight - ROW;
    setView({ top: scrollTop, height: clientHeight });
  };
  useEffect(() => {
    look();
    isFollowing.current = true;
    const watch = new ResizeObserver(look);
    if (element.current) watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (isFollowing.current && element.current) element.current.scrollTop = element.current.scrollHeight;
  }, [rows.length]);
  const first = Math.max(0, Math.floor(view.top / ROW) - MORE);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + MORE);
  return html`<div
    class="window"
    ref=${element}
    onScroll=${look}
    onKeyDown=${(/** @type {KeyboardEvent} */ event) => move(event, rows, chosen)}
  >
    <ol style=${{ height: `${rows.length * ROW}px` }}>
      ${rows.slice(first, last).map((row, index) => html`<${Line} key=${row.key} row=${row} top=${(first + index) * ROW} isChosen=${row.key === chosen} />`)}
    </ol>
  </div>`;
}

/** @param {{ row: Row, top: number, isChosen: boolean }} props */
function Line({ row, top, isChosen }) {
  const style = { transform: `translateY(${top}px)` };
  if (row.kind === 'mark' || row.kind === 'lost')
    return html`<li class=${`row mark ${row.kind === 'lost' ? 'error' : row.status}`} style=${style}>
      <time>${shownClock(row.at)}</time><span class="cut">${row.words}</span>
    </li>`;
  return html`<li style=${style} class="row">
    <a href=${hrefOf(`traffic/${row.key}`)} class=${`line ${row.status}`} aria-current=${isChosen ? 'true' : undefined}>
      <time>${shownClock(row.at)}</time>
      <span class="who cut">${row.from === 'client' ? row.client : `server → ${row.client}`}</span>
      <span class="what cut">${row.method}${row.name && html` <b>${row.name}</b>`}</span>
      <span class="took">${row.status === 'pending' ? '…' : shownTime(row.took)}</span>
      <span class=${`status ${row.status}`}>${STATUS[row.status]}</span>
      <span class="words cut">${row.words}</span>
    </a>
  </li>`;
}

/** @param {KeyboardEvent} event @param {Row[]} rows @param {string | undefined} chosen */
function move(event, rows, chosen) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
  if (step === 0) return;
  event.preventDefault();
  const lines = rows.filter(({ kind }) => kind !== 'mark' && kind !== 'lost');
  const at = lines.findIndex(({ key }) => key === chosen);
  const next = lines[Math.min(lines.length - 1, Math.max(0, at + step))];
  if (next) location.hash = hrefOf(`traffic/${next.key}`);
}

/** @param {Row[]} rows */
function save(rows) {
  const lines = rows.flatMap(({ passed, client, revision }) =>
    passed.map(({ at, from, text }) =>
      JSON.stringify({ at: new Date(at).toISOString(), from, client, revision, text }),
    ),
  );
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([lines.map((line) => `${line}\n`).join('')], { type: 'application/jsonl' }));
  link.download = 'traffic.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}
