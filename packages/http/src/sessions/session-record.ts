/** A session in the store: one JSON text, which is small because each session has one. */
import {
  changeRecord,
  isConversationRecord,
  isObject,
  type ConversationChange,
  type ConversationRecord,
} from '@sigil-mcp/core/adapter';
import type { StreamLease } from '../streams/stream-lease';

/** The data that any instance needs to continue a session. Of two texts of one session, the one with the higher `n` is newer. */
export interface SessionRecord extends StreamLease {
  /** The endpoint that it was opened at; no other endpoint serves it. */
  readonly endpoint: string;
  /** The owner; undefined without authentication. */
  readonly principal?: string | undefined;
  readonly conversation: ConversationRecord;
}

/** A record with changes of its conversation; the same object if they have no effect. */
export function withChanges(record: SessionRecord, changes: readonly ConversationChange[]): SessionRecord {
  const conversation = changes.reduce(changeRecord, record.conversation);
  return conversation === record.conversation ? record : { ...record, conversation };
}

/** Reads a record; undefined for one of another version, which is treated as missing. */
export function readRecord(text: string): SessionRecord | undefined {
  try {
    const record: unknown = JSON.parse(text);
    const isRecord =
      isObject(record) && typeof record['n'] === 'number' && isConversationRecord(record['conversation']);
    return isRecord ? (record as unknown as SessionRecord) : undefined;
  } catch {
    return undefined;
  }
}
