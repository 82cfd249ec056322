/**
 * Blocks that say the same in several ways become tabs on the site. On GitHub they stand below one another: each below a line that is nothing
 * but a **label**. A block of commands that is marked as `sh [npm]` is shown for every package manager.
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
    const run = [];
    while (labelAt(tokens, index + run.length * 4) !== undefined) run.push(index + run.length * 4);
    if (run.length < 2) {
      joined.push(tokens[index]);
      index += 1;
      continue;
    }
    for (const start of run) tokens[start + 3].info = `${tokens[start + 3].info.trim()} [${labelAt(tokens, start)}]`;
    joined.push(
      ...group(
        state,
        run.map((start) => tokens[start + 3]),
      ),
    );
    index = run.at(-1) + 4;
  }
  return joined;
}

function labelAt(tokens, index) {
  const [open, inline, , fence] = tokens.slice(index, index + 4);
  const isLabelled = open?.type === 'paragraph_open' && inline.type === 'inline' && fence?.type === 'fence';
  return isLabelled ? LABEL.exec(inline.content)?.[1] : undefined;
}

function group(state, blocks) {
  const open = Object.assign(new state.Token('container_code-group_open', 'div', 1), {
    block: true,
    info: 'code-group',
  });
  const close = Object.assign(new state.Token('container_code-group_close', 'div', -1), { block: true });
  // The tab has the name.
  for (const block of blocks) block.meta = { ...block.meta, tab: true };
  return [open, ...blocks, close];
}
