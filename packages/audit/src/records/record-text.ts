/** The texts of records: their beginning, and the ids that no two records share. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core/adapter';
import type { AuditRecord } from './audit-record';

const RUN_BYTES = 9;
const SECOND = 1000;

/** Begins records of one run of a program. */
export class RecordTexts {
  readonly #run = randomBytes(RUN_BYTES).toString('base64url');
  #count = 0;
  #second = 0;
  #secondText = '';

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** The id of a further record. */
  nextId(): string {
    this.#count += 1;
    return `${this.#run}.${this.#count}`;
  }

  /** A record without its closing brace. @param members each with its comma before it */
  begin(kind: AuditRecord['kind'], members: string, time = this.clock.now(), id = this.nextId()): string {
    return `{"version":1,"kind":"${kind}","id":"${id}","time":"${this.#timeText(time)}"${members}`;
  }

  get now(): number {
    return this.clock.now();
  }

  /** Most records are written in the second of the one before. */
  #timeText(time: number): string {
    const second = Math.floor(time / SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = timeText(second * SECOND).slice(0, -'000Z'.length);
    }
    return `${this.#secondText}${String(Math.floor(time) - second * SECOND).padStart(3, '0')}Z`;
  }
}

/** A moment in UTC. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}
