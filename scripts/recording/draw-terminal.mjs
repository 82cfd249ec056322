/** Commands and their output -> an animated picture of a terminal. */
import { piecesOf } from './ansi-line.mjs';

const LINE = 19;
const CHARACTER = 8.4;
const EDGE = 20;
const BAR = 34;

const STYLE = `
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d8dee9; white-space: pre; }
.bold { font-weight: 700; } .dim { opacity: 0.65; }
.red { fill: #ff8f8f; } .green { fill: #a3d98b; } .yellow { fill: #f0c674; } .blue { fill: #8fb8ff; }
.magenta { fill: #d6a6e8; } .cyan { fill: #7fd6e0; } .grey { fill: #98a2b3; } .prompt { fill: #a3d98b; font-weight: 700; }
.at { opacity: 0; animation: appear 0.01s linear forwards; }
@keyframes appear { to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .at { animation: none; opacity: 1; } }`;

/**
 * Draws commands with their output.
 * @param {{ command: string, output: string }[]} played
 * @param {{ columns: number, title: string }} how
 * @returns the SVG
 */
export function drawTerminal(played, { columns, title }) {
  const lines = timed(played);
  const width = Math.ceil(columns * CHARACTER + 2 * EDGE);
  const height = BAR + lines.length * LINE + EDGE;
  const rows = lines.map(({ pieces, at }, index) => rowOf(pieces, { at, y: BAR + 14 + index * LINE }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1b1f27"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="17" r="5.5" fill="${fill}"/>`,
    ),
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

/** The timing: a user types a command, it runs, its lines appear quickly. */
function timed(played) {
  const lines = [];
  let at = 0.4;
  for (const { command, output } of played) {
    lines.push({
      at,
      pieces: [
        { text: '$ ', look: ['prompt'] },
        { text: command, look: ['bold'] },
      ],
    });
    at += 1.2;
    if (output === '') continue;
    for (const line of output.replace(/\s+$/, '').split('\n')) {
      lines.push({ at, pieces: piecesOf(line) });
      at += 0.05;
    }
    lines.push({ at, pieces: [] });
    at += 1.2;
  }
  return lines.slice(0, -1);
}

function rowOf(pieces, { at, y }) {
  if (pieces.length === 0) return '';
  const spans = pieces.map(({ text, look }) =>
    look.length === 0 ? escaped(text) : `<tspan class="${look.join(' ')}">${escaped(text)}</tspan>`,
  );
  return `<text class="at" style="animation-delay:${at.toFixed(2)}s" x="${EDGE}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]);
}
