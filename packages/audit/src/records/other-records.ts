/** Records of what is no request: refusals, unreadable texts, the start of the audit, losses. */
import type { ObservedRefusal, ObservedServer, UnreadableMessage } from '@sigil-mcp/core';
import type { AuditKeys } from '../chain/audit-keys';
import { plainText, timeText, type CallerTexts, type RecordTexts } from './record-text';
import { limitText } from './request-record';

const LONGEST = 200;

/** A request that was refused before it started. */
export function refusalRecord(
  { caller, address, status, code, limit }: ObservedRefusal,
  texts: RecordTexts,
  callers: CallerTexts,
): string {
  const http = status === undefined ? '' : `,"status":${status}`;
  const who = `${callers.write(caller)}${callers.writeClient(undefined, address)}`;
  return texts.begin('refused', `${who}${http},"code":${code}${limitText(limit)}`);
}

/** A text that is no valid message. */
export function unreadableRecord({ code, limit }: UnreadableMessage, texts: RecordTexts): string {
  return texts.begin('unreadable', `,"code":${code}${limitText(limit)}`);
}

/** Records that the sink could not take. */
export function lossRecord(loss: Loss, texts: RecordTexts): string {
  const { count, from, to } = loss;
  return texts.begin('lost', `,"count":${count},"from":"${timeText(from)}","to":"${timeText(to)}"`);
}

/** The first record of a run. */
export function startRecord({ name, version }: ObservedServer, sink: StartedSink, texts: RecordTexts): string {
  const server = `,"server":{"name":${plainText(name, LONGEST)},"version":${plainText(version, LONGEST)}}`;
  const torn = sink.torn === undefined ? '' : `,"torn":${sink.torn}`;
  return texts.begin('started', `${server},"sink":${plainText(sink.kind, LONGEST)},"key":"${sink.keys.id}"${torn}`);
}

/** Records that were lost in a row, and when the first and the last of them ended. */
export interface Loss {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The sink of a run. */
export interface StartedSink {
  readonly kind: string;
  /** Bytes that were removed; undefined for none. */
  readonly torn: number | undefined;
  readonly keys: Pick<AuditKeys, 'id'>;
}
