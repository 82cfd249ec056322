/** Parameters and results that many operations have. */

/** Parameters of a list request. */
export interface ListParams {
  readonly cursor?: string;
}

/** No parameters. */
export type NoParams = Readonly<Record<never, never>>;

/** No result beyond the fact that it worked. */
export type EmptyResult = Readonly<Record<never, never>>;
