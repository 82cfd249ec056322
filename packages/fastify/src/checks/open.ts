/** Requests that come while the server closes, on connections that were open before. */
import { closing } from '../refusals/refusal';
import type { HeadCheck } from './check';

/** Refuses with 503 once nothing more is taken. */
export const checkOpen: HeadCheck = (_request, { readiness }) => {
  if (!readiness.isOpen) throw closing();
};
