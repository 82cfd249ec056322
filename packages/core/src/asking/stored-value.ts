/** A result of `once`, as it is stored. */
import type { JsonValue } from '@sigil-mcp/protocol';

/** A value that JSON does not have is absent. */
export interface StoredValue {
  readonly value?: JsonValue;
}
