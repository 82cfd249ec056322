/** What a check has compared. */

/** By how much the model may differ. */
const TOLERANCE = 0.15;

/** A figure of the model and of reality, a second, for each instance or node on average. */
export interface Compared {
  readonly of: 'instance' | 'node' | 'replica';
  readonly what: 'commands' | 'bytes in' | 'bytes out' | 'bytes of the bus' | 'CPU, ms';
  readonly model: number;
  readonly real: number;
}

/** The figures of one size. */
export interface CheckedSize {
  readonly instances: number;
  readonly compared: readonly Compared[];
}

/** Whether a figure is too far away; CPU is not judged, because it depends on what else the machine does. */
export function isWrong({ what, model, real }: Compared): boolean {
  return what !== 'CPU, ms' && Math.abs(model / real - 1) > TOLERANCE;
}
