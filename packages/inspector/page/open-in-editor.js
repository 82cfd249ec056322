/** Links that open a position of the sources in an editor, with a click or with one key. */
import { html, useEffect } from './markup.js';

/** Editors that open a file by a link. */
export const EDITORS = {
  vscode: { title: 'VS Code', link: (/** @type {string} */ place) => `vscode://file${place}` },
  cursor: { title: 'Cursor', link: (/** @type {string} */ place) => `cursor://file${place}` },
  zed: { title: 'Zed', link: (/** @type {string} */ place) => `zed://file${place}` },
  idea: { title: 'IntelliJ', link: ideaLink },
};

/** @param {string} place */
function ideaLink(place) {
  const [, file, line] = /^(.*):(\d+):\d+$/.exec(place) ?? [];
  return `idea://open?file=${file}&line=${line}`;
}

/** @typedef {keyof typeof EDITORS} Editor */

/** The editor that was chosen last. @returns {Editor} */
export function chosenEditor() {
  const stored = localStorage.getItem('editor') ?? '';
  return Object.hasOwn(EDITORS, stored) ? /** @type {keyof typeof EDITORS} */ (stored) : 'vscode';
}

/** One key opens the first position. */
export function useOpenKey() {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(/** @type {Element} */ (event.target).tagName);
      const link = document.querySelector('[data-open]');
      if (event.key === 'o' && !isTyping && !event.ctrlKey && !event.metaKey && link instanceof HTMLElement)
        link.click();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/**
 * A button that opens a position. @param {{ place: any, editor?: Editor, hasKey?: boolean, label?: string }} props
 */
export function OpenLink({ place, editor = chosenEditor(), hasKey = false, label = 'Open' }) {
  // The path comes from sigil dev, and begins with a slash or a drive.
  const path = place.file.startsWith('/') ? place.file : `/${place.file.replaceAll('\\', '/')}`;
  const address = `${path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}:${place.line}:${place.column}`;
  return html`<a class="button" href=${EDITORS[editor].link(address)} data-open=${hasKey ? '' : undefined}>
    ${label}${hasKey && html` <kbd>o</kbd>`}
  </a>`;
}

/** A position with its link. @param {{ place: any, hasKey?: boolean }} props */
export function Place({ place, hasKey = false }) {
  return html`<span class="place"
    ><code class="cut">${place.shown}:${place.line}</code> <${OpenLink} place=${place} hasKey=${hasKey}
  /></span>`;
}
