/** Brings the files that a document refers to into the document itself, so that each reference is a pointer within it. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../../json-object';
import { checkBelow, DOCUMENT_LIMITS, fetchText, refuseDocument, shownUrl } from './fetch-text';
import { parseDocument } from './parse-document';

/** The member of the document that holds the other files. */
const FILES = 'x-sigil-files';
/** A document that consists of more files is a mistake, or an attack. */
const MOST_FILES = 500;
/** Of all files together. */
const MOST_CHARACTERS = DOCUMENT_LIMITS.bytes;
/** Milliseconds for all files together. */
const LONGEST = 300_000;

/**
 * @param url of the document
 * @returns the document with its files; the same object if it has none
 * @throws CliFailure if a file lies outside of the folder of the document, or cannot be read
 */
export async function bundleFiles(root: LooseObject, url: URL, signal: AbortSignal): Promise<LooseObject> {
  const files = new Map<string, string>();
  const keyOf = (target: URL): string => {
    const key = files.get(target.href) ?? freeKey(target, new Set(files.values()));
    files.set(target.href, key);
    return key;
  };
  const main = rewrite(root, { base: url, document: url, prefix: '#', keyOf });
  const contents: Record<string, unknown> = {};
  const end = AbortSignal.timeout(LONGEST);
  let size = 0;
  // A map that grows while it is walked.
  for (const [href, key] of files) {
    if (Object.keys(contents).length >= MOST_FILES) refuseDocument(url, `it consists of more than ${MOST_FILES} files`);
    if (end.aborted) refuseDocument(url, `its files did not arrive within ${LONGEST / 60_000} minutes`);
    const file = new URL(href);
    const text = await fetchText(file, signal);
    size += text.length;
    if (size > MOST_CHARACTERS) refuseDocument(url, `its files have more than ${MOST_CHARACTERS / 1_000_000} MB`);
    const content = parseDocument(text, shownUrl(file));
    const rewriting = { base: file, document: url, prefix: `#/${FILES}/${key}`, keyOf };
    contents[key] = rewrite(content, rewriting, isCollection(content));
  }
  // Without other files nothing was rewritten.
  return files.size === 0 || !isObject(main) ? root : { ...main, [FILES]: contents };
}

/** The name of a file, which may become that of a class. */
function freeKey({ pathname }: URL, taken: ReadonlySet<string>): string {
  const name = (pathname.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replace(/[^A-Za-z0-9-]+/g, '-') || 'file';
  let key = name;
  for (let number = 2; taken.has(key); number += 1) key = `${name}-${number}`;
  return key;
}

interface Rewriting {
  readonly base: URL;
  readonly document: URL;
  /** How this file is referred to in the whole. */
  readonly prefix: string;
  readonly keyOf: (file: URL) => string;
}

/** Members whose names are those of the author; what is below each is as the specification has it. */
const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
  ...['paths', 'webhooks', 'pathItems', 'responses', 'requestBodies', 'headers', 'securitySchemes', 'schemas'],
  ...['content', 'encoding', 'links', 'callbacks', 'parameters', 'examples'],
]);
/** Members that hold values, not parts of the document: a `$ref` within is a text as any other. */
const VALUES = new Set(['example', 'default', 'enum', 'const', 'value', 'dataValue', 'mapping']);

/** @param isMap whether the names of members are those of the author */
function rewrite(value: unknown, rewriting: Rewriting, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((each) => rewrite(each, rewriting));
  if (!isObject(value)) return value;
  const member = (name: string, part: unknown): unknown => {
    if (isMap) return rewrite(part, rewriting);
    if (name === '$ref' && typeof part === 'string') return moved(part, rewriting);
    if (name === 'links' && isObject(part)) return rewriteLinks(part, rewriting);
    // Examples of a schema are values, those of a parameter or a body have names.
    const holdsValues = VALUES.has(name) || name.startsWith('x-') || (name === 'examples' && Array.isArray(part));
    return holdsValues ? part : rewrite(part, rewriting, MAPS.has(name));
  };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, member(name, part)]));
}

/** A link is a reference itself, or has nothing but texts and values. */
function rewriteLinks(links: LooseObject, rewriting: Rewriting): LooseObject {
  const link = (part: unknown): unknown =>
    isObject(part) && typeof part['$ref'] === 'string' ? { ...part, $ref: moved(part['$ref'], rewriting) } : part;
  return Object.fromEntries(Object.entries(links).map(([name, part]) => [name, link(part)]));
}

/** Whether a file is a collection of named parts, and not a part itself. */
function isCollection(content: LooseObject): boolean {
  return Object.entries(content).every(([name, part]) => isObject(part) && !MAPS.has(name));
}

/** @throws CliFailure for a reference that is no address, or leads out of the folder of the document */
function moved(reference: string, { base, document, prefix, keyOf }: Rewriting): string {
  if (reference.startsWith('#')) return reference === '#' ? prefix : `${prefix}${reference.slice(1)}`;
  if (!URL.canParse(reference, base.href)) refuseDocument(base, `its $ref ${JSON.stringify(reference)} is no address`);
  const target = new URL(reference, base);
  const fragment = target.hash.slice(1);
  target.hash = '';
  if (target.href === document.href) return `#${fragment}`;
  checkBelow(target, document, reference);
  return `#/${FILES}/${keyOf(target)}${fragment}`;
}
