/** What a process of the cluster says to those who watch it, one line of stderr each. */

/** What a line begins with. */
export const MARK = '@cluster ';

/** Something that happened in the process. */
export interface Mark {
  /** `begun` and `aborted` are of a call that waits, `worked` is of a task that has done its work; `unhandled` is a rejection that nobody took. */
  readonly kind: 'ready' | 'begun' | 'aborted' | 'worked' | 'unhandled';
  /** Which call, or why. */
  readonly label: string;
}

/** Says that something happened. */
export function mark(kind: Mark['kind'], label = ''): void {
  process.stderr.write(`${MARK}${JSON.stringify({ kind, label } satisfies Mark)}\n`);
}
