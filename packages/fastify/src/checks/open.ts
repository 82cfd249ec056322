/** Requests during the shutdown, on connections that were opened before. */
import { closing } from '../refusals/refusal';
import type { HeadCheck } from './check';

/** Refuses with 503 after the server has stopped accepting requests. */
export const checkOpen: HeadCheck = (_request, { readiness }) => {
  if (!readiness.isOpen) throw closing();
};
