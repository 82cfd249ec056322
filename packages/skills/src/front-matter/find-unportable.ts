/**
 * Finds YAML that hosts read differently or not at all. Hosts compare the front matter of a file with that of its entry, and refuse the
 * skill if they differ; some of them read only the YAML that skills commonly use.
 */
import { isAlias, isCollection, isNode, isScalar, visit, type Document, type Node, type Pair } from 'yaml';

/** Reports something at an offset of the YAML. */
export type ReportAt = (offset: number, what: string, fix: string) => void;

/** More levels than this are refused by hosts. */
const MOST_LEVELS = 32;

/** Reports what hosts may not be able to read. */
export function findUnportable(document: Document, yaml: string, report: ReportAt): void {
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

/** Keys that some parsers do not take as they are: a merge, and a prototype. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['<<', '__proto__']);

function checkKey({ key }: Pair, report: ReportAt): symbol | undefined {
  const at = isNode(key) ? (key.range?.[0] ?? 0) : 0;
  if (!isScalar(key) || typeof key.value !== 'string')
    report(at, 'its front matter has a key that is not a text', 'Put the key in quotes.');
  else if (UNSAFE_KEYS.has(key.value)) report(at, `its front matter has the key \`${key.value}\``, 'Rename the key.');
  else return undefined;
  return visit.SKIP;
}

type Found = readonly [what: string, fix: string];

function problemOf(node: Node, levels: number, yaml: string): Found | undefined {
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

const SPLIT: Found = [
  'its front matter has a value in quotes or brackets that goes on in another line',
  'Write it in one line, or use a block (`description: >-` and indented lines): some hosts read no others.',
];

/** Whether a value in quotes or brackets takes several lines. */
function isSplit(node: Node, yaml: string): boolean {
  const isQuoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
  const isFlow = isCollection(node) && node.flow === true;
  if (!isQuoted && !isFlow) return false;
  const [start, end] = node.range ?? [0, 0];
  return yaml.slice(start, end).includes('\n');
}
