/** Objects from elsewhere: schemas, messages, manifests and modules. */

/** Any object with keys; its members have not been checked. */
export type LooseObject = Readonly<Record<string, unknown>>;
