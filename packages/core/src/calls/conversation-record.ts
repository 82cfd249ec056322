/** A conversation in a form that another process can continue: plain JSON, and the changes of it. */
import { LOG_LEVELS, type ClientCapabilities, type LogLevel } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/base';
import { normalUri } from '../values/normal-uri';

/** The state of a conversation that `initialize` opened. Names are short, because each session stores one of these. */
export interface ConversationRecord {
  /** The date of the revision. */
  readonly revision: string;
  /** Name, version and capabilities of the client. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly capabilities: ClientCapabilities;
  /** The lowest level of log messages that the client wants to receive. */
  readonly level: LogLevel;
  /** Whether the client has reported that it is ready for questions. */
  readonly ready: boolean;
  /** The resources that it has subscribed to, in the normal form of their URIs: records are searched again and again. */
  readonly subscribed: readonly string[];
  /** Normal form -> the URI as the client has written it, where that is another text. Left out for none. */
  readonly spelled?: Readonly<Record<string, string>> | undefined;
  /** How often its roots have changed. */
  readonly roots: number;
}

/** One change of a conversation. Changes of two processes are both applied, in any order. */
export type ConversationChange =
  | { readonly kind: 'level'; readonly level: LogLevel }
  | { readonly kind: 'ready' | 'roots' }
  | { readonly kind: 'subscribed' | 'unsubscribed'; readonly uri: string };

/** Whether a stored value is a record; another version of a server may have written something else. */
export function isConversationRecord(value: unknown): value is ConversationRecord {
  if (!isObject(value)) return false;
  const { revision, capabilities, level, ready, subscribed, spelled = {}, roots } = value;
  const areTexts =
    Array.isArray(subscribed) && subscribed.every(isText) && isObject(spelled) && Object.values(spelled).every(isText);
  const isKnown =
    LOG_LEVELS.some((known) => known === level) && typeof ready === 'boolean' && typeof roots === 'number';
  return typeof revision === 'string' && isObject(capabilities) && areTexts && isKnown;
}

/** A record after a change; the same object if it changes nothing. */
export function changeRecord(record: ConversationRecord, change: ConversationChange): ConversationRecord {
  switch (change.kind) {
    case 'level':
      return record.level === change.level ? record : { ...record, level: change.level };
    case 'ready':
      return record.ready ? record : { ...record, ready: true };
    case 'roots':
      return { ...record, roots: record.roots + 1 };
    case 'subscribed':
      return withSubscription(record, change.uri);
    case 'unsubscribed':
      return withoutSubscription(record, normalUri(change.uri));
  }
}

function withSubscription(record: ConversationRecord, uri: string): ConversationRecord {
  const key = normalUri(uri);
  if (record.subscribed.includes(key)) return record;
  const subscribed = [...record.subscribed, key];
  return key === uri
    ? { ...record, subscribed }
    : { ...record, subscribed, spelled: { ...record.spelled, [key]: uri } };
}

function withoutSubscription(record: ConversationRecord, key: string): ConversationRecord {
  const subscribed = record.subscribed.filter((each) => each !== key);
  if (subscribed.length === record.subscribed.length) return record;
  if (!record.spelled || !Object.hasOwn(record.spelled, key)) return { ...record, subscribed };
  const { [key]: _ended, ...spelled } = record.spelled;
  return { ...record, subscribed, spelled };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
