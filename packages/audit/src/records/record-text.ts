/** The texts of records: their beginning, and the ids that no two records share. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core/adapter';
import type { AuditRecord } from './audit-record';

const RUN_BYTES = 9;

/** Begins records of one run of a program. */
export class RecordTexts {
  readonly #run = randomBytes(RUN_BYTES).toString('base64url');
  #count = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** The id of a further record. */
  nextId(): string {
    this.#count += 1;
    return `${this.#run}.${this.#count}`;
  }

  /** A record without its closing brace. @param members each with its comma before it */
  begin(kind: AuditRecord['kind'], members: string, time = this.clock.now(), id = this.nextId()): string {
    return `{"version":1,"kind":"${kind}","id":"${id}","time":"${timeText(time)}"${members}`;
  }

  get now(): number {
    return this.clock.now();
  }
}

/** A moment in UTC. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}
