/** How clients of a revision resume the streams of their sessions. */
import type { Revision } from '@sigil-mcp/protocol';

/** What a stream of a session does for clients that reconnect. */
export interface Resumability {
  /** Whether a stream opens with an empty event, so that the client has an id to reconnect with. */
  readonly polling: boolean;
  /** Whether events have ids, so that a client may ask for what it missed. */
  readonly replay: boolean;
  /** Milliseconds after which a client should reconnect. */
  readonly retryInterval: number;
}

/** @param retryInterval milliseconds after which a client should reconnect */
export function resumabilityOf({ http: { polling, replay } }: Revision, retryInterval: number): Resumability {
  return { polling, replay, retryInterval };
}
