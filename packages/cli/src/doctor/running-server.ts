/** `sigil doctor ADDRESS`: what clients make a running server hold, by its own account. */
import { isObject } from '@sigil-mcp/base';
import type { MemoryReport } from '@sigil-mcp/core/internal';
import { failure } from '../failure';
import { oneLine } from '../terminal/server-text';
import type { Finding } from './read-setup';

/** Milliseconds that a server has to answer. */
const PATIENCE = 10_000;
const MEBIBYTE = 1024 * 1024;
/** The part of a limit beyond which it is a finding. */
const MUCH = 0.9;

/**
 * Reads `/healthz` of a server.
 * @param address of any page of the server
 * @throws CliFailure if it does not answer, or does not tell
 */
export async function readMemory(address: string, signal: AbortSignal): Promise<MemoryReport> {
  const url = new URL('/healthz', address);
  const read = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      const { cause = error } = error as { readonly cause?: unknown };
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw failure('SIGIL_CLI_DOCTOR_AWAY', { url: url.href, reason: oneLine(reason) });
    },
  );
  const document: unknown = await read.json().catch(() => undefined);
  const memory = isObject(document) ? document['memory'] : undefined;
  if (read.ok && isReport(memory)) return memory;
  throw failure('SIGIL_CLI_DOCTOR_SILENT', { url: url.href });
}

function isReport(value: unknown): value is MemoryReport {
  if (!isObject(value) || !isObject(value['held']) || !isObject(value['kinds'])) return false;
  const amounts = [value['held']['bytes'], value['clients'], ...Object.values(value['kinds'])];
  return amounts.every((amount) => typeof amount === 'number');
}

/** What an operator should do; undefined for nothing. */
export function memoryFinding({ held, heap }: MemoryReport): Finding | undefined {
  if (held.limit !== null && held.bytes > MUCH * held.limit)
    return {
      problem: `Clients make the server hold ${shown(held.bytes)} of ${shown(held.limit)} (limits.held): new work is refused soon, or already.`,
      fix: 'Find out who it is (sigil.server.refusals, the log), raise limits.held with the heap, or add an instance.',
    };
  if (heap && heap.needed !== null && heap.needed > heap.limit)
    return {
      problem: `Its limits may need ${shown(heap.needed)} of heap, and its process may have ${shown(heap.limit)}.`,
      fix: `Start it with NODE_OPTIONS=--max-old-space-size=${Math.ceil(heap.needed / MEBIBYTE)}, or lower limits.held and limits.messageBytes.`,
    };
  return undefined;
}

/** @returns a table for people */
export function describeMemory({ held, kinds, clients, heap }: MemoryReport, finding: Finding | undefined): string {
  const rows = [
    ...Object.entries(kinds).map(([kind, bytes]) => [oneLine(kind), shown(bytes)] as const),
    ['held in all', `${shown(held.bytes)} of ${held.limit === null ? 'any number' : shown(held.limit)}`] as const,
    ['clients', `${clients}`] as const,
    ...(heap ? [['heap in use', `${shown(heap.used)} of ${shown(heap.limit)}`] as const] : []),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, amount]) => `${name.padEnd(width)}  ${amount}`);
  const verdict = finding ? [`✗ ${finding.problem}`, `  → ${finding.fix}`] : ['No problems found.'];
  return `${[...lines, '', ...verdict].join('\n')}\n`;
}

function shown(bytes: number): string {
  return bytes < MEBIBYTE / 10 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round((bytes / MEBIBYTE) * 10) / 10} MiB`;
}
