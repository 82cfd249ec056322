/** The contract as a file: stable in its order, with a line for each thing that can change. */
import { isObject } from '@sigil-mcp/base';
import { contractError } from '../errors';
import { CONTRACT_FORMAT, CONTRACT_KINDS, type ServerContract } from './contract';

/** The text of the file; it ends with a line end. */
export function writeContract(contract: ServerContract): string {
  return `${JSON.stringify(contract, null, 2)}\n`;
}

/**
 * Reads the text of a file.
 * @param name of the file, for messages
 * @throws SigilError `SIGIL_CONTRACT_FILE` for a text that is no contract, `SIGIL_CONTRACT_FORMAT` for one of a later version
 */
export function readContract(text: string, name: string): ServerContract {
  const read = parse(text, name);
  if (!isObject(read) || !('contract' in read))
    throw contractError('SIGIL_CONTRACT_FILE', { file: name, reason: 'it has no member "contract"' });
  const { contract: format, server, entries, revisions } = read;
  if (format !== CONTRACT_FORMAT)
    throw contractError('SIGIL_CONTRACT_FORMAT', { file: name, format: JSON.stringify(format) });
  const isWhole =
    isObject(server) && isObject(entries) && Array.isArray(revisions) && Array.isArray(read['extensions']);
  if (
    !isWhole ||
    !CONTRACT_KINDS.every((kind) => isObject(entries[kind]) && Object.values(entries[kind]).every(isEntry))
  )
    throw contractError('SIGIL_CONTRACT_FILE', { file: name, reason: 'parts of it are missing' });
  // Written by `writeContract`, or by hand in its form.
  return read as unknown as ServerContract;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw contractError('SIGIL_CONTRACT_FILE', {
      file,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

function isEntry(value: unknown): boolean {
  return isObject(value) && isObject(value['definition']);
}
