/** The verdicts on recorded calls, in words. */
import type { Styles } from '../terminal/styles';
import type { ReplayedCall, ReplayVerdict } from './replay-calls';

/** How a verdict is shown. */
interface VerdictWords {
  /** After a number of calls. */
  readonly summary: string;
  /** Before the call; undefined for what is only counted. */
  readonly mark: string | undefined;
  readonly isFailure: boolean;
}

/** In the order in which they are shown. */
const VERDICTS: Readonly<Record<ReplayVerdict, VerdictWords>> = {
  fails: { summary: 'would fail', mark: 'fails', isFailure: true },
  invalid: { summary: 'would be refused', mark: 'refused', isFailure: true },
  gone: { summary: 'would find no tool', mark: 'gone', isFailure: true },
  shape: { summary: 'would have another form', mark: 'form', isFailure: true },
  values: { summary: 'would have other values', mark: 'values', isFailure: false },
  works: { summary: 'failed, and would work', mark: 'works', isFailure: false },
  skipped: { summary: 'not run', mark: undefined, isFailure: false },
  same: { summary: 'answered as before', mark: undefined, isFailure: false },
};

/** Whether a verdict fails a replay. @param isStrict whether other values do, too */
export function isFailure(verdict: ReplayVerdict, isStrict: boolean): boolean {
  return VERDICTS[verdict].isFailure || (isStrict && verdict === 'values');
}

/** The lines of a report: each call that is answered otherwise, then how many there are of each kind. */
export function replayReport(calls: readonly ReplayedCall[], repeated: number, styles: Styles): readonly string[] {
  const order = Object.keys(VERDICTS) as ReplayVerdict[];
  const shown = order.flatMap((verdict) => {
    const { mark } = VERDICTS[verdict];
    return mark === undefined
      ? []
      : calls.filter((each) => each.verdict === verdict).map((each) => linesOf(each, mark, styles));
  });
  const counts = order.flatMap((verdict) => {
    const count = calls.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${VERDICTS[verdict].summary}`];
  });
  const skipped = reasonsOf(calls).map(([reason, count]) => styles.dim(`  ${count} not run: ${reason}`));
  const same = repeated === 0 ? '' : `, and ${repeated} more like these`;
  const total = `${calls.length} recorded ${calls.length === 1 ? 'call' : 'calls'}${same}`;
  return [...shown.flat(), `${total}: ${counts.join(', ') || 'nothing to run'}.`, ...skipped];
}

function linesOf({ call, line, details }: ReplayedCall, mark: string, styles: Styles): readonly string[] {
  const given: unknown = call.params['arguments'] ?? {};
  const shown = call.method === 'resources/read' ? call.params['uri'] : `${call.entry} ${JSON.stringify(given)}`;
  const head = `${styles.bold(mark)} ${shorten(String(shown))} ${styles.dim(`line ${line}`)}`;
  return [head, ...details.map((detail) => `  ${shorten(detail)}`), ''];
}

function reasonsOf(calls: readonly ReplayedCall[]): readonly (readonly [string, number])[] {
  const reasons = new Map<string, number>();
  for (const { verdict, details } of calls)
    if (verdict === 'skipped') for (const reason of details) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [...reasons];
}

const LONGEST = 300;

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
