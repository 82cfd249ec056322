/** Which credentials the operations of an API need, and which of them a client can send. */
import { isObject } from '@sigil-mcp/base';
import type { ApiDocument } from '../document/read-document';
import type { ApiOperation, Note } from '../operations/operation';
import { findScheme, readSecurity, type Needed } from '../operations/read-security';
import { kindOfScheme, nameCredentials, PLAIN_TOKEN, type Credential } from './credential';

/** The credentials of an API. */
export interface CredentialPlan {
  readonly credentials: readonly Credential[];
  /** What most operations need; undefined if the document does not say it: then every request has what is set. */
  readonly usual: Needed | undefined;
  /** What an operation needs; undefined if that is the usual. */
  readonly neededBy: (operation: ApiOperation) => Needed | undefined;
}

/** What it is planned from. */
export interface CredentialSource {
  readonly document: ApiDocument;
  /** Before the names of variables. */
  readonly variable: string;
  /** Every operation of the document. */
  readonly all: readonly ApiOperation[];
}

/** Plans them. @param note takes what cannot be sent */
export function planCredentials({ document, variable, all }: CredentialSource, note: Note): CredentialPlan {
  const { root, pointers } = document;
  const components = isObject(root['components']) ? root['components'] : {};
  const declared = isObject(components['securitySchemes']) ? Object.keys(components['securitySchemes']) : [];
  const isSaid = all.some(({ security }) => security !== undefined);
  const named = new Set(all.flatMap(({ security }) => security?.flat() ?? []));
  const used = isSaid ? [...new Set([...declared, ...named])].filter((name) => named.has(name)) : declared;
  const kinds = used.flatMap((name) => kindOfScheme(name, findScheme(name, pointers) ?? {}) ?? []);
  const known = new Set(kinds.map(({ scheme }) => scheme));
  for (const name of used) if (!known.has(name)) note(undefined, `credentials of the kind ${name} cannot be set`);
  if (declared.length === 0 && named.size === 0 && !isSaid)
    return { credentials: nameCredentials([PLAIN_TOKEN], variable), usual: undefined, neededBy: () => undefined };
  const credentials = nameCredentials(kinds, variable);
  if (!isSaid) {
    if (kinds.length > 0)
      note(undefined, 'no operation says which credentials it needs: every request has those that are set');
    return { credentials, usual: undefined, neededBy: () => undefined };
  }
  for (const operation of all) noteUnsendable(operation, credentials, note);
  const lists = new Map(all.map(({ key, security = [] }) => [key, sendable(security, credentials)]));
  const ofDocument = readSecurity({}, root);
  const usual = ofDocument ? sendable(ofDocument, credentials) : usualOf(all, lists);
  const neededBy = ({ key }: ApiOperation): Needed | undefined => {
    const needed = lists.get(key) ?? [];
    return isSame(needed, usual) ? undefined : needed;
  };
  return { credentials, usual, neededBy };
}

/** The lists that a client can send. A list that needs nothing is left out: without any other, nothing is sent. */
function sendable(security: Needed, credentials: readonly Credential[]): Needed {
  return security.filter((list) => list.length > 0 && canSend(list, credentials));
}

function noteUnsendable({ key, security = [] }: ApiOperation, credentials: readonly Credential[], note: Note): void {
  const needsNone = security.length === 0 || security.some((list) => list.length === 0);
  if (needsNone || sendable(security, credentials).length > 0) return;
  const words = security.map((list) => list.join(' and ')).join(', or ');
  note(key, `it needs ${words}, which the client cannot send: it sends no credentials`);
}

function canSend(list: readonly string[], credentials: readonly Credential[]): boolean {
  const found = list.flatMap((name) => credentials.filter(({ scheme }) => scheme === name));
  const places = new Set(found.map(({ place, name }) => `${place} ${name}`));
  // Two credentials in one header cannot both be there.
  return found.length === list.length && places.size === list.length;
}

/** What most operations need. */
function usualOf(all: readonly ApiOperation[], lists: ReadonlyMap<string, Needed>): Needed {
  const counts = new Map<string, number>();
  for (const { key } of all) {
    const text = JSON.stringify(lists.get(key));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const [[most] = ['[]']] = [...counts].sort(([, one], [, other]) => other - one);
  return [...lists.values()].find((each) => JSON.stringify(each) === most) ?? [];
}

function isSame(one: Needed, other: Needed): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
