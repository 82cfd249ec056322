/** The request of a client that reconnects to a stream: the servers behind the port have event ids of their own. */
import { innerEventId } from './rewrite-events';
import type { UpstreamRequest } from './upstream';

/** The request to resume a stream, for the current server: it cannot resume from an event of another server. */
export function resumptionOf(request: UpstreamRequest, generation: number): UpstreamRequest {
  const { 'last-event-id': last, ...headers } = request.headers;
  if (typeof last !== 'string') return request;
  const inner = innerEventId(last, generation);
  return { ...request, headers: inner === undefined ? headers : { ...headers, 'last-event-id': inner } };
}
