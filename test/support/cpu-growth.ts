/** How work grows with what it is given: CPU time of this process alone, so that nothing else on the machine counts. */

/** Microseconds of CPU time that are measured at least, so that what is measured is more than chance. */
const ENOUGH = 30_000;

/**
 * How many times more a piece of a long input costs than one of a short input: about 1 where work grows as the input does, and as many
 * times more as the input is longer where it grows with its square.
 * @param work does the work for an input of so many pieces
 */
export function cpuGrowth(work: (pieces: number) => void, short: number, long: number): number {
  const forShort = costOfPiece(work, short);
  return costOfPiece(work, long) / forShort;
}

function costOfPiece(work: (pieces: number) => void, pieces: number): number {
  const start = process.cpuUsage();
  for (let times = 1; ; times += 1) {
    work(pieces);
    const { user, system } = process.cpuUsage(start);
    if (user + system >= ENOUGH) return (user + system) / times / pieces;
  }
}
