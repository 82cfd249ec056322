/** Parts that the specs of this package share. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@sigil-mcp/core/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { AuditKeys } from '../src/chain/audit-keys';
import { Chain, writeMark } from '../src/chain/chain';
import type { SinkOpening } from '../src/sinks/audit-sink';

export const SECRET = 'k'.repeat(32);
export const keys = new AuditKeys(SECRET);

const folders: string[] = [];

/** A folder that is removed with the spec. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-audit-'));
  folders.push(folder);
  return folder;
}

/** Removes them. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A log that a test reads. */
export class ReadableLog implements Logger {
  readonly lines: string[] = [];
  readonly debug = (): void => undefined;
  readonly info = (_: object, message: string): void => void this.lines.push(`info: ${message}`);
  readonly warn = (_: object, message: string): void => void this.lines.push(`warn: ${message}`);
  readonly error = (_: object, message: string): void => void this.lines.push(`error: ${message}`);
}

/** What a sink is opened with. */
export interface TestOpening extends SinkOpening {
  readonly logger: ReadableLog;
  readonly clock: ManualClock;
}

export function openingWith(clock = new ManualClock()): TestOpening {
  const mark = (hash: string): string => writeMark(hash, new Date(clock.now()).toISOString(), keys);
  return { logger: new ReadableLog(), clock, takesStdout: false, mark };
}

/** Seals numbered records. */
export function sealed(chain: Chain, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    chain.seal(`{"version":1,"kind":"request","id":"r.${index}","time":"2026-01-01T00:00:00.000Z","ms":${index}`),
  );
}

export { Chain };
