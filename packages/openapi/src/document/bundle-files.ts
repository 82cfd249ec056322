/** Brings the files that a document refers to into the document itself, so that each reference is a pointer within it. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import { checkBelow, DOCUMENT_LIMITS, fetchText, refuseDocument, shownUrl } from './fetch-text';
import { parseDocument } from './parse-document';
import { METHODS, Pointers } from './pointers';

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
  const bundle = new DocumentBundle(root, url);
  const end = AbortSignal.timeout(LONGEST);
  let size = 0;
  for (let file = bundle.next(); file !== undefined; file = bundle.next()) {
    if (end.aborted) refuseDocument(url, `its files did not arrive within ${LONGEST / 60_000} minutes`);
    const text = await fetchText(file.url, signal);
    size += text.length;
    if (size > MOST_CHARACTERS) refuseDocument(url, `its files have more than ${MOST_CHARACTERS / 1_000_000} MB`);
    file.content = parseDocument(text, shownUrl(file.url));
  }
  return bundle.whole();
}

/** The name of a file, which may become that of a class. */
function freeKey({ pathname }: URL, taken: ReadonlyMap<string, unknown>): string {
  const name = (pathname.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replace(/[^A-Za-z0-9-]+/g, '-') || 'file';
  let key = name;
  for (let number = 2; taken.has(key); number += 1) key = `${name}-${number}`;
  return key;
}

/** The parts below a part of a document, by the member that holds them: one part, a list of them, or `[kind]` for parts with names. */
type PartMembers = Readonly<Record<string, string | readonly [string]>>;

/**
 * The parts that tools are made of. Every other `$ref` is a text or needed by no tool: that of an example, a default or an extension, of a callback, or of a component that nothing refers to.
 * @see https://spec.openapis.org/oas/v3.1.1.html#reference-object
 */
const PARTS: Readonly<Record<string, PartMembers>> = {
  document: { paths: ['pathItem'], components: 'components' },
  // Operations name security schemes without a reference.
  components: { securitySchemes: ['securityScheme'] },
  pathItem: { ...Object.fromEntries(METHODS.map((method) => [method, 'operation'])), parameters: 'parameter' },
  operation: { parameters: 'parameter', requestBody: 'content', responses: ['content'] },
  content: { content: ['mediaType'] },
  parameter: { schema: 'schema', content: ['mediaType'] },
  mediaType: { schema: 'schema' },
  schema: {
    ...{ properties: ['schema'], additionalProperties: 'schema', items: 'schema' },
    ...{ allOf: 'schema', oneOf: 'schema', anyOf: 'schema' },
  },
};
/** Kinds among whose names there may be extensions. */
const EXTENSIBLE = new Set(['pathItem', 'content']);

/** One file of a document. */
interface BundledFile {
  readonly url: URL;
  /** How it is referred to in the whole. */
  readonly prefix: string;
  /** Undefined until it has arrived. */
  content: LooseObject | undefined;
}

/** The target of a reference. It is of the kind that the place of the reference wants. */
interface ReferenceTarget {
  readonly file: BundledFile;
  readonly pointer: string;
  readonly kind: string;
}

/** The files of a document, as far as references of its tools lead. */
class DocumentBundle {
  readonly #main: BundledFile;
  /** By their names in the whole. */
  readonly #files = new Map<string, BundledFile>();
  readonly #targets: ReferenceTarget[] = [];
  readonly #walked = new Set<object>();
  /** The new text of references, by the object that holds them. */
  readonly #moved = new Map<object, string>();
  readonly #pointers = new Map<BundledFile, Pointers>();

  constructor(root: LooseObject, url: URL) {
    this.#main = { url, prefix: '#', content: root };
    this.#walk(root, 'document', this.#main);
  }

  /** Follows references, up to a file that has not arrived; undefined if all have. */
  next(): BundledFile | undefined {
    for (let target = this.#targets.at(-1); target !== undefined; target = this.#targets.at(-1)) {
      const { file, pointer, kind } = target;
      if (file.content === undefined) return file;
      const pointers = this.#pointers.get(file) ?? new Pointers(file.content);
      this.#pointers.set(file, pointers);
      this.#targets.pop();
      this.#walk(pointers.find(`#${pointer}`), kind, file);
    }
    return undefined;
  }

  /** The document with everything that was followed. */
  whole(): LooseObject {
    const { content: root = {} } = this.#main;
    if (this.#moved.size === 0) return root;
    const whole = Object.entries(root).map(([name, part]) => [name, this.#rewritten(part)] as const);
    const files = [...this.#files].map(([key, { content }]) => [key, this.#rewritten(content)] as const);
    return { ...Object.fromEntries(whole), ...(files.length > 0 && { [FILES]: Object.fromEntries(files) }) };
  }

  #walk(part: unknown, kind: string, file: BundledFile): void {
    if (Array.isArray(part)) return part.forEach((each) => this.#walk(each, kind, file));
    if (!isObject(part) || this.#walked.has(part)) return;
    this.#walked.add(part);
    if (typeof part['$ref'] === 'string') this.#refer(part, part['$ref'], { file, kind });
    for (const [member, held] of Object.entries(PARTS[kind] ?? {})) {
      const below = part[member];
      if (typeof held === 'string') this.#walk(below, held, file);
      else if (isObject(below))
        for (const [name, each] of Object.entries(below))
          if (!EXTENSIBLE.has(held[0]) || !name.startsWith('x-')) this.#walk(each, held[0], file);
    }
  }

  /** @throws CliFailure for a reference that is no address, or leads out of the folder of the document */
  #refer(holder: object, reference: string, { file, kind }: Omit<ReferenceTarget, 'pointer'>): void {
    const { url } = this.#main;
    if (!URL.canParse(reference, file.url.href))
      refuseDocument(file.url, `its $ref ${JSON.stringify(reference)} is no address`);
    const address = new URL(reference, file.url);
    const pointer = address.hash.slice(1);
    address.hash = '';
    if (!reference.startsWith('#')) checkBelow(address, url, reference);
    const target = reference.startsWith('#') ? file : this.#fileAt(address);
    const moved = `${target.prefix}${pointer}`;
    if (moved !== reference) this.#moved.set(holder, moved);
    this.#targets.push({ file: target, pointer, kind });
  }

  /** @throws CliFailure if the files are too many */
  #fileAt(url: URL): BundledFile {
    const known = [this.#main, ...this.#files.values()].find((each) => each.url.href === url.href);
    if (known) return known;
    if (this.#files.size === MOST_FILES) refuseDocument(this.#main.url, `it consists of more than ${MOST_FILES} files`);
    const key = freeKey(url, this.#files);
    const file = { url, prefix: `#/${FILES}/${key}`, content: undefined };
    this.#files.set(key, file);
    return file;
  }

  #rewritten(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((each) => this.#rewritten(each));
    if (!isObject(part)) return part;
    const moved = this.#moved.get(part);
    const members = Object.entries(part).map(([name, each]) => [name, this.#rewritten(each)] as const);
    return { ...Object.fromEntries(members), ...(moved !== undefined && { $ref: moved }) };
  }
}
