/** Which node of a cluster `by place` has the changes of a resource. */
import { createHash } from 'node:crypto';
import { TOPIC_SLOTS } from './redis-cluster';

/** Of CRC-16 as Redis computes it. */
const POLYNOMIAL = 0x1021;
const SLOTS = 16_384;

/** The next number after one whose resource `place://<number>` has a slot of the node for resources. */
export function nextTopic(number: number): number {
  for (let next = number + 1; ; next++) if (slotOfTopic(`place://${next}`) >= TOPIC_SLOTS) return next;
}

/** The part in braces of the keys of a resource decides its slot. */
export function slotOfTopic(uri: string): number {
  const digest = createHash('sha256').update(uri).digest('base64url').slice(0, 22);
  let crc = 0;
  for (const byte of Buffer.from(`t:${digest}`)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL) & 0xffff;
  }
  return crc % SLOTS;
}
