/**
 * Shows alternative blocks as tabs on the site. On GitHub they are listed one after the other, each below a line that contains only a
 * **label**. A block of commands that is marked as `sh [npm]` is shown for every package manager.
 */
import { commandsOf, PACKAGE_MANAGERS } from './package-managers.mjs';

const LABEL = /^\*\*([^*]+)\*\*$/;

/** A plugin of markdown-it. */
export function tabs(md) {
  md.core.ruler.after('block', 'tabs', (state) => {
    state.tokens = joinLabelled(state, expandManagers(state));
  });
}

function expandManagers(state) {
  return state.tokens.flatMap((token) => {
    if (token.type !== 'fence' || !/^sh \[npm\]$/.test(token.info.trim())) return [token];
    const blocks = PACKAGE_MANAGERS.map((manager) => {
      const block = Object.assign(new state.Token('fence', 'code', 0), {
        map: token.map,
        markup: token.markup,
        block: true,
      });
      return Object.assign(block, { info: `sh [${manager}]`, content: commandsOf(manager, token.content) });
    });
    return group(state, blocks);
  });
}

/** A run of at least two blocks, each below its label. */
function joinLabelled(state, tokens) {
  const joined = [];
  for (let index = 0; index < tokens.length;) {
    const run = runFrom(tokens, index);
    if (run.length < 2) joined.push(tokens[index]);
    else
      joined.push(
        ...group(
          state,
          run.map(({ fence, label }) => Object.assign(fence, { info: `${fence.info.trim()} [${label}]` })),
        ),
      );
    index = run.length < 2 ? index + 1 : run.at(-1).end;
  }
  return joined;
}

function runFrom(tokens, index) {
  const found = labelledAt(tokens, index);
  return found === undefined ? [] : [found, ...runFrom(tokens, found.end)];
}

/** A label and its block, with an optional comment between them. */
function labelledAt(tokens, index) {
  const [open, inline, , ...rest] = tokens.slice(index, index + 5);
  const comments = rest[0]?.type === 'html_block' && rest[0].content.startsWith('<!--') ? 1 : 0;
  const fence = rest[comments];
  if (open?.type !== 'paragraph_open' || inline.type !== 'inline' || fence?.type !== 'fence') return undefined;
  const label = LABEL.exec(inline.content)?.[1];
  return label && { label, fence, end: index + 4 + comments };
}

function group(state, blocks) {
  const open = Object.assign(new state.Token('container_code-group_open', 'div', 1), {
    block: true,
    info: 'code-group',
  });
  const close = Object.assign(new state.Token('container_code-group_close', 'div', -1), { block: true });
  // The tab shows the name.
  for (const block of blocks) block.meta = { ...block.meta, tab: true };
  return [open, ...blocks, close];
}
