/** Why a value was refused, as a sentence for a model or a person. */
import type { Failure } from './compiled-shape';

/** Every failure with its place, in one line. */
export function describeFailures(failures: readonly Failure[]): string {
  return failures.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
