/** Faults that were found and are not mended yet: reported by name and counted, but no failure. It should be empty. */

/** A fault, and how it shows. */
export interface KnownFault {
  readonly what: string;
  readonly shows: RegExp;
}

/** All of them. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  { what: "a body of Fastify's own outside of the endpoint", shows: /"code":"FST_ERR_/ },
  { what: 'a second response in an event stream whose request has a broken body', shows: /^not HTTP: "HTTP\/1\.1 4/ },
];

/** The fault that a problem shows; undefined for a new one. */
export function knownFault(problem: string): KnownFault | undefined {
  return KNOWN_FAULTS.find(({ shows }) => shows.test(problem));
}
