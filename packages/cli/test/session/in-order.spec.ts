/** Notifications that came before a response are handled before it. */
import { inOrder } from '../../src/session/in-order';
import type { Message, Transport } from '../../src/official-client';

const silent = (): Transport => ({
  start: () => Promise.resolve(),
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
});
const progress: Message = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
};
const result: Message = { jsonrpc: '2.0', id: 1, result: {} };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('hands on a notification at once, and a response with the next turn, so that a listener that takes a moment is in time', async () => {
  const transport = inOrder(silent());
  const heard: string[] = [];
  transport.onmessage = (message) => {
    if (!('method' in message)) return void heard.push('response');
    // The official client handles a notification in a microtask.
    void Promise.resolve().then(() => heard.push('notification'));
  };
  transport.onmessage(progress);
  transport.onmessage(result);
  expect(heard).toEqual([]);
  await turn();
  expect(heard).toEqual(['notification', 'response']);
});

it('has no listener before there is one, and forgets one that is taken away', async () => {
  const transport = inOrder(silent());
  expect(transport.onmessage).toBeUndefined();
  const heard: Message[] = [];
  transport.onmessage = (message) => void heard.push(message);
  const deliver = transport.onmessage;
  deliver(result);
  transport.onmessage = undefined;
  await turn();
  expect([heard, transport.onmessage]).toEqual([[], undefined]);
});
