/** One field from which each place of the page is a few keys away. */
import { hrefOf } from './api.js';
import { html, useState } from './markup.js';
import { useStore } from './store.js';

/** Places that are shown at once. */
const SHOWN = 12;

/** @param {{ screens: { path: string, title: string }[], onClose: () => void }} props */
export function GoTo({ screens, onClose }) {
  const { lists } = useStore();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const all = placesOf(screens, lists);
  const found = all.filter(({ title }) => isLike(title, text)).slice(0, SHOWN);
  const go = (/** @type {number} */ index) => {
    const place = found[index];
    if (place) location.hash = hrefOf(place.path);
    onClose();
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(at);
    }
  };
  const type = (/** @type {any} */ event) => {
    setText(event.target.value);
    setAt(0);
  };
  return html`<dialog class="go-to" ref=${showAtOnce} onClose=${onClose} aria-label="Go to">
    <input
      type="search"
      role="combobox"
      aria-expanded="true"
      aria-controls="places"
      aria-activedescendant=${found.length > 0 ? `place-${at}` : undefined}
      aria-label="A screen, a tool, a resource or a prompt"
      placeholder="Go to a screen, a tool, a resource, a prompt"
      value=${text}
      onInput=${type}
      onKeyDown=${press}
      autofocus
    />
    <ul id="places" role="listbox" aria-label="Places">
      ${found.map(
        ({ title, kind }, index) =>
          html`<li id=${`place-${index}`} role="option" aria-selected=${index === at} onClick=${() => go(index)}>
            <span class="cut">${title}</span><small>${kind}</small>
          </li>`,
      )}
    </ul>
  </dialog>`;
}

/** Whether a name has all letters of a text, in their order. @param {string} name @param {string} text */
export function isLike(name, text) {
  const letters = [...text.toLowerCase().replace(/\s+/g, '')];
  let rest = name.toLowerCase();
  return letters.every((letter) => {
    const at = rest.indexOf(letter);
    rest = rest.slice(at + 1);
    return at >= 0;
  });
}

/** Before anybody can press another key. @param {HTMLDialogElement | null} dialog */
function showAtOnce(dialog) {
  if (dialog && !dialog.open) dialog.showModal();
}

/** Every place of the page. @param {{ path: string, title: string }[]} screens @param {any} lists */
function placesOf(screens, lists) {
  return [
    ...screens.map(({ path, title }) => ({ path, title, kind: 'screen' })),
    ...(lists?.tools ?? []).map((/** @type {any} */ { name }) => ({
      path: `home/tool/${encodeURIComponent(name)}`,
      title: name,
      kind: 'tool',
    })),
    ...(lists?.prompts ?? []).map((/** @type {any} */ { name }) => ({
      path: `home/prompt/${encodeURIComponent(name)}`,
      title: name,
      kind: 'prompt',
    })),
    ...(lists?.resources ?? []).map((/** @type {any} */ { uri }) => ({
      path: `home/resource/${encodeURIComponent(uri)}`,
      title: uri,
      kind: 'resource',
    })),
    ...(lists?.templates ?? []).map((/** @type {any} */ { uriTemplate: uri }) => ({
      path: `home/template/${encodeURIComponent(uri)}`,
      title: uri,
      kind: 'template',
    })),
  ];
}
