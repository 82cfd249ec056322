/** An audit whose records a test can read. */
import { audit, type Audit, type AuditOptions, type AuditRecord, type RequestRecord } from '@sigil-mcp/audit';

/** Long enough. */
export const SECRET = 's'.repeat(32);

/** Records in memory. */
export class RecordedAudit {
  readonly lines: string[] = [];
  readonly observer: Audit;

  constructor(options: Partial<AuditOptions> = {}) {
    const sink = { isImmediate: true, write: (lines: readonly string[]) => void this.lines.push(...lines) };
    this.observer = audit({ sink, secret: SECRET, ...options });
  }

  get all(): AuditRecord[] {
    return this.lines.map((line) => JSON.parse(line) as AuditRecord);
  }

  /** The records of requests of a method. */
  of(method: string | null): RequestRecord[] {
    return requestsIn(this.all).filter((record) => record.method === method);
  }

  /** The newest of them. */
  last(method: string | null): RequestRecord {
    const found = this.of(method).at(-1);
    if (!found) throw new Error(`There is no record of ${method} among ${this.lines.join('\n')}`);
    return found;
  }
}

/** Records of requests. */
export function requestsIn(records: readonly AuditRecord[]): RequestRecord[] {
  return records.filter((record): record is RequestRecord => record.kind === 'request');
}
