/** What a stored conversation says of subscriptions: each URI in its normal form, and as its client has written it. */
import { changeRecord, isConversationRecord, type ConversationRecord } from '../src/calls/conversation';
import { ResourceSubscriptions } from '../src/conversations/resource-subscriptions';

const EMPTY: ConversationRecord = {
  revision: '2025-11-25',
  capabilities: {},
  level: 'info',
  ready: true,
  subscribed: [],
  roots: 0,
};
const subscribe = (record: ConversationRecord, uri: string): ConversationRecord =>
  changeRecord(record, { kind: 'subscribed', uri });
const unsubscribe = (record: ConversationRecord, uri: string): ConversationRecord =>
  changeRecord(record, { kind: 'unsubscribed', uri });
const restored = (record: ConversationRecord): ResourceSubscriptions => {
  const subscriptions = new ResourceSubscriptions();
  subscriptions.replace(record, () => () => undefined);
  return subscriptions;
};

describe('the record of a conversation', () => {
  const stored = JSON.parse(
    JSON.stringify(subscribe(subscribe(EMPTY, 'NOTES://a/%7eb'), 'notes://c')),
  ) as ConversationRecord;

  it('has a subscription once, in whatever way its URI is written', () => {
    expect(subscribe(stored, 'notes://A/~b')).toBe(stored);
    expect(unsubscribe(stored, 'notes://a/%7Eb')).toMatchObject({ subscribed: ['notes://c'], spelled: {} });
    expect(unsubscribe(stored, 'notes://d')).toBe(stored);
  });

  it('tells another process how the client has written each URI', () => {
    const subscriptions = restored(stored);
    expect(subscriptions.uris).toEqual(['NOTES://a/%7eb', 'notes://c']);
    expect(subscriptions.find('notes://a/~b')).toBe('NOTES://a/%7eb');
    expect(subscriptions.record).toEqual({ subscribed: stored.subscribed, spelled: stored.spelled });
  });

  it('has a URI that is named as a member of every object', () => {
    const odd = JSON.parse(
      JSON.stringify(subscribe(subscribe(EMPTY, 'constructor'), '__proto__')),
    ) as ConversationRecord;
    expect(restored(odd).uris).toEqual(['constructor', '__proto__']);
    expect(unsubscribe(odd, 'constructor').subscribed).toEqual(['__proto__']);
  });

  it('is none with a spelling that is no text', () => {
    expect(isConversationRecord(stored)).toBe(true);
    expect(isConversationRecord({ ...stored, spelled: { 'notes://c': 1 } })).toBe(false);
    expect(isConversationRecord({ ...stored, spelled: 'notes://c' })).toBe(false);
  });

  it('writes one URI in its normal form for a change, however many there are', () => {
    const uris = Array.from({ length: 500 }, (_, index) => `NOTES://${index}/%7e`);
    const many = uris.reduce(subscribe, EMPTY);
    const replaced = jest.spyOn(String.prototype, 'replace');
    const more = subscribe(many, 'NOTES://more/%7e');
    const fewer = unsubscribe(more, 'notes://7/~');
    // Two for each URI, and one for its authority.
    expect(replaced.mock.calls.length).toBeLessThanOrEqual(6);
    restored(fewer);
    expect(replaced.mock.calls.length).toBeLessThanOrEqual(6);
    replaced.mockRestore();
    expect([more.subscribed.length, fewer.subscribed.length]).toEqual([501, 500]);
  });
});
