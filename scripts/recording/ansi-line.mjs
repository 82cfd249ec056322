/** A line of a terminal -> its pieces, each with one style. Sequences other than colours are dropped. */

const COLOURS = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan', 90: 'grey' };
// eslint-disable-next-line no-control-regex -- control sequences are the purpose
const SEQUENCE = /\u001b\[([\d;?]*)([A-Za-z])/g;

/** @returns `{ text, look }` in order; `look` is a list of classes: a colour, `bold`, `dim` */
export function piecesOf(line) {
  const pieces = [];
  const state = { colour: undefined, bold: false, dim: false };
  let at = 0;
  const take = (end) => {
    if (end > at) pieces.push({ text: line.slice(at, end), look: lookOf(state) });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    take(match.index);
    at = match.index + match[0].length;
    if (match[2] === 'm') for (const code of match[1].split(';')) change(state, Number(code));
  }
  take(line.length);
  return pieces;
}

function change(state, code) {
  if (code === 0) Object.assign(state, { colour: undefined, bold: false, dim: false });
  else if (code === 1) state.bold = true;
  else if (code === 2) state.dim = true;
  else if (code === 22) Object.assign(state, { bold: false, dim: false });
  else if (code === 39) state.colour = undefined;
  else if (code in COLOURS) state.colour = COLOURS[code];
}

function lookOf({ colour, bold, dim }) {
  return [colour, bold && 'bold', dim && 'dim'].filter(Boolean);
}
