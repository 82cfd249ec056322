/** Colours and weights for a terminal that supports them. */
import { styleText } from 'node:util';
import { own } from './own-sequences';

type Format = Parameters<typeof styleText>[0];

/** Functions that style a text for the output (outlet.ts), or leave it unchanged without colours. */
export interface Styles {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly name: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  /** For lines around a text. */
  readonly line: (text: string) => string;
}

/** The values of FORCE_COLOR that turn colours on; every other value turns them off. */
const FORCING = ['', '1', 'true', '2', '3'];

/**
 * Whether a text for a stream is coloured, decided as Node's own terminals do: FORCE_COLOR before all else, also for a pipe; then
 * NO_COLOR and NODE_DISABLE_COLORS; then whether the stream is a terminal that is not dumb.
 * @see https://nodejs.org/docs/latest-v20.x/api/tty.html#writestreamgetcolordepthenv
 * @see https://no-color.org
 */
export function wantsColors(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR, NO_COLOR, NODE_DISABLE_COLORS, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCING.includes(FORCE_COLOR);
  // An empty NO_COLOR has no effect, as its specification says; Node would treat it as set.
  return stream.isTTY === true && !NO_COLOR && !NODE_DISABLE_COLORS && TERM !== 'dumb';
}

/** The styles for a stream. */
export function stylesFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Styles {
  const colors = wantsColors(stream, env);
  // The text may come from others, so only the style sequences are marked as ours.
  const style = (format: Format) => {
    const [before = '', after = ''] = own(styleText(format, '|', { validateStream: false })).split('|');
    return (text: string) => (colors && text !== '' ? before + text + after : text);
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    name: style(['bold', 'cyan']),
    bad: style('red'),
    good: style('green'),
    warn: style('yellow'),
    line: style('gray'),
  };
}
