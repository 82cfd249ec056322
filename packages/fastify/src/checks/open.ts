/** Requests that come while the server closes, on connections that were open before. */
import { refusal } from '../refusals/refusal';
import type { HeadCheck } from './check';

/** Refuses with 503 once nothing more is taken: a client may try again, and find another instance or a restarted one. */
export const checkOpen: HeadCheck = (_request, { readiness }) => {
  if (!readiness.isOpen) {
    throw refusal(503, 'The server is shutting down.', { 'retry-after': '1', connection: 'close' });
  }
};
