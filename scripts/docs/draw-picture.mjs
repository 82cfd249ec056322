/** Draws the pictures of the guides: a text with lanes and messages, or with stages -> SVG. Its background keeps it legible in the dark. */

const INK = '#1f2933';
const PALE = '#57606a';
const LINE = '#9aa5b1';
const BLUE = '#1a4d7a';
const FILL = '#e8f0f7';
/** The average width of a letter, at a size of 14. */
const LETTER = 7.7;

/** @param text from docs/pictures; its head names the kind */
export function drawPicture(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const head = Object.fromEntries(
    lines.filter((line) => /^(kind|title|lanes): /.test(line)).map((line) => line.split(/: (.*)/)),
  );
  const body = lines.filter((line) => !/^(kind|title|lanes): /.test(line));
  if (head.kind === 'sequence') return drawSequence(head, body);
  if (head.kind === 'stages') return drawStages(head, body);
  throw new Error(`A picture of the kind ${head.kind} cannot be drawn.`);
}

function drawSequence({ title, lanes: named }, body) {
  const names = named.split('|').map((name) => name.trim());
  const steps = body.map((line) => readStep(line, names));
  const centres = placeLanes(names, steps);
  const width = Math.max(centres.at(-1) + widthOf(names.at(-1)) / 2 + 30, widthOf(title) * 1.08 + 40);
  const top = 92;
  const height = top + steps.length * 38 + 20;
  const parts = names.flatMap((name, lane) => [
    line(centres[lane], 74, centres[lane], height - 14, { stroke: LINE, 'stroke-dasharray': '3 4' }),
    box({ x: centres[lane] - widthOf(name) / 2 - 14, y: 44, width: widthOf(name) + 28, height: 30 }),
    words(name, { x: centres[lane], y: 64, 'text-anchor': 'middle', 'font-weight': 600 }),
  ]);
  const drawn = steps.flatMap((step, index) => drawStep(step, centres, top + index * 38 + 24));
  return frame({ title, width: Math.round(width), height }, [...parts, ...drawn]);
}

function readStep(text, names) {
  const [, from = '', to, about = ''] = /^(.+?)(?: -> (.+?))?: (.*)$/.exec(text) ?? [];
  const lanes = [from, to ?? from].map((name) => names.indexOf(name));
  if (lanes.includes(-1)) throw new Error(`"${text}" names a lane that does not exist.`);
  return { from: lanes[0], to: lanes[1], about };
}

/** Places lanes as near to each other as the texts between them allow. */
function placeLanes(names, steps) {
  const gaps = names.slice(1).map((name, index) => (widthOf(name) + widthOf(names[index])) / 2 + 34);
  for (const { from, to, about } of steps) {
    const [left, right] = [Math.min(from, to), Math.max(from, to)];
    const spanned = gaps.slice(left, right).reduce((sum, gap) => sum + gap, 0);
    const lacking = widthOf(about) + 26 - spanned;
    if (from !== to && lacking > 0) for (let gap = left; gap < right; gap += 1) gaps[gap] += lacking / (right - left);
  }
  const first = widthOf(names[0]) / 2 + 34;
  return gaps.reduce((centres, gap) => [...centres, centres.at(-1) + gap], [first]);
}

function drawStep({ from, to, about }, centres, y) {
  if (from === to) return drawNote(about, centres[from], y);
  const [start, end] = [centres[from], centres[to]];
  const back = end < start;
  const tip = end + (back ? 9 : -9);
  return [
    // A text stands before the lanes that it crosses.
    words(about, {
      x: (start + end) / 2,
      y: y - 8,
      'text-anchor': 'middle',
      stroke: '#ffffff',
      'stroke-width': 5,
      'paint-order': 'stroke',
    }),
    line(start, y, tip, y, { stroke: BLUE, 'stroke-width': 1.6 }),
    `<path d="M${round(end)} ${y}L${round(tip)} ${y - 5}V${y + 5}Z" fill="${BLUE}"/>`,
  ];
}

/** A step within one lane; kept inside the picture on the left. */
function drawNote(about, centre, y) {
  const width = widthOf(about) + 20;
  const x = Math.max(10, centre - width / 2);
  return [
    box({ x, y: y - 21, width, height: 27, fill: '#ffffff' }),
    words(about, { x: x + width / 2, y: y - 3, 'text-anchor': 'middle', fill: PALE }),
  ];
}

/** Nested boxes, each with the outcome if a call ends there. */
function drawStages({ title }, body) {
  const stages = body.map((text) => text.split('|').map((part) => part.trim()));
  const rows = stages.map(([name], index) => 20 + index * 9 + 14 + widthOf(name));
  const inner = Math.max(...rows) + stages.length * 9 + 12;
  const notes = inner + 18;
  const width = notes + Math.max(...stages.map(([, about = '']) => widthOf(about))) + 20;
  const height = 60 + stages.length * 42 + 20;
  const drawn = stages.flatMap(([name, about = ''], index) => {
    const [x, y] = [20 + index * 9, 48 + index * 34];
    const last = index === stages.length - 1;
    return [
      box({
        x,
        y,
        width: inner - 20 - index * 18,
        height: height - 76 - index * 34 - index * 8 + 20,
        fill: last ? BLUE : FILL,
      }),
      words(name, { x: x + 14, y: y + 23, 'font-weight': 600, fill: last ? '#ffffff' : INK }),
      words(about, { x: notes, y: y + 23, fill: PALE }),
    ];
  });
  return frame({ title, width: Math.round(width), height }, drawn);
}

function frame({ title, width, height }, parts) {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="14" fill="${INK}">`;
  const ground = `<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>`;
  const heading = words(title, { x: 20, y: 28, 'font-size': 15, 'font-weight': 600 });
  return [head, `<title>${escape(title)}</title>`, ground, heading, ...parts, '</svg>', ''].join('\n');
}

function box({ x, y, width, height, fill = FILL }) {
  const place = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
  return `<rect ${place} rx="5" fill="${fill}" stroke="${LINE}"/>`;
}

function line(x1, y1, x2, y2, attributes) {
  return `<line x1="${round(x1)}" y1="${y1}" x2="${round(x2)}" y2="${y2}"${write(attributes)}/>`;
}

function words(text, { x, ...attributes }) {
  return `<text x="${round(x)}"${write(attributes)}>${escape(text)}</text>`;
}

function write(attributes) {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}

function widthOf(text) {
  return text.length * LETTER;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
