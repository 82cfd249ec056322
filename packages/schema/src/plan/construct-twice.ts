/** Two instances of a DTO, made one after the other, to detect defaults that change over time. */

const aMinute = 60_000;

/** Constructs twice; undefined if the constructor throws. */
export function constructTwice(construct: () => object): readonly [object, object] | undefined {
  try {
    const first = construct();
    if (Object.values(first).some(tellsTheTime)) waitForTheClock();
    return [first, construct()];
  } catch {
    return undefined;
  }
}

/** `new Date()`, `Date.now()` or a text made of them: twice within a millisecond they would pass for constants. */
function tellsTheTime(value: unknown): boolean {
  const time = typeof value === 'string' ? Date.parse(value) : value instanceof Date ? value.getTime() : value;
  return typeof time === 'number' && Math.abs(time - Date.now()) < aMinute;
}

function waitForTheClock(): void {
  const start = Date.now();
  while (Date.now() < start + 2);
}
