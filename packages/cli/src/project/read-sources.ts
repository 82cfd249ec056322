/** The sources of a program that is compiled again and again: a file that has not changed on the disk is not read again. */
import { statSync, type BigIntStats } from 'node:fs';
import type { CompilerHost, ScriptTarget, SourceFile, CreateSourceFileOptions } from 'typescript';

/** Nanoseconds: file systems do not tell two changes apart that follow each other faster. */
const UNSURE = 2_000_000_000n;

interface Read {
  readonly file: SourceFile;
  /** What tells one state of the file, and one way to read it, from another. */
  readonly state: string;
  /** How it was read. */
  readonly way: string;
  /** Whether the file would be in another state if it had changed since. */
  readonly isSure: boolean;
}

/** What was read, by path. */
export class ReadSources {
  readonly #read = new Map<string, Read>();

  /** A host that reads what has changed. @param host is changed */
  keep<Host extends CompilerHost>(host: Host): Host {
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (path, options, ...rest) => {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      const way = wayOf(options);
      const known = this.#read.get(path);
      const same = known?.way === way ? known : undefined;
      if (stats && same?.isSure && same.state === stateOf(stats)) return same.file;
      const found = getSourceFile(path, options, ...rest);
      // For the compiler, what has the same text is the same file: it checks nothing again that depends on it.
      const file = found && same?.file.text === found.text ? same.file : found;
      if (file && stats) this.#read.set(path, { file, way, state: stateOf(stats), isSure: isSure(stats) });
      else this.#read.delete(path);
      return file;
    };
    return host;
  }

  /** Reads everything again, because the options of the compiler are others. */
  forget(): void {
    this.#read.clear();
  }
}

function wayOf(options: ScriptTarget | CreateSourceFileOptions): string {
  if (typeof options !== 'object') return String(options);
  return JSON.stringify([options.languageVersion, options.impliedNodeFormat, options.jsDocParsingMode]);
}

function stateOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino].join(' ');
}

/** A file that was written a moment ago may be written again without a trace in its times. */
function isSure({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const before = BigInt(Date.now()) * 1_000_000n - UNSURE;
  return mtimeNs < before && ctimeNs < before;
}
