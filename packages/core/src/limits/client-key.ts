/** The key of a client: whose limits a request counts against, over all of its sessions and in what extensions keep for it. */
import { createHash } from 'node:crypto';
import { LONGEST_ADDRESS, networkOf, readAddress } from './client-address';

/** A client on the machine of the server, which is its only one. */
export const LOCAL_CLIENT = 'local';

/** Addresses whose keys are known; those of a server with more clients are made again. */
const MOST_KNOWN = 10_000;

/** Makes keys: one of an address takes longer than the rest of what is counted for a call. */
export class ClientKeys {
  readonly #known = new Map<string, string>();

  /**
   * A caller who is known counts by its principal, every other one by its address, or its network, if it has one.
   * @returns at most 64 characters of `A-Za-z0-9-_`, which do not tell the address: stores of others may keep them
   */
  of(principal: string | undefined, address: string | undefined): string {
    if (principal !== undefined) return principal;
    if (address === undefined) return LOCAL_CLIENT;
    return this.#known.get(address) ?? this.#learn(address);
  }

  #learn(address: string): string {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const digest = createHash('sha256')
      .update(networkOf(readAddress(address)))
      .digest('base64url');
    const key = `address-${digest}`;
    // A copy: a part of a text keeps the whole of it in memory, which is a header that the client wrote.
    if (address.length <= LONGEST_ADDRESS) this.#known.set(Buffer.from(address).toString(), key);
    return key;
  }
}
