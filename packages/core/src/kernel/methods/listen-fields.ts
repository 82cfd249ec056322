/** The fields of extensions in the filter of `subscriptions/listen`. */
import type { ExtensionNotification, JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { RunningCall } from '../../calls/running-call';
import { ExtensionCall } from '../../extensions/extension-call';
import { undeclared } from '../../extensions/server-extensions';
import type { ServerContext } from '../server-context';

type ListenServices = Pick<ServerContext, 'extensions'>;

/**
 * The part of what a client wants that the extensions let it have, by the names of the fields.
 * @throws ProtocolError if the client did not declare the extension of a field
 */
export async function readFields(
  call: RunningCall<'subscriptions/listen'>,
  { extensions }: ListenServices,
): Promise<JsonObject> {
  const honoured: Record<string, JsonValue> = {};
  // A filter is JSON; its type names the fields of the protocol.
  const wanted = call.params.notifications as JsonObject;
  for (const [name, { owner, field }] of extensions.listenFields) {
    const value = wanted[name];
    if (value === undefined) continue;
    const face = new ExtensionCall(call, owner.name);
    if (!face.isDeclared) throw undeclared(owner.name, call.method, call.revision);
    const part = field.honour ? await field.honour(value, face, owner.started) : value;
    if (part !== undefined) honoured[name] = part;
  }
  return honoured;
}

/** Whether a notification of an extension is covered by one of the fields that were honoured. */
export function compileFields(
  fields: JsonObject,
  { extensions }: ListenServices,
): (change: ExtensionNotification) => boolean {
  const all = Object.entries(fields).flatMap(([name, wanted]) => {
    const served = extensions.listenFields.get(name);
    return served && wanted !== undefined ? [{ ...served, wanted }] : [];
  });
  return ({ extension, notification: method, params }) =>
    all.some((one) => one.owner.name === extension && one.field.covers(one.wanted, { method, params }));
}
