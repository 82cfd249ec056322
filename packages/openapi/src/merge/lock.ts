/** The lock of an API: what was written from which operations, so that a later run knows what a person has changed since. */
import { isObject } from '@sigil-mcp/base';
import { existsSync, readFileSync } from 'node:fs';
import { reasonOf } from '@sigil-mcp/cli/kit';
import { failure } from '../errors';
import type { OperationDigest } from '../operations/operation-digest';

/** The file, in the folder of the features. */
export const LOCK_FILE = 'openapi.lock.json';
const VERSION = 1;

/** What is remembered of an operation. */
export interface LockedOperation extends OperationDigest {
  readonly tool: string;
  readonly feature: string;
}

/** Which operations were chosen. */
export interface LockedChoice {
  readonly tags: readonly string[];
  readonly only: readonly string[];
  /** Operations that a person picked. */
  readonly picked: readonly string[];
  /** Whether all operations of the document are wanted. */
  readonly all: boolean;
  /** The path of the rules below the project. */
  readonly rules: string | undefined;
}

/** The content of the file. */
export interface Lock {
  readonly document: {
    readonly source: string;
    readonly title: string;
    readonly version: string;
    readonly digest: string;
  };
  /** The address that was typed instead of that in the document. */
  readonly server: string | undefined;
  readonly choice: LockedChoice;
  readonly operations: Readonly<Record<string, LockedOperation>>;
  /** Names of classes by what they are made of. */
  readonly classes: Readonly<Record<string, string>>;
  /** Digests of written code: by the path below the project, and within it by its name. */
  readonly code: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** @throws CliFailure if it is no lock of this version */
export function readLock(path: string, shown: string): Lock | undefined {
  if (!existsSync(path)) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw failure('SIGIL_OPENAPI_LOCK', { file: shown, reason: reasonOf(error) });
  }
  if (isLock(content)) return content;
  throw failure('SIGIL_OPENAPI_LOCK', { file: shown, reason: `it is no lock of version ${VERSION}` });
}

/** The lock as a file: its members in a fixed order, so that changes are easy to read. */
export function writeLock(lock: Lock): string {
  const { document, server, choice, operations, classes, code } = lock;
  const whole = {
    lockVersion: VERSION,
    document,
    server,
    choice,
    operations: sorted(operations),
    classes,
    code: sorted(code),
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

function sorted<Value>(members: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isLock(content: unknown): content is Lock & { readonly lockVersion: number } {
  if (!isObject(content) || content['lockVersion'] !== VERSION) return false;
  return ['document', 'choice', 'operations', 'classes', 'code'].every((name) => isObject(content[name]));
}
