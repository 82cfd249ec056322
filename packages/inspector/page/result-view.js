/** The result of a call: as a person sees it, as a tree, as it travelled, and as a model reads it. */
import { JsonTree } from './json-view.js';
import { html, useState } from './markup.js';
import { Tokens } from './tokens.js';

const VIEWS = [
  ['shown', 'Shown'],
  ['tree', 'Tree'],
  ['raw', 'Raw'],
  ['model', 'As the model reads it'],
];

/** @param {{ result: any, onRead?: (uri: string) => void }} props */
export function ResultView({ result, onRead }) {
  const [view, setView] = useState('shown');
  const text = modelText(result);
  return html`<div class="result">
    <div class="tabs small">
      <div class="tablist" role="tablist">
        ${VIEWS.map(([id, title]) => html`<button type="button" role="tab" aria-selected=${view === id} onClick=${() => setView(id)}>${title}</button>`)}
      </div>
      <span class="grow"></span><small class="dim"><${Tokens} texts=${[text]} /> tokens</small>
    </div>
    ${view === 'shown' && html`<${Shown} result=${result} onRead=${onRead} />`}
    ${view === 'tree' && html`<${JsonTree} value=${result} />`}
    ${view === 'raw' && html`<pre>${JSON.stringify(result, undefined, 2)}</pre>`}
    ${view === 'model' && html`<pre>${text}</pre>`}
  </div>`;
}

/** @param {{ result: any, onRead: ((uri: string) => void) | undefined }} props */
function Shown({ result, onRead }) {
  const { content, contents, messages, structuredContent: structured, isError } = result;
  const blocks = [...list(content), ...list(contents).map((resource) => ({ type: 'resource', resource }))];
  const isKnown = blocks.length > 0 || list(messages).length > 0;
  return html`
    ${isError === true && html`<p class="problem">The tool failed; a model reads this and may try again.</p>`}
    ${blocks.map((block) => html`<${Block} block=${block} onRead=${onRead} />`)}
    ${list(messages).map(({ role, content: one }) => html`<div class="message-of"><strong>${role}</strong><${Block} block=${one} onRead=${onRead} /></div>`)}
    ${
      structured !== undefined &&
      html`<h4>Structured</h4>
        <${JsonTree} value=${structured} />`
    }
    ${!isKnown && structured === undefined && html`<${JsonTree} value=${result} />`}
  `;
}

/** @param {{ block: any, onRead: ((uri: string) => void) | undefined }} props */
function Block({ block, onRead }) {
  switch (block?.type) {
    case 'text':
      return html`<pre class="text">${String(block.text)}</pre>`;
    case 'image':
      return html`<img class="picture" alt="the image of the result" src=${dataOf(block, 'image/')} />`;
    case 'audio':
      return html`<audio controls src=${dataOf(block, 'audio/')}></audio>`;
    case 'resource_link':
      return html`<p class="link">
        <strong>${block.title ?? block.name}</strong> <code>${block.uri}</code> ${block.description}
        ${onRead && html` <button type="button" class="quiet" onClick=${() => onRead(block.uri)}>Read</button>`}
      </p>`;
    case 'resource':
      return html`<${Resource} resource=${block.resource ?? {}} />`;
    default:
      return html`<${JsonTree} value=${block} />`;
  }
}

/** @param {{ resource: any }} props */
function Resource({ resource: { uri, mimeType = '', text, blob } }) {
  const picture = typeof blob === 'string' && /^image\//.test(mimeType);
  return html`<div>
    <p class="facts"><code>${uri}</code><span>${mimeType}</span></p>
    ${
      text !== undefined
        ? html`<pre class="text">${String(text)}</pre>`
        : picture
          ? html`<img class="picture" alt=${uri} src=${dataOf({ data: blob, mimeType }, 'image/')} />`
          : html`<p class="dim">${Math.floor((String(blob).length * 3) / 4)} bytes</p>`
    }
  </div>`;
}

/** A data URL of an image or a sound: nothing else, and never what a script can be in. @param {any} block @param {string} kind */
function dataOf({ data, mimeType }, kind) {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) && mimeType.startsWith(kind) ? mimeType : `${kind}png`;
  return `data:${type};base64,${String(data).replace(/[^A-Za-z0-9+/=]/g, '')}`;
}

/** What reaches the model: the texts, and a word for what is none. @param {any} result */
export function modelText({ content, contents, messages, structuredContent: structured, ...others }) {
  const blocks = [...list(content), ...list(messages).map(({ content: one }) => one)];
  const texts = blocks.map((block) =>
    block?.type === 'text'
      ? String(block.text)
      : block?.type === 'resource'
        ? (block.resource?.text ?? '[resource]')
        : `[${block?.type}]`,
  );
  const read = list(contents).map(({ text, mimeType }) => text ?? `[${mimeType}]`);
  if (texts.length + read.length > 0) return [...texts, ...read].join('\n');
  return JSON.stringify(structured ?? others, undefined, 2);
}

/** @param {any} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}
