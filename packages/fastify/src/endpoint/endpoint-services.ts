/** What the methods of an endpoint work with. */
import type { Exchanges } from '../exchange/exchanges';
import type { UnreadAnswers } from '../exchange/unread-answers';
import type { SseStreams } from '../streams/sse-streams';
import type { PlaceServices } from './place';

/** The services of one endpoint. */
export interface EndpointServices extends PlaceServices {
  readonly exchanges: Exchanges;
  readonly streams: SseStreams;
  readonly unread: UnreadAnswers;
}
