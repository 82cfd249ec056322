/** Reads the chains that `sigil audit verify` was given: files of one chain, or folders with many. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FoundChain, LineFault, VerifiedChain, VerifyOptions } from '@sigil-mcp/audit/verify';
import { reasonOf, wrongUsage } from '../failure';
import type { Shell } from '../terminal/shell';

/** One chain. All files have the names that the user gave them. */
export interface ReadChain {
  /** The file that is written to. */
  readonly name: string;
  /** The files that are there, the oldest first. */
  readonly files: readonly string[];
  /** What was found; why nothing could be read otherwise. */
  readonly found: VerifiedChain | { readonly unreadable: string };
}

/** What is in folders. */
export interface ReadFolders {
  readonly chains: readonly ReadChain[];
  /** Files without audit records. */
  readonly others: readonly string[];
}

/** Names a file as the user did. */
type NameFile = (path: string) => string;

const REASON = /^[A-Z]+: ([^,]+)/;

/** Whether any of the names is that of a folder. @throws CliFailure if there are files, too */
export function areFolders(shell: Pick<Shell, 'path'>, names: readonly string[]): boolean {
  const folders = names.filter((name) => statSync(shell.path(name), { throwIfNoEntry: false })?.isDirectory());
  if (folders.length === 0) return false;
  if (folders.length < names.length) throw wrongUsage('SIGIL_AUDIT_MIXED', { folder: folders[0] ?? '' });
  return true;
}

/** Verifies files as one chain. @throws CliFailure if one of them cannot be read */
export async function readFiles(
  shell: Pick<Shell, 'path'>,
  names: readonly string[],
  options: VerifyOptions,
): Promise<VerifiedChain> {
  const typed = new Map(names.map((name) => [shell.path(name), name]));
  const found = await verifyNamed([...typed.keys()], { ...options, nameFile: (path) => typed.get(path) ?? path });
  if ('unreadable' in found) throw wrongUsage('SIGIL_AUDIT_UNREADABLE', { reason: found.unreadable });
  return found;
}

/** Verifies every chain in folders. @throws CliFailure if a folder cannot be read, or has no records */
export async function readFolders(
  shell: Pick<Shell, 'path'>,
  names: readonly string[],
  options: VerifyOptions,
): Promise<ReadFolders> {
  const { findChains } = await import('@sigil-mcp/audit/verify');
  const [chains, others]: [ReadChain[], string[]] = [[], []];
  for (const name of names) {
    const nameFile: NameFile = (path) => join(name, relative(shell.path(name), path));
    const inFolder = readFolder(() => findChains(shell.path(name)), nameFile);
    if (inFolder.chains.length === 0) throw wrongUsage('SIGIL_AUDIT_NO_RECORDS', { folder: name });
    for (const chain of inFolder.chains) chains.push(await readChain(chain, { ...options, nameFile }));
    others.push(...inFolder.others.map(nameFile));
  }
  return { chains, others };
}

function readFolder<T>(read: () => T, nameFile: NameFile): T {
  try {
    return read();
  } catch (error) {
    throw wrongUsage('SIGIL_AUDIT_UNREADABLE', { reason: reasonFor(error, nameFile) });
  }
}

async function readChain(
  { path, files, hasEnd }: FoundChain,
  options: VerifyOptions & { readonly nameFile: NameFile },
): Promise<ReadChain> {
  const found = await verifyNamed(files, { ...options, ...(hasEnd && { head: path }) });
  return { name: options.nameFile(path), files: files.map(options.nameFile), found };
}

/** The package is loaded by this command alone. */
async function verifyNamed(
  files: readonly string[],
  { nameFile, ...options }: VerifyOptions & { readonly nameFile: NameFile },
): Promise<ReadChain['found']> {
  const { verifyChain } = await import('@sigil-mcp/audit/verify');
  try {
    const { faults, torn, ...chain } = await verifyChain(files, options);
    const named = <Place extends Pick<LineFault, 'file'>>(place: Place): Place => ({
      ...place,
      file: nameFile(place.file),
    });
    return { ...chain, faults: faults.map(named), torn: torn && named(torn) };
  } catch (error) {
    return { unreadable: reasonFor(error, nameFile) };
  }
}

/** What the system says, with the file as the user named it. */
function reasonFor(error: unknown, nameFile: NameFile): string {
  const path = error instanceof Error && 'path' in error ? nameFile(String(error.path)) : undefined;
  const reason = REASON.exec(reasonOf(error))?.[1] ?? reasonOf(error);
  return path === undefined ? reason : `${path}: ${reason}`;
}
