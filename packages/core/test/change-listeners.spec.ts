/** Whom a change is told: only listeners that hear it are asked, however many others there are. */
import { describe, expect, it } from '@jest/globals';
import type { ChangeNotification } from '@sigil-mcp/protocol';
import type { FollowSubscription } from '../src/calls/conversation';
import { ANONYMOUS } from '../src/context/caller';
import { ResourceSubscriptions } from '../src/conversations/resource-subscriptions';
import { ChangeListeners, type ChangeListener } from '../src/kernel/change-listeners';
import type { ListChange } from '../src/kinds/entry-kind-rules';
import { Registry } from '../src/registry/registry';

const TOOLS = 'notifications/tools/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';

/** A listener that counts how often its caller is asked for. */
class Counted implements ChangeListener {
  readonly subscriptions = new ResourceSubscriptions();
  readonly heard: string[] = [];
  asked = 0;

  readonly lists?: ReadonlySet<ListChange>;

  constructor(
    lists?: ReadonlySet<ListChange>,
    private readonly log: string[] = [],
    private readonly name = '',
  ) {
    if (lists) this.lists = lists;
  }

  get caller(): typeof ANONYMOUS {
    this.asked += 1;
    return ANONYMOUS;
  }

  hear(change: ChangeNotification): void {
    this.heard.push('uri' in change ? change.uri : change.method);
    this.log.push(this.name);
  }

  followSubscriptions(follower: FollowSubscription): () => void {
    return this.subscriptions.follow(follower);
  }

  subscribe(uri: string): void {
    this.subscriptions.begin(
      uri,
      () => undefined,
      () => undefined,
    )(true);
  }
}

function open(lists: readonly ListChange[] = [TOOLS, PROMPTS]): ChangeListeners {
  return new ChangeListeners(new Registry(100), lists);
}

describe('a change of a resource', () => {
  it('asks its subscribers alone, among ten thousand sessions', () => {
    const listeners = open();
    const others = Array.from({ length: 10_000 }, (_, index) => {
      const other = new Counted();
      other.subscribe(`item://${index}`);
      listeners.add(other);
      return other;
    });
    const [before, after] = [new Counted(), new Counted()];
    before.subscribe('item://mine');
    listeners.add(before);
    listeners.add(after);
    after.subscribe('item://mine');
    listeners.announce('item://mine');
    expect([before.heard, after.heard]).toEqual([['item://mine'], ['item://mine']]);
    expect(others.reduce((sum, { asked }) => sum + asked, 0)).toBe(0);
  });

  it('is told to its subscribers in the order in which they subscribed, each once', () => {
    const [listeners, log] = [open(), [] as string[]];
    const named = ['one', 'two', 'three'].map((name) => new Counted(undefined, log, name));
    for (const listener of named) listeners.add(listener);
    for (const listener of [...named].reverse()) listener.subscribe('item://a');
    listeners.announce('item://a');
    expect(log).toEqual(['three', 'two', 'one']);
  });

  it('is not told to a client that has unsubscribed, whose conversation is over, or whose listener was removed', () => {
    const listeners = open();
    const [unsubscribes, ends, leaves, stays] = [new Counted(), new Counted(), new Counted(), new Counted()];
    const all = [unsubscribes, ends, leaves, stays];
    for (const listener of all) listener.subscribe('item://a');
    const [, , remove] = all.map((listener) => listeners.add(listener));
    unsubscribes.subscriptions.delete('item://a');
    ends.subscriptions.end();
    remove?.();
    leaves.subscribe('item://b');
    for (const uri of ['item://a', 'item://b']) listeners.announce(uri);
    expect(all.map(({ heard }) => heard)).toEqual([[], [], [], ['item://a']]);
    expect(listeners.size).toBe(3);
  });

  it('is told to both connections of a client that has two, until one of them is closed', () => {
    const listeners = open();
    const client = new ResourceSubscriptions();
    client.replace({ subscribed: ['item://a'] }, () => () => undefined);
    const [first, second] = [new Counted(), new Counted()];
    for (const listener of [first, second])
      listener.followSubscriptions = (follower: FollowSubscription) => client.follow(follower);
    const remove = listeners.add(first);
    listeners.add(second);
    listeners.announce('item://a');
    remove();
    listeners.announce('item://a');
    client.delete('item://a');
    listeners.announce('item://a');
    expect([first.heard.length, second.heard.length]).toEqual([1, 2]);
  });
});

describe('a change of a list', () => {
  it('asks those that hear it: all sessions, and the streams that were opened for it', () => {
    const listeners = open();
    const [session, tools, prompts] = [new Counted(), new Counted(new Set([TOOLS])), new Counted(new Set([PROMPTS]))];
    for (const listener of [session, tools, prompts]) listeners.add(listener);
    listeners.announceList(TOOLS);
    expect([session.heard, tools.heard, prompts.heard]).toEqual([[TOOLS], [TOOLS], []]);
    expect(prompts.asked).toBe(0);
  });

  it('is told to nobody that was removed', () => {
    const listeners = open();
    const [session, stream] = [new Counted(), new Counted(new Set([TOOLS]))];
    for (const listener of [session, stream]) listeners.add(listener)();
    listeners.announceList(TOOLS);
    expect([session.heard, stream.heard, listeners.size]).toEqual([[], [], 0]);
  });
});

describe('a loss of changes', () => {
  it('is told as a change of every list, and of every resource that a client is subscribed to', () => {
    const listeners = open();
    const one = new Counted();
    one.subscribe('item://a');
    listeners.add(one);
    listeners.tellAll();
    expect(one.heard).toEqual([TOOLS, PROMPTS, 'item://a']);
  });
});
