/** For authors of adapters: an endpoint, the stages of a request, and what an adapter needs to refuse requests by itself. */
export { CountedArrivals, type Arrivals } from './arrivals';
export { BodyReader, type BodyLimits } from './body/body-reader';
export {
  busy,
  closing,
  HttpCall,
  methodNotAllowed,
  refusal,
  Refusal,
  refusalOf,
  refused,
  reportRefusal,
  type RequestHandler,
  tooLarge,
} from './call';
export { checkAccepting, checkOneHost, type BodyCheck, type CheckedEndpoint } from './checks/head-checks';
export { CORS } from './cors';
export type { PublicDocument, Readiness } from './documents';
export { Endpoint, type Preparation, type Route, type ServedMethod, type Surroundings } from './endpoint';
export { ENDPOINT_OPTIONS, settingsOf, type EndpointSettings } from './options/endpoint-options';
export { isLoopbackAddress } from './options/auth-settings';
export type { RefusalDetails, RefusedRequest, ThrownRefusal } from './call';
export { admit, serve } from './serve';
