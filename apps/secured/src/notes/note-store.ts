/** The notes of all tenants; nobody sees those of another. They live as long as the process. */
import { Injectable, type Caller } from '@sigil-mcp/core';
import type { Note } from './note';

/** Built once per server. */
@Injectable()
export class NoteStore {
  readonly #tenants = new Map<string, Map<string, Note>>();

  /** The notes of the caller's tenant, by their titles. */
  of(caller: Caller): Map<string, Note> {
    const tenant = tenantOf(caller);
    const known = this.#tenants.get(tenant);
    if (known) return known;
    const notes = new Map<string, Note>();
    this.#tenants.set(tenant, notes);
    return notes;
  }
}

/** Whose notes somebody works on: those of the organisation that the token names, else their own. */
export function tenantOf({ claims, principal, kind }: Caller): string {
  const { tenant } = claims;
  return typeof tenant === 'string' ? `tenant ${tenant}` : `caller ${principal ?? kind}`;
}
