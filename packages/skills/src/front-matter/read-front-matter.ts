/** The YAML at the beginning of a SKILL.md -> a JSON object; everything that is wrong with it, with its line and column. */
import type { JsonObject, JsonValue } from '@sigil-mcp/core';
import {
  LineCounter,
  parseDocument,
  type Document,
  isAlias,
  isCollection,
  isNode,
  isScalar,
  visit,
  type Node,
  type Pair,
} from 'yaml';

/**
 * Reports something at an offset of the YAML.
 *
 * Finds YAML that hosts read differently or not at all. Hosts compare the front matter of a file with that of its entry, and refuse the
 * skill if they differ; some of them read only the YAML that skills commonly use.
 */
type ReportAt = (offset: number, what: string, fix: string) => void;

/** More levels than this are refused by hosts. */
const MOST_LEVELS = 32;

/** Keys that some parsers do not take as they are: a merge, and a prototype. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['<<', '__proto__']);

type FrontMatterProblem = readonly [what: string, fix: string];

const SPLIT: FrontMatterProblem = [
  'its front matter has a value in quotes or brackets that goes on in another line',
  'Write it in one line, or use a block (`description: >-` and indented lines): some hosts read no others.',
];

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

/** Reports what hosts may not be able to read. */
function findUnportable(document: Document, yaml: string, report: ReportAt): void {
  visit(document, {
    Pair: (_key, pair) => checkKey(pair, report),
    Node(_key, node, path) {
      const levels = path.filter(isCollection).length;
      const found = problemOf(node, levels, yaml);
      if (!found) return undefined;
      report(node.range?.[0] ?? 0, ...found);
      return visit.SKIP;
    },
  });
}

function checkKey({ key }: Pair, report: ReportAt): symbol | undefined {
  const at = isNode(key) ? (key.range?.[0] ?? 0) : 0;
  if (!isScalar(key) || typeof key.value !== 'string')
    report(at, 'its front matter has a key that is not a text', 'Put the key in quotes.');
  else if (UNSAFE_KEYS.has(key.value)) report(at, `its front matter has the key \`${key.value}\``, 'Rename the key.');
  else return undefined;
  return visit.SKIP;
}

function problemOf(node: Node, levels: number, yaml: string): FrontMatterProblem | undefined {
  if (isAlias(node) || ('anchor' in node && node.anchor !== undefined))
    return ['its front matter has an anchor or an alias', 'Repeat the value: hosts do not read anchors.'];
  if (node.tag !== undefined) return [`its front matter has the tag ${node.tag}`, 'Remove the tag.'];
  if (levels > MOST_LEVELS) return [`its front matter has more than ${MOST_LEVELS} levels`, 'Use fewer levels.'];
  if (isScalar(node) && typeof node.value === 'number' && !isExact(node.value))
    return ['its front matter has a number that JSON does not have', 'Put the value in quotes.'];
  return isSplit(node, yaml) ? SPLIT : undefined;
}

/** Whether a number is the same in JSON, and for readers whose whole numbers have any size. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Whether a value in quotes or brackets takes several lines. */
function isSplit(node: Node, yaml: string): boolean {
  const isQuoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
  const isFlow = isCollection(node) && node.flow === true;
  if (!isQuoted && !isFlow) return false;
  const [start, end] = node.range ?? [0, 0];
  return yaml.slice(start, end).includes('\n');
}
