/** An entry of the log for people at a terminal: the message and the fields in a line, and below it an error with the author's frames. */
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters, styleText } from 'node:util';
import { isObject, visible } from '@sigil-mcp/base';
import type { LogFormat, Severity } from './lines-logger';

type TextStyle = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Severity, TextStyle>> = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' };
/** The calls of a stack that are shown. */
const MOST_FRAMES = 5;
/** Causes of an error that are shown. */
const MOST_CAUSES = 3;
const FRAME = /^\s+at /;

/**
 * Makes the format.
 * @param folder positions of calls in it are the author's own, and are shown relative to it
 * @param colors whether the terminal supports colours
 */
export function readableLine(folder: string, colors: boolean): LogFormat {
  const style = (format: TextStyle, text: string): string =>
    colors ? styleText(format, text, { validateStream: false }) : text;
  return ({ level, message, fields }) => {
    const { err, ...others }: Readonly<Record<string, unknown>> = { ...fields };
    const facts = Object.entries(others).map(([name, value]) => `${name}=${shown(value)}`);
    const head = [
      style('dim', new Date().toTimeString().slice(0, 8)),
      style(STYLES[level], level),
      safe(message),
      ...(facts.length > 0 ? [style('dim', safe(facts.join(' ')))] : []),
    ].join(' ');
    return [head, ...errorLines(err, folder).map((line) => (FRAME.test(line) ? style('dim', line) : line)), ''].join(
      '\n',
    );
  };
}

/** The message of an error and of its causes, each with the calls in the author's code. */
function errorLines(err: unknown, folder: string): string[] {
  const lines: string[] = [];
  let error: unknown = err;
  for (let depth = 0; isObject(error) && depth <= MOST_CAUSES; depth += 1) {
    const { name, message, stack, cause } = error;
    const by = depth === 0 ? '' : 'caused by ';
    lines.push(`  ${by}${safe(`${textOf(name, 'Error')}: ${textOf(message, '')}`)}`, ...framesOf(stack, folder));
    error = cause;
  }
  return lines.length === 0 && err !== undefined ? [`  ${safe(shown(err))}`] : lines;
}

function framesOf(stack: unknown, folder: string): string[] {
  const frames = textOf(stack, '')
    .split('\n')
    .filter((line) => FRAME.test(line));
  const own = frames.flatMap((line) => ownFrame(line, folder) ?? []);
  // An error of a library alone is explained by its innermost call.
  return (own.length > 0 ? own : frames.slice(0, 1)).slice(0, MOST_FRAMES).map((line) => `    ${safe(line.trim())}`);
}

/** The line with a path below the folder; undefined if the call is not in a file of the author. */
function ownFrame(line: string, folder: string): string | undefined {
  const [position] = /:\d+:\d+\)?$/.exec(line) ?? [];
  if (position === undefined) return undefined;
  const head = line.slice(0, -position.length);
  // A path begins behind the last bracket, with the word that has its first slash: later words are parts of it.
  const place = head.slice(Math.max(head.lastIndexOf('('), head.lastIndexOf(')')) + 1);
  const [beforeSlash = ''] = place.split(/[\\/]/, 1);
  const path = place.slice(beforeSlash.length - (beforeSlash.split(/\s/).pop() ?? '').length);
  const file = path.startsWith('file://') ? fileURLToPath(path) : path;
  if (!isAbsolute(file)) return undefined;
  const below = relative(folder, file);
  if (isAbsolute(below) || below.split(sep).some((part) => part === '..' || part === 'node_modules')) return undefined;
  return `${head.slice(0, -path.length)}${below}${position}`;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? '');
}

/** A client can decide parts of an entry: its text must neither control the terminal nor look like an entry of its own. */
function safe(text: string): string {
  return visible(stripVTControlCharacters(text)).replaceAll('\t', '\\t').replaceAll('\n', '\n    ');
}
