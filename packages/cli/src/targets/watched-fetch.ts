/** `fetch` that remembers what a server answered last, for the explanation when it turns out to be no MCP server. */

/** The last thing that happened on the way to a server. */
export interface HttpEvidence {
  status?: number;
  contentType?: string;
  /** The code of the system or of the HTTP client, such as ECONNREFUSED. */
  networkError?: string;
  /** Called when the network fails. */
  onNetworkError?: () => void;
}

/**
 * Wraps `fetch`.
 * @param evidence is written at each exchange
 */
export function watchedFetch(evidence: HttpEvidence): typeof fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      evidence.status = response.status;
      evidence.contentType = response.headers.get('content-type') ?? '';
      delete evidence.networkError;
      return response;
    } catch (error) {
      const code = codeOf(error);
      if (code !== undefined) {
        evidence.networkError = code;
        evidence.onNetworkError?.();
      }
      throw error;
    }
  };
}

function codeOf(error: unknown): string | undefined {
  const { cause } = error instanceof Error ? error : {};
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : undefined;
}
