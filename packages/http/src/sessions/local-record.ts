/** A session in the store, as this instance knows it. */
import type { ConversationChange } from '@sigil-mcp/core/adapter';
import type { JointSaves } from './joint-saves';
import type { SessionRecord } from './session-record';

/** The record of a session, and what is not stored of it yet. */
export class LocalRecord {
  /** Changes by requests that are not stored yet; undefined without changes. */
  changes: ConversationChange[] | undefined = undefined;
  /** Saves them; made with the first of them. */
  saves: JointSaves<ConversationChange> | undefined = undefined;
  /** The number of changes by other instances since a read of the record began; undefined without a read. */
  changesDuringRead: number | undefined = undefined;

  /** @param text in the store; undefined for a session that is not stored yet */
  constructor(
    public record: SessionRecord,
    public text: string | undefined,
  ) {}

  /** Whether the store has everything. */
  get isSaved(): boolean {
    return this.text !== undefined && !this.changes && !this.saves?.isWriting;
  }

  /** Takes the changes. */
  takeChanges(): readonly ConversationChange[] {
    const changes = this.changes ?? [];
    this.changes = undefined;
    return changes;
  }
}
