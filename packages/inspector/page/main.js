/** Starts the page. */
import { html, render } from './markup.js';
import { Shell } from './shell.js';
import { start } from './store.js';

start();
render(html`<${Shell} />`, /** @type {Element} */ (document.getElementById('page')));
