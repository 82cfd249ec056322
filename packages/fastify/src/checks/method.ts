/** The HTTP method: a path serves some of them, and says which. */
import { methodNotAllowed } from '../refusals/refusal';
import type { HeadCheck } from './check';

/** Refuses with 405 a method for which the path has a route only to say what is served instead. */
export const checkMethod: HeadCheck = ({ method, routeOptions }, { served }) => {
  const methods = served.get(routeOptions.url ?? '') ?? [];
  if (!methods.includes(method)) throw methodNotAllowed(methods.join(', '));
};
