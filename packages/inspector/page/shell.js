/** The frame of all screens: what runs, where one is, who is connected. */
import { hrefOf } from './api.js';
import { BrokenScreen, stageWords } from './broken-screen.js';
import { CallersScreen } from './callers-screen.js';
import { ChecksScreen } from './checks-screen.js';
import { CopyButton } from './copy-as.js';
import { GoTo } from './go-to.js';
import { HomeScreen } from './home-screen.js';
import { html, useEffect, useRef, useState } from './markup.js';
import { QuestionsScreen } from './questions-screen.js';
import { useStore } from './store.js';
import { TrafficScreen } from './traffic-screen.js';

/** The screens: path, title, component, and what is counted beside the title. */
const SCREENS = [
  { path: 'home', title: 'Home', screen: HomeScreen },
  { path: 'traffic', title: 'Traffic', screen: TrafficScreen },
  { path: 'broken', title: 'Broken', screen: BrokenScreen },
  { path: 'callers', title: 'Callers', screen: CallersScreen },
  { path: 'questions', title: 'Questions', screen: QuestionsScreen },
  { path: 'checks', title: 'Checks', screen: ChecksScreen },
];

/** The whole page. */
export function Shell() {
  const store = useStore();
  const [isGoing, setGoing] = useState(false);
  const main = useRef(null);
  const [place] = store.path.split('/');
  const { screen: Screen = HomeScreen, title = 'Home' } = SCREENS.find(({ path }) => path === place) ?? {};
  useKeys(setGoing);
  useEffect(() => {
    document.title = `${title} · ${store.lists?.info?.name ?? 'sigil dev'}`;
  });
  if (store.connection === 'refused') return html`<${Refused} />`;
  return html`
    <a class="skip" href="#main" onClick=${(/** @type {Event} */ event) => skip(event, main.current)}
      >Skip to the content</a
    >
    <${Header} onGo=${() => setGoing(true)} />
    <nav class="tabs" aria-label="Screens">
      ${SCREENS.map(
        ({ path, title: name }) =>
          html`<a href=${hrefOf(path)} aria-current=${path === place ? 'page' : undefined}
            >${name}<${Count} of=${path}
          /></a>`,
      )}
    </nav>
    <${Banner} place=${place} />
    <main id="main" ref=${main} tabindex="-1">
      <h1 class="hidden">${title}</h1>
      <${Screen} />
    </main>
    <${Footer} />
    ${isGoing && html`<${GoTo} screens=${SCREENS} onClose=${() => setGoing(false)} />`}
  `;
}

/** @param {{ onGo: () => void }} props */
function Header({ onGo }) {
  const { server, connection, lists, hello } = useStore();
  const { name = 'sigil dev', version = '' } = lists?.info ?? {};
  const phase = connection === 'open' ? server.phase : connection;
  return html`<header class="top">
    <span class="brand"
      ><img src="/__sigil/icon.svg" alt="" width="22" height="22" />${name} <small>${version}</small></span
    >
    ${
      hello?.address
        ? html`<code class="address">${hello.address}</code
            ><${CopyButton} text=${hello.address} label="Copy the address" short />`
        : hello && html`<code class="address">stdin and stdout</code>`
    }
    <span class="grow"></span>
    <span class=${`phase ${phase}`} role="status">${phaseWords(phase, server)}</span>
    <button class="quiet go" type="button" onClick=${onGo}>Go to <kbd>Ctrl K</kbd></button>
  </header>`;
}

/** @param {string} phase @param {any} server */
function phaseWords(phase, server) {
  if (phase === 'ready') return `version ${server.serving} ready`;
  if (phase === 'broken') return server.serving ? `broken, version ${server.serving} serves` : 'broken';
  return { building: 'building', opening: 'connecting', lost: 'disconnected' }[phase] ?? phase;
}

/** @param {{ of: string }} props */
function Count({ of }) {
  const { server, errors, questions, traffic } = useStore();
  const count = {
    traffic: traffic.rows.length,
    broken: server.problems.length + errors.length,
    questions: questions.length,
  }[of];
  if (!count) return null;
  const isUrgent = (of === 'broken' && server.problems.length > 0) || of === 'questions';
  return html` <span class=${isUrgent ? 'count urgent' : 'count'}
    >${count > 999 ? `${Math.floor(count / 1000)}k` : count}</span
  >`;
}

/** What a person should know wherever they are. @param {{ place: string }} props */
function Banner({ place }) {
  const { server, questions } = useStore();
  if (server.phase === 'broken' && place !== 'broken')
    return html`<a class="banner bad" href=${hrefOf('broken')} role="alert">
      <strong>${stageWords(server.stage)}</strong> ${server.problems[0]?.message ?? server.headline}
      <span class="more">Show</span>
    </a>`;
  const [question] = questions;
  if (question && place !== 'questions')
    return html`<a class="banner" href=${hrefOf('questions')} role="alert">
      <strong>The server asks:</strong> ${question.params.message ?? question.method} <span class="more">Answer</span>
    </a>`;
  return null;
}

function Footer() {
  const { traffic } = useStore();
  const clients = [...traffic.clients.values()].sort((one, other) => other.last - one.last);
  const versions = traffic.rows.filter(({ kind, status }) => kind === 'mark' && status === 'ok').length;
  return html`<footer>
    <span>${clients.length === 1 ? '1 client' : `${clients.length} clients`}${clients.length > 0 && ':'}</span>
    ${clients.slice(0, 5).map(({ client, revision }) => html`<span class="client">${client} <small>${revision}</small></span>`)}
    <span class="grow"></span>
    ${versions > 1 && html`<span>rebuilt ${versions - 1} times</span>`}
  </footer>`;
}

function Refused() {
  return html`<main class="center">
    <h1>This URL has no valid key</h1>
    <p>Each start of <code>sigil dev</code> has a new key. Open the URL that it prints on its first line.</p>
  </main>`;
}

/** @param {Event} event @param {HTMLElement | null} main */
function skip(event, main) {
  event.preventDefault();
  main?.focus();
}

/** @param {(isGoing: boolean) => void} setGoing */
function useKeys(setGoing) {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(/** @type {Element} */ (event.target).tagName);
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        return setGoing(true);
      }
      if (event.key !== '/' || isTyping) return;
      const filter = document.querySelector('[data-filter]');
      if (filter instanceof HTMLElement) {
        event.preventDefault();
        filter.focus();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
