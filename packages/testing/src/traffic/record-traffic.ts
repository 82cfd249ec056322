/** Records the messages between a client and a server from a moment on, to be read or compared with a snapshot. */
import type { JsonValue } from '@sigil-mcp/protocol';
import type { Traffic } from '@sigil-mcp/client/wire';
import { readJson } from '@sigil-mcp/client/wire';
import { Transcript } from './transcript';

/** A recorder, made by `recordTraffic`. */
export interface TrafficRecorder {
  /** The messages that travelled, raw, in order; `message` is undefined where the text was no JSON. */
  readonly messages: readonly RecordedMessage[];
  /**
   * A line for each message. Requests are numbered in order, metadata and what is sealed is left out, and long values are cut,
   * so that it is the same in each run. `→` is the client, `←` the server.
   */
  text(): string;
  /** Forgets what was recorded. */
  clear(): void;
}

/** One recorded message. */
export interface RecordedMessage extends Traffic {
  readonly message: JsonValue | undefined;
}

/**
 * Records from now on; `client.traffic` has what came before.
 * @example
 * const recorder = recordTraffic(client);
 * await client.callTool('forecast', { city: 'Oslo' });
 * expect(recorder.text()).toMatchInlineSnapshot(`
 *   "→ #1 tools/call forecast {"city":"Oslo"}
 *   ← #1 result "Mild, with a little rain.""
 * `);
 */
export function recordTraffic(client: { readonly traffic: readonly Traffic[] }): TrafficRecorder {
  let start = client.traffic.length;
  const recorded = (): readonly Traffic[] => client.traffic.slice(start);
  return {
    get messages() {
      return recorded().map((entry) => ({ ...entry, message: readJson(entry.text) }));
    },
    text: () => {
      const transcript = new Transcript();
      return recorded()
        .flatMap((entry) => transcript.linesOf(entry))
        .join('\n');
    },
    clear: () => void (start = client.traffic.length),
  };
}
