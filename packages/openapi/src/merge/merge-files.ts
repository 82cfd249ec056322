/** All files of an API with their newer versions, and which names the code that stays refers to. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CodeReader, CodeUnit } from './code-units';
import { mergeFile, WHOLE, type MergedFile } from './merge-file';
import { identifiersIn } from './merge-imports';

/** One file to write. */
export interface FreshFile {
  readonly path: string;
  /** Its path below the project. */
  readonly shown: string;
  readonly text: string;
  /** Whether it stays as it is, because nothing in the document is about it any more. */
  readonly stays?: boolean;
}

/** The digests of what was written last, by the shown path. */
export type KnownCode = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A merged file, with its place. */
export interface MergedAt extends MergedFile {
  readonly path: string;
  readonly shown: string;
  readonly existing: string | undefined;
  /** Whether nothing in the document is about it any more. */
  readonly stays: boolean;
}

/** Merges them. */
export function mergeFiles(code: CodeReader, files: readonly FreshFile[], known: KnownCode): MergedAt[] {
  const existing = new Map(files.map(({ path }) => [path, existsSync(path) ? readFileSync(path, 'utf8') : undefined]));
  const isUsed = usesOf(code, { files, existing, known });
  const written = new Set(files.map(({ path }) => path));
  const mergeAll = (isNeeded: (name: string) => boolean): MergedAt[] =>
    files.map(({ path, shown, text, stays }) => {
      const before = existing.get(path);
      const digests = known[shown] ?? {};
      if (stays === true)
        return { path, shown, text, existing: before, stays: true, digests, conflicts: [], edited: [] };
      const crlf = before?.includes('\r\n') ?? false;
      const fresh = crlf ? text.replaceAll('\n', '\r\n') : text;
      const isWritten = (module: string): boolean =>
        written.has(resolve(dirname(path), `${module.replace(/\.js$/, '')}.ts`));
      const merged = mergeFile(code, { existing: before, fresh, known: digests, isUsed: isNeeded, isWritten });
      return { ...merged, path, shown, existing: before, stays: false };
    });
  const merged = mergeAll(isUsed);
  const missing = missingNames(code, files, merged);
  return missing.size === 0 ? merged : mergeAll((name) => isUsed(name) || missing.has(name));
}

/** What is not there, because a person has deleted or renamed it, and what other code refers to nevertheless. */
function missingNames(code: CodeReader, files: readonly FreshFile[], merged: readonly MergedAt[]): Set<string> {
  const there = new Set(merged.flatMap(({ text }) => code.unitsOf(text).map(({ name }) => name)));
  const lacking = files.flatMap(({ text }) =>
    code.unitsOf(text).flatMap(({ name }) => (there.has(name) ? [] : [name])),
  );
  if (lacking.length === 0) return new Set();
  const used = new Set(merged.flatMap(({ text }) => [...identifiersIn(code, text)]));
  return new Set(lacking.filter((name) => used.has(name)));
}

interface Before {
  readonly files: readonly FreshFile[];
  readonly existing: ReadonlyMap<string, string | undefined>;
  readonly known: KnownCode;
}

/** Whether code that a person has written or changed refers to a name, also through classes that stay because of it. */
function usesOf(code: CodeReader, { files, existing, known }: Before): (name: string) => boolean {
  const kept: string[] = [];
  const candidates: CodeUnit[] = [];
  for (const { path, shown, stays } of files) {
    const text = existing.get(path);
    const digests = known[shown] ?? {};
    if (text === undefined) continue;
    if (stays === true) {
      kept.push(ownText(text, [], {}));
      continue;
    }
    const units = code.unitsOf(text);
    candidates.push(...units.filter(({ name, digest }) => digests[name] === digest));
    if (code.digestOf(text) !== digests[WHOLE]) kept.push(ownText(text, units, digests));
  }
  const used = new Set<string>();
  for (let text = kept.pop(); text !== undefined; text = kept.pop()) {
    const words = new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);
    for (const each of candidates) {
      if (used.has(each.name) || !words.has(each.name)) continue;
      used.add(each.name);
      kept.push(each.text);
    }
  }
  return (name) => used.has(name);
}

/** A file without its imports and without the code that nobody has changed. */
function ownText(text: string, units: readonly CodeUnit[], digests: Readonly<Record<string, string>>): string {
  let own = text;
  for (const { name, digest, start, end } of [...units].reverse())
    if (digests[name] === digest) own = own.slice(0, start) + own.slice(end);
  return own.replace(/^import [^]*?from '[^']*';?$/gm, '');
}
