/** What Cloudflare gives to a Durable Object and to a Worker, as far as it is used here: its types are in no package of Node. */

/** What an object stores. Nobody else reads or writes it. */
export interface ObjectStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: object): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** Everything, so that the object costs nothing any more. */
  deleteAll(): Promise<void>;
  list(options: { readonly prefix: string }): Promise<Map<string, unknown>>;
  /** When `alarm()` will be called, in milliseconds since 1970; null if it will not. */
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
}

/** The first argument of the constructor of an object. */
export interface ObjectState {
  readonly storage: ObjectStorage;
}

/** The name of an object. */
export interface ObjectId {
  toString(): string;
}

/** A binding of a Worker to the objects of a class. */
export interface ObjectNamespace {
  newUniqueId(): ObjectId;
  /** Throws if the text is not the id of an object of this class. */
  idFromString(text: string): ObjectId;
  get(id: ObjectId): { fetch(request: Request): Promise<Response> };
}
