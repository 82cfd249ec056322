/** The result of parsing a file of settings: its value, or the position of the mistake. */

/** A mistake in a file. */
export interface SettingsProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A parsed file. */
export type ParsedSettings =
  { readonly value: unknown; readonly problem?: undefined } | { readonly problem: SettingsProblem };

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
