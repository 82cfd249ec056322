/** Every official client in each of its ways of meeting a server: they judge what they are answered. */
import type { OfficialClient } from './official-client';
import { openClient2 } from './official-client-2';
import { openHandshakeOfSdk } from './official-sdk-1';

/** A client, and how it meets a server. */
export interface Judge {
  readonly title: string;
  readonly revision: string;
  readonly handshake: boolean;
  /** The code under which the client reports a missing resource; client 2 does so in the newest words always. */
  readonly notFound: number;
  open(program: string): Promise<OfficialClient>;
}

const LAST_HANDSHAKE = '2025-11-25';
const PER_REQUEST = '2026-07-28';

/** Every official client in each of its ways of meeting a server. */
export const judges: readonly Judge[] = [
  { title: 'sdk 1', revision: LAST_HANDSHAKE, handshake: true, notFound: -32002, open: openHandshakeOfSdk },
  {
    title: 'client 2, handshake',
    revision: LAST_HANDSHAKE,
    handshake: true,
    notFound: -32602,
    open: (program) => openClient2(program, 'legacy'),
  },
  {
    title: 'client 2, per request',
    revision: PER_REQUEST,
    handshake: false,
    notFound: -32602,
    open: (program) => openClient2(program, { pin: PER_REQUEST }),
  },
  {
    title: 'client 2, its own choice',
    revision: PER_REQUEST,
    handshake: false,
    notFound: -32602,
    open: (program) => openClient2(program, 'auto'),
  },
];
