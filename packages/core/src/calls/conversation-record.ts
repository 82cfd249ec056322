/** A conversation as another process can go on with it: plain JSON, and what may change of it. */
import { LOG_LEVELS, type ClientCapabilities, type LogLevel } from '@sigil-mcp/protocol';
import { isObject } from '../values/plain-object';

/** What is known of a conversation that `initialize` opened. Short names: there is one of these for each session. */
export interface ConversationRecord {
  /** The date of the revision. */
  readonly revision: string;
  /** Name, version and capabilities of the client. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly capabilities: ClientCapabilities;
  /** The least severe level that the client wants to hear of. */
  readonly level: LogLevel;
  /** Whether the client has said that it can be asked. */
  readonly ready: boolean;
  /** The resources that it has subscribed to. */
  readonly subscribed: readonly string[];
  /** How often its roots have changed. */
  readonly roots: number;
}

/** One change of a conversation. Changes of two processes are both made, in whichever order they come. */
export type ConversationChange =
  | { readonly kind: 'level'; readonly level: LogLevel }
  | { readonly kind: 'ready' | 'roots' }
  | { readonly kind: 'subscribed' | 'unsubscribed'; readonly uri: string };

/** Whether what was read is a record, as another version of a server may have written something else. */
export function isConversationRecord(value: unknown): value is ConversationRecord {
  if (!isObject(value)) return false;
  const { revision, capabilities, level, ready, subscribed, roots } = value;
  const areTexts = Array.isArray(subscribed) && subscribed.every((uri) => typeof uri === 'string');
  const isKnown =
    LOG_LEVELS.some((known) => known === level) && typeof ready === 'boolean' && typeof roots === 'number';
  return typeof revision === 'string' && isObject(capabilities) && areTexts && isKnown;
}

/** A record after a change; the same one where it changes nothing. */
export function changeRecord(record: ConversationRecord, change: ConversationChange): ConversationRecord {
  switch (change.kind) {
    case 'level':
      return record.level === change.level ? record : { ...record, level: change.level };
    case 'ready':
      return record.ready ? record : { ...record, ready: true };
    case 'roots':
      return { ...record, roots: record.roots + 1 };
    case 'subscribed':
      if (record.subscribed.includes(change.uri)) return record;
      return { ...record, subscribed: [...record.subscribed, change.uri] };
    case 'unsubscribed':
      if (!record.subscribed.includes(change.uri)) return record;
      return { ...record, subscribed: record.subscribed.filter((uri) => uri !== change.uri) };
  }
}
