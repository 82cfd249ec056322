/** Everybody who uses the cluster of a run. */
import { client2, sdk1 } from '../clients/official-client';
import type { Actor } from './actor';
import { aloneCaller } from './alone-caller';
import { asker } from './asker';
import { caller } from './caller';
import { canceller } from './canceller';
import { deleter } from './deleter';
import { levelSetter } from './level-setter';
import { listWatcher } from './list-watcher';
import { listener } from './listener';
import { officialCaller } from './official-caller';
import { sseCaller } from './sse-caller';
import { streamer } from './streamer';
import { subscriber } from './subscriber';
import { taskAsker } from './task-asker';
import { taskCaller } from './task-caller';
import { taskCanceller } from './task-canceller';

/** Clients of every revision, each on its own, by their names. */
export const ACTORS: readonly (readonly [string, Actor])[] = [
  ['caller of 2025-11-25', caller('2025-11-25')],
  ['caller of 2025-06-18', caller('2025-06-18')],
  ['caller of 2025-03-26', caller('2025-03-26')],
  ['caller of 2024-11-05', sseCaller],
  ['caller of 2026-07-28', aloneCaller],
  ['sdk 1', officialCaller('sdk 1', sdk1)],
  ['client 2, with a handshake', officialCaller('client 2, with a handshake', client2('legacy'))],
  ['client 2, alone', officialCaller('client 2, alone', client2({ pin: '2026-07-28' }))],
  ['asker', asker],
  ['asker', asker],
  ['streamer', streamer],
  ['streamer', streamer],
  ['streamer', streamer],
  ['subscriber', subscriber],
  ['list watcher', listWatcher],
  ['listener', listener],
  ['canceller', canceller],
  ['deleter', deleter],
  ['level setter', levelSetter],
  ['task caller', taskCaller],
  ['task asker', taskAsker],
  ['task asker', taskAsker],
  ['task canceller', taskCanceller],
];
