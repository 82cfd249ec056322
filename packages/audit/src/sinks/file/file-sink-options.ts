/** The options of `fileSink`. */
import { OPTION_RULES, oneOf, requireOptions, type OptionRule } from '@sigil-mcp/core/adapter';
import { checkNumber } from '../../check-number';

/** Where records are appended, and how files are rotated. */
export interface FileSinkOptions {
  /**
   * The path of the file. Its folder exists. Each process has a file of its own: `{slot}` is replaced by the lowest number, from 1 on, whose
   * file no other process has. The process continues the chain of that file.
   */
  readonly path: string;
  /** Bytes after which a file is rotated; 64 MiB if left out. */
  readonly maxBytes?: number;
  /** Whether a file is rotated when a day of UTC is over, too; true if left out. */
  readonly daily?: boolean;
  /** Rotated files that stay; 30 if left out, `Infinity` for all. */
  readonly keep?: number;
  /** Permissions of new files; `0o600` if left out. */
  readonly mode?: number;
  /**
   * Whether the records of one turn of the event loop are written together, which is faster; false if left out: each record is in the file
   * before its request is answered.
   */
  readonly batch?: boolean;
  /**
   * When the disk is asked to keep what was written: `second` (at most one second later), `each` (with each write),
   * `never` (when the system wants). `second` if left out. Only a crash of the whole machine loses what the disk does not have.
   */
  readonly fsync?: 'second' | 'each' | 'never';
}

const MAX_BYTES = 64 * 1024 * 1024;
const KEEP = 30;
const MODE = 0o600;

/** What each option may be; those that are undefined are checked where they are read, which says more about them. */
const OPTIONS: Readonly<Record<keyof FileSinkOptions, OptionRule | undefined>> = {
  path: OPTION_RULES.text,
  maxBytes: undefined,
  daily: OPTION_RULES.flag,
  keep: undefined,
  mode: { wanted: 'permissions, such as 0o600', fits: (value) => Number.isInteger(value) && Number(value) >= 0 },
  batch: OPTION_RULES.flag,
  fsync: oneOf('second', 'each', 'never'),
};

/** @throws DefinitionError for options that do not exist or are of the wrong kind, SigilError for what is no number */
export function readFileOptions(options: FileSinkOptions): Required<FileSinkOptions> {
  requireOptions('fileSink', options, OPTIONS);
  const { path, daily = true, mode = MODE, batch = false, fsync = 'second' } = options;
  const maxBytes = checkNumber('fileSink({ maxBytes })', options.maxBytes ?? MAX_BYTES);
  const keep = checkNumber('fileSink({ keep })', options.keep ?? KEEP, 0);
  return { path, daily, mode, batch, fsync, maxBytes, keep };
}
