/** A session as it stands in the store: one JSON text, small because there is one for each session. */
import {
  changeRecord,
  isConversationRecord,
  isObject,
  type ConversationChange,
  type ConversationRecord,
} from '@sigil-mcp/core/adapter';

/** What any instance needs to go on with a session. */
export interface SessionRecord {
  /** Counts the changes of the record: of two texts of one session the higher one is newer. */
  readonly n: number;
  /** The endpoint that it was opened at; no other serves it. */
  readonly endpoint: string;
  /** Who opened it; undefined where nobody was authenticated. */
  readonly principal?: string | undefined;
  /** The instance that holds the stream which belongs to no request; undefined while none does. */
  readonly holder?: string | undefined;
  /** Where that stream has come to among the changes of the server; undefined before it was first opened. */
  readonly position?: string | undefined;
  readonly conversation: ConversationRecord;
}

/** A record after changes of its conversation; the same one where they change nothing. */
export function withChanges(record: SessionRecord, changes: readonly ConversationChange[]): SessionRecord {
  const conversation = changes.reduce(changeRecord, record.conversation);
  return conversation === record.conversation ? record : { ...record, conversation };
}

/** Reads a record; undefined for a text of another version, which is as good as none. */
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
