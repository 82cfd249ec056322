/** Colours and weights for a terminal that wants them. */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Dresses a text, or leaves it as it is. */
export interface Styles {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly name: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
}

/** A stream that may be a terminal. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Whether a stream shows colours: a terminal that is not dumb, where nobody set NO_COLOR. */
export function wantsColors(stream: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  // https://no-color.org: present and not empty.
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** The styles for a stream. */
export function stylesFor(stream: Output, env: NodeJS.ProcessEnv = process.env): Styles {
  const colors = wantsColors(stream, env);
  const style = (format: Format) => (text: string) =>
    colors && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: style('bold'),
    dim: style('dim'),
    name: style(['bold', 'cyan']),
    bad: style('red'),
    good: style('green'),
    warn: style('yellow'),
  };
}
