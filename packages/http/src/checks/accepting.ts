/** Requests during the shutdown, on connections that were opened before. */
import { closing } from '../refusals/refusal';
import type { CheckedEndpoint } from './check';

/** Refuses with 503 after the server has stopped accepting requests. */
export function checkAccepting({ readiness }: Pick<CheckedEndpoint, 'readiness'>): void {
  if (!readiness.isOpen) throw closing();
}
