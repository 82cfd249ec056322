/** What is aimed at, of figures that were taken in one run. */
import { HAND_WRITTEN, OFFICIAL, SIGIL, SIGIL_FAST_START, SIGIL_PARTS } from './contestants.mjs';

/** Calls over HTTP: at least this share of another's in the same round. */
export function httpAims({ stream }) {
  if (stream) return [{ name: SIGIL, than: HAND_WRITTEN, least: 0.9 }];
  return [
    { name: SIGIL, than: HAND_WRITTEN, least: 0.97 },
    { name: SIGIL_PARTS, than: SIGIL, least: 0.9 },
  ];
}

/** Calls over stdio. */
export const STDIO_AIMS = [{ name: SIGIL, than: HAND_WRITTEN, least: 0.95 }];

/** Milliseconds until a server with so many tools has answered, or the share of another's time. */
export const START_AIMS = new Map([
  [
    3,
    [
      { name: SIGIL, most: 160 },
      { name: SIGIL, than: OFFICIAL, most: 1 },
      { name: SIGIL_FAST_START, most: 110 },
    ],
  ],
  [
    1000,
    [
      { name: SIGIL, most: 350 },
      { name: SIGIL_FAST_START, most: 250 },
    ],
  ],
]);

/** KiB of resident memory for an open session, after the first ones. */
export const SESSION_AIM = { name: SIGIL, most: 6 };

/** Milliseconds until a client that starts `sigil dev` has its first answer. */
export const DEV_AIM = 1500;
