/** What this server needs of an HTTP client: JSON back and forth. */
export interface JsonClient {
  /** @throws Error if the answer is not 200 */
  get(path: string): Promise<unknown>;
  /** @throws Error if the answer is not 200 */
  post(path: string, body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** @returns the error of an answer that is not 200 */
export function unexpected(method: string, path: string, status: number): Error {
  return new Error(`${method} ${path} was answered with ${status}.`);
}
