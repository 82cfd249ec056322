/** Changes, told to a client that may not keep up. */
import type { ChangeNotification } from '@sigil-mcp/protocol';
import { ChangeFeed } from '../src/kernel/change-feed';

const updated = (uri: string): ChangeNotification => ({ method: 'notifications/resources/updated', uri });
const LIST: ChangeNotification = { method: 'notifications/tools/list_changed' };

describe('a feed of changes', () => {
  it('tells each change as it comes, while there is room', () => {
    const told: ChangeNotification[] = [];
    const feed = new ChangeFeed((change) => void told.push(change));
    for (const change of [updated('a:1'), updated('a:1'), LIST]) feed.tell(change);
    expect(told).toEqual([updated('a:1'), updated('a:1'), LIST]);
  });

  it('keeps the last of each kind and resource while there is no room, and tells them in their order when there is', async () => {
    const told: ChangeNotification[] = [];
    const rooms: (() => void)[] = [];
    const feed = new ChangeFeed((change) => {
      told.push(change);
      return new Promise<void>((resolve) => rooms.push(resolve));
    });
    for (let round = 0; round < 1000; round += 1)
      for (const change of [updated('a:1'), updated('a:2'), LIST]) feed.tell(change);
    expect(told).toEqual([updated('a:1')]);
    for (let turn = 0; turn < 4; turn += 1) {
      rooms.splice(0).forEach((go) => go());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(told).toEqual([updated('a:1'), updated('a:1'), updated('a:2'), LIST]);
  });

  it('goes on after a way out that failed', async () => {
    const told: ChangeNotification[] = [];
    const feed = new ChangeFeed((change) => {
      told.push(change);
      return Promise.reject(new Error('gone'));
    });
    feed.tell(LIST);
    feed.tell(updated('a:1'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([LIST, updated('a:1')]);
  });
});
