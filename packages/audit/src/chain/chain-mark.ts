/** The head of a chain next to its file: without it, nobody could tell that the newest records were removed. */
import { isObject } from '@sigil-mcp/core/adapter';
import type { AuditKeys } from './audit-keys';

/** The end of the name of the file that holds it. */
export const MARK_SUFFIX = '.head';

/** What the file says. */
export interface ChainMark {
  readonly time: string;
  readonly hash: string;
  readonly proof: string;
}

/** Writes a mark. */
export function writeMark(hash: string, time: string, keys: Pick<AuditKeys, 'ofHead'>): string {
  return `${JSON.stringify({ version: 1, time, hash, proof: keys.ofHead(`${time} ${hash}`) })}\n`;
}

/** Reads a mark. @returns undefined for any other text */
export function readMark(text: string): ChainMark | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (!isObject(read)) return undefined;
    const { time, hash, proof } = read;
    return typeof time === 'string' && typeof hash === 'string' && typeof proof === 'string'
      ? { time, hash, proof }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a mark was written with these keys. */
export function isProven({ time, hash, proof }: ChainMark, keys: Pick<AuditKeys, 'ofHead'>): boolean {
  return keys.ofHead(`${time} ${hash}`) === proof;
}
