/** What the methods of an endpoint work with. */
import type { Exchanges } from './exchange/exchanges';
import type { UnreadAnswers } from './exchange/unread-answers';
import type { EventStreams } from './streams/event-streams';
import type { PlaceServices } from './place/read-place';

/** The services of one endpoint. */
export interface EndpointServices extends PlaceServices {
  readonly exchanges: Exchanges;
  readonly streams: EventStreams;
  readonly unread: UnreadAnswers;
}
