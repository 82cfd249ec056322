/** Text -> JSON, also where it is none. */
import type { JsonValue } from '@sigil-mcp/protocol';

/** The value of a JSON text; undefined if it is no JSON. */
export function readJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
