/** What a test can ask of one call besides its result. */
import type { JsonObject, LogLevel } from '@sigil-mcp/protocol';
import type { Connection } from './connection';
import { saidMessages } from './notifications';

/** A report on how far a call has come. */
export interface Progress extends JsonObject {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The options of one call: the last argument of `callTool`. */
export interface CallOptions {
  /** The token under which progress is reported; made up if left out and there is `onProgress`. */
  readonly progressToken?: string | number;
  /** Hears each report, in order, before the result; none are asked for if left out. */
  readonly onProgress?: (progress: Progress) => void;
  /** The level for this call; where the level belongs to the connection, it stays. That of `setLogLevel` if left out. */
  readonly logLevel?: LogLevel;
}

/** Tells a test of the progress of a call that is about to be sent. */
export function listenForProgress(
  connection: Connection,
  { onProgress, progressToken = onProgress && `progress-${connection.nextId}` }: CallOptions,
): { readonly meta: JsonObject; end(): void } {
  const meta = progressToken === undefined ? {} : { progressToken };
  if (!onProgress) return { meta, end: () => undefined };
  let told = connection.traffic.length;
  const look = (): void => {
    const news = connection.traffic.slice(told);
    told += news.length;
    for (const { params } of saidMessages(news, 'notifications/progress'))
      // Progress notifications carry these members.
      if (params?.['progressToken'] === progressToken) onProgress(params as Progress);
  };
  return { meta, end: connection.watch(look) };
}
