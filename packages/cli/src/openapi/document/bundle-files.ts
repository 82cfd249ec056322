/** Brings the files that a document refers to into the document itself, so that each reference is a pointer within it. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../../json-object';
import { checkBelow, fetchText, shownUrl } from './fetch-text';
import { parseDocument } from './parse-document';

/** The member of the document that holds the other files. */
const FILES = 'x-sigil-files';
/** A document that consists of more files is a mistake, or an attack. */
const MOST_FILES = 500;

/**
 * @param url of the document
 * @returns the document with its files; the same object if it has none
 * @throws CliFailure if a file lies outside of the folder of the document, or cannot be read
 */
export async function bundleFiles(root: LooseObject, url: URL, signal: AbortSignal): Promise<LooseObject> {
  const files = new Map<string, number>();
  const found: { readonly url: URL; readonly content: LooseObject }[] = [];
  const numberOf = (target: URL): number => {
    const known = files.get(target.href);
    if (known !== undefined) return known;
    files.set(target.href, files.size);
    return files.size - 1;
  };
  const main = rewrite(root, { base: url, document: url, prefix: '#', numberOf });
  const rewritten: unknown[] = [];
  for (let next = 0; next < files.size && next < MOST_FILES; next += 1) {
    const href = [...files.keys()][next] ?? '';
    const file = new URL(href);
    const content = await parseDocument(await fetchText(file, signal), shownUrl(file));
    found.push({ url: file, content });
    rewritten.push(rewrite(content, { base: file, document: url, prefix: `#/${FILES}/${next}`, numberOf }));
  }
  // Without other files nothing was rewritten.
  return files.size === 0 || !isObject(main) ? root : { ...main, [FILES]: rewritten };
}

interface Rewriting {
  readonly base: URL;
  readonly document: URL;
  /** How this file is referred to in the whole. */
  readonly prefix: string;
  readonly numberOf: (file: URL) => number;
}

function rewrite(value: unknown, rewriting: Rewriting): unknown {
  if (Array.isArray(value)) return value.map((each) => rewrite(each, rewriting));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? moved(member, rewriting) : rewrite(member, rewriting),
    ]),
  );
}

function moved(reference: string, { base, document, prefix, numberOf }: Rewriting): string {
  if (reference.startsWith('#')) return reference === '#' ? prefix : `${prefix}${reference.slice(1)}`;
  const target = new URL(reference, base);
  const fragment = target.hash.slice(1);
  target.hash = '';
  if (target.href === document.href) return `#${fragment}`;
  checkBelow(target, document, reference);
  return `#/${FILES}/${numberOf(target)}${fragment}`;
}
