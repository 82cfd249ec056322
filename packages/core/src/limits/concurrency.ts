/** How many calls of a tool run at the same time. */
export interface Concurrency {
  /** Of all clients. */
  readonly calls: number;
  /** Of one client; a program on the machine of its user may have all. */
  readonly perClient: number;
}
