/** What is said of the figures. */

/** A line. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** A table whose first columns are words, and the others figures. */
export function writeTable(head, rows, words = 2) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  for (const row of [head, ...rows])
    say(
      row
        .map((cell, column) => (column < words ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  '),
    );
}

/** Whether an aim is met, and how far it is away if not. */
export function verdict(sentence, aim, missing, isMet) {
  say(`${isMet ? 'met' : `missed by ${missing}`}: ${sentence} (aim: ${aim})`);
}

/** Whether a limit is kept. */
export function judge(sentence, isReached, aim) {
  say(`${isReached ? 'ok    ' : 'MISSED'} ${sentence} (aim: ${aim})`);
}

/** A share as a person reads it. */
export function percent(share) {
  return `${(share * 100).toFixed(0)}%`;
}

/** The middle of some figures: one disturbed round does not move it. */
export function median(figures) {
  return quantile(figures, 0.5);
}

/** The figure below which a share of them is: 0.25 is the lower quartile. */
export function quantile(figures, share) {
  const sorted = [...figures].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place % 1);
}
