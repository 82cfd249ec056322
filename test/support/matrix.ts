/**
 * How much of the matrix (adapters, revisions, Redis clients, runs of property tests) this run tests: `SIGIL_MATRIX=all` is all of
 * it, `SIGIL_MATRIX=2/5` the second of five slices. Without it a run tests the first of five, the same for everybody.
 */
const EVERYDAY = '1/5';
/** Fewer runs than these find little. */
const FEWEST_RUNS = 20;
/** The share of the runs of a property test that a slice makes. */
const SHARE = 20;

/** What one run tests. */
export interface Matrix {
  /** Whether everything is tested. */
  readonly all: boolean;
  /**
   * The members that this run tests, at least one: the slices of a list together are the whole list.
   * @throws if the list is empty
   */
  readonly sample: <Member>(members: readonly Member[]) => readonly Member[];
  /** How often a property test runs, of so many runs under `all`: else a twentieth, but at least 20 (or all, where there are fewer). */
  readonly runs: (ofAll: number) => number;
}

/**
 * Reads what `SIGIL_MATRIX` says.
 * @throws if it is neither `all` nor a slice such as `2/5`
 */
export function readMatrix(text = EVERYDAY): Matrix {
  const all = text === 'all';
  const [slice, slices] = all ? [1, 1] : readSlice(text);
  return {
    all,
    sample(members) {
      if (members.length === 0) throw new Error('There is no sample of an empty list.');
      // A list with fewer members than there are slices: the slices take turns.
      const chosen = (slice - 1) % Math.min(slices, members.length);
      return members.filter((_, index) => index % slices === chosen);
    },
    runs: (ofAll) => (all ? ofAll : Math.min(ofAll, Math.max(FEWEST_RUNS, Math.ceil(ofAll / SHARE)))),
  };
}

function readSlice(text: string): [slice: number, slices: number] {
  const [slice = 0, slices = 0] = /^[1-9]\d{0,3}\/[1-9]\d{0,3}$/.test(text) ? text.split('/').map(Number) : [];
  if (slice >= 1 && slice <= slices) return [slice, slices];
  throw new Error(
    `SIGIL_MATRIX is "${text}": write "all", or one of the slices, such as "2/5" for the second of five.`,
  );
}

/** The matrix of this run. */
export const { all, sample, runs } = readMatrix(process.env['SIGIL_MATRIX']);
