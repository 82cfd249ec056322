/** The part of a revision that concerns Streamable HTTP. */

/** The Streamable HTTP rules of a revision, where the revisions differ. */
export interface HttpRules {
  /** Headers, in lower case, that the POST of a request must carry: a request without them is refused as a header mismatch. */
  readonly requiredHeaders: readonly string[];
  /**
   * Request -> the parameter that its `Mcp-Name` header repeats, Base64 unwrapped: a request that has the parameter is
   * refused as a header mismatch if the header is missing or has another value.
   */
  readonly nameHeader: ReadonlyMap<string, string>;
  /** Whether tool arguments that the schema marks are repeated in `Mcp-Param-*` headers: a call that disagrees is refused. */
  readonly mirrorsArguments: boolean;
  /**
   * Whether the revision has an `MCP-Protocol-Version` header. If it has, a request whose header names another version than the
   * one that it is answered in is refused. If not, the header is ignored.
   */
  readonly versionHeader: boolean;
  /** Whether the answer to `initialize` opens a session with an `Mcp-Session-Id`, which DELETE ends. */
  readonly sessions: boolean;
  /** Whether GET opens a stream for messages that the server sends on its own; if not, GET is answered with 405. */
  readonly getStream: boolean;
  /** Whether events have ids, and GET with a `Last-Event-ID` resumes the stream that broke. */
  readonly replay: boolean;
  /** Whether a stream opens with an empty event and a `retry`, so that the server may close it and the client polls. */
  readonly polling: boolean;
  /** Whether a connection that closes early cancels the request that it carried; if not, the request runs on. */
  readonly disconnectCancels: boolean;
  /** The HTTP status of an error response, by JSON-RPC code; 200 for the rest. */
  readonly errorStatus: Readonly<Record<number, number>>;
}
