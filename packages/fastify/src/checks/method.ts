/** The HTTP method: a path serves some of them, and says which. */
import { methodNotAllowed } from '../refusals/refusal';
import type { HeadCheck } from './check';

/** 405 for a method that the path has a route for only to say what is served instead. */
export const checkMethod: HeadCheck = ({ method, routeOptions }, { served }) => {
  const methods = served.get(routeOptions.url ?? '') ?? [];
  if (!methods.includes(method)) throw methodNotAllowed(methods.join(', '));
};
