/** A request of a test that is pending. */
import type { JsonObject, RequestId } from '@sigil-mcp/protocol';

/** A pending request. */
export interface StartedRequest {
  /** The id of the pending message; a request that is sent again with answers has another one each time. */
  readonly id: RequestId;
  /** The result; rejected with an `RpcError` if the answer is an error. */
  readonly result: Promise<JsonObject>;
}
