/** For authors of adapters: an endpoint, the stages of a request, and what an adapter needs to refuse requests by itself. */
export { CountedArrivals, type Arrivals } from './arrivals';
export { BodyReader, type BodyLimits } from './body/body-reader';
export { HttpCall, type RequestHandler } from './call';
export { checkAccepting, checkOneHost, type BodyCheck, type CheckedEndpoint } from './checks/head-checks';
export { CORS } from './cors';
export type { PublicDocument, Readiness } from './documents';
export { Endpoint, type Preparation, type Route, type ServedMethod, type Surroundings } from './endpoint';
export { ENDPOINT_OPTIONS, settingsOf, type EndpointSettings } from './options/endpoint-options';
export { isLoopbackAddress } from './options/auth-settings';
export { busy, closing, methodNotAllowed, refusal, Refusal, tooLarge } from './responses';
export type { RefusalDetails } from './responses';
export { refusalOf } from './responses';
export { reportRefusal } from './responses';
export type { RefusedRequest, ThrownRefusal } from './responses';
export { refused } from './responses';
export { admit, serve } from './serve';
