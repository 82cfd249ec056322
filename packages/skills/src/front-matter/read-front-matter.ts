/** The YAML at the beginning of a SKILL.md -> a JSON object; everything that is wrong with it, with its line and column. */
import type { JsonObject, JsonValue } from '@sigil-mcp/core';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { findUnportable, type ReportAt } from './find-unportable';

/** Something that is wrong at a place of the text. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly fix: string;
}

/** Reports a problem of the text. */
export type ReportText = (problem: TextProblem) => void;

/** A SKILL.md in its two parts. */
export interface SkillText {
  /** Undefined if it cannot be read; that was reported. */
  readonly frontMatter: JsonObject | undefined;
  /** The Markdown after the front matter. */
  readonly body: string;
  /** The line of the file at which the body begins. */
  readonly bodyLine: number;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** In lists, and read by a parser that takes the square of the number of keys. */
const MOST_CHARACTERS = 65_536;
const END = /^---[\t ]*$/m;

/** Reads a SKILL.md. A byte order mark and Windows line ends are accepted; digests cover them. */
export function readSkillText(text: string, report: ReportText): SkillText {
  const plain = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).replaceAll('\r\n', '\n');
  const none = { frontMatter: undefined, body: plain, bodyLine: 1 };
  if (!plain.startsWith('---\n')) {
    report({ line: 1, column: 1, what: 'it does not begin with front matter', fix: BEGIN });
    return none;
  }
  const rest = plain.slice(4);
  const end = END.exec(rest);
  if (!end) {
    report({ line: 1, column: 1, what: 'its front matter has no end', fix: 'End it with a line `---`.' });
    return none;
  }
  const yaml = rest.slice(0, end.index);
  if (yaml.length > MOST_CHARACTERS) {
    const what = `its front matter has ${yaml.length} characters`;
    report({ line: 1, column: 1, what, fix: `Use at most ${MOST_CHARACTERS}: lists have all of it for each skill.` });
    return none;
  }
  const body = rest.slice(end.index + end[0].length + 1);
  return { frontMatter: readYaml(yaml, report), body, bodyLine: yaml.split('\n').length + 2 };
}

const BEGIN = 'Begin it with a line `---`, the fields name and description, and another line `---`.';

/** The front matter begins in the second line of the file. */
const FIRST_LINE = 2;

function readYaml(yaml: string, report: ReportText): JsonObject | undefined {
  const lines = new LineCounter();
  let hasProblems = false;
  const reportAt = (offset: number, what: string, fix: string): void => {
    hasProblems = true;
    const { line, col } = lines.linePos(offset);
    // A problem at the very end is one of the last line.
    report({ line: Math.max(line, 1) + FIRST_LINE - 1, column: Math.max(col, 1), what, fix });
  };
  const document = parse(yaml, lines, reportAt);
  if (!document || hasProblems) return undefined;
  findUnportable(document, yaml, reportAt);
  if (hasProblems) return undefined;
  const value = document.toJS({ maxAliasCount: 0 }) as JsonValue | undefined;
  if (isMapping(value)) return value;
  reportAt(0, 'its front matter is not a mapping of names to values', 'Write fields: `name: ordering`.');
  return undefined;
}

function parse(yaml: string, lineCounter: LineCounter, report: ReportAt): Document | undefined {
  const lone = /\r|\uFEFF/.exec(yaml);
  if (lone) {
    lineCounter.addNewLine(0);
    report(
      lone.index,
      'its front matter has an invisible character',
      'Save the file as UTF-8 with ordinary line ends.',
    );
    return undefined;
  }
  try {
    const options = { version: '1.2', schema: 'core', lineCounter, prettyErrors: false, logLevel: 'silent' } as const;
    const document = parseDocument(yaml, options);
    for (const { message, pos } of [...document.errors, ...document.warnings])
      report(
        pos[0],
        `its front matter is not valid YAML: ${sentence(message)}`,
        'A value with a colon or a bracket needs quotes.',
      );
    return document;
  } catch (error) {
    // Such as a stack overflow, from a thousand brackets.
    report(0, `its front matter is not valid YAML: ${sentence(String(error))}`, 'Simplify it.');
    return undefined;
  }
}

function sentence(message: string): string {
  return message.replace(/(?<![.:\s])[.:\s]+$/, '');
}

function isMapping(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
