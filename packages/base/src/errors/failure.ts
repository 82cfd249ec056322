/** The reason why a value was refused, as data and as a sentence for a model or a person. */

/** One reason why a value was refused. */
export interface Failure {
  /** Where in the value: `` (the whole), `city`, `stops[2].city`. */
  readonly path: string;
  /** What is wrong there, in words for a model or a person: `must be at most 14`. */
  readonly message: string;
}

/** Every failure with its path, in one line. */
export function describeFailures(failures: readonly Failure[]): string {
  return failures.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
