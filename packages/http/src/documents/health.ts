/** Answers for probes: outside of authentication and of the Host check, because probes come from anywhere. */
import type { MemoryReport } from '@sigil-mcp/core/adapter';
import { checkOneHost } from '../checks/head-checks';
import { document } from '../responses';
import type { PublicDocument } from './document';

/** Whether an endpoint takes requests. */
export interface Readiness {
  /** Whether new clients should come here; false once the server begins to close. */
  isReady: boolean;
  /** Whether requests are still answered; false once everything that ran was seen off. */
  isOpen: boolean;
  /** Since when the store of the instances has been unreachable; undefined while it answers, or without a store. */
  readonly awaySince: () => Date | undefined;
}

/**
 * `/healthz`: the process answers. `/readyz`: it takes requests; 503 from the moment it begins to close. Without the store `degraded`:
 * sessions are refused, and what needs none is served, as other instances would do it.
 */
export function healthDocuments(
  readiness: Readiness,
  memory: (() => MemoryReport) | undefined,
): readonly PublicDocument[] {
  return [
    {
      path: '/healthz',
      isAtRoot: false,
      get: (request) => {
        checkOneHost(request);
        return document({ status: 'ok', ...(memory && { memory: memory() }) });
      },
    },
    {
      path: '/readyz',
      isAtRoot: false,
      get: (request) => {
        checkOneHost(request);
        if (!readiness.isReady) return document({ status: 'closing' }, undefined, 503);
        const since = readiness.awaySince();
        return document(since ? { status: 'degraded', store: 'unreachable', since } : { status: 'ready' });
      },
    },
  ];
}
