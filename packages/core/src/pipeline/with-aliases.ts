/** The old names of an entry: each is the same entry, whose calls have their arguments converted. Loaded for entries that have them. */
import { InvalidArguments, ProtocolError } from '@sigil-mcp/protocol';
import { isObject, isPromise, nameValue, type MaybePromise } from '@sigil-mcp/base';
import { callFields } from '../calls/call-fields';
import type { RunningCall } from '../calls/running-call';
import type { EntryKind } from '../context/entry-facts';
import { sigilError } from '../errors/catalogue';
import type { ToolAlias } from '../members/member';
import type { Entry } from '../registry/entry';
import { checkKnown } from './compile-call';

/** An entry with its old names. Guards, scopes, limits and extensions are those of the entry: both names share them. */
export function withAliases<K extends EntryKind>(entry: Entry<K>, aliases: readonly ToolAlias[]): Entry<K> {
  if (aliases.length === 0) return entry;
  return { ...entry, aliases: new Map(aliases.map((alias) => [alias.name, aliasOf(entry, alias)])) };
}

function aliasOf<K extends EntryKind>(entry: Entry<K>, { name, convert }: ToolAlias): Entry<K> {
  const alias: Entry<K> = { ...entry, alias: name };
  return convert ? { ...alias, invoke: convertFirst(entry, name, convert) } : alias;
}

/** Guards that look at a call see the arguments that they know. What cannot be converted is refused once guards let the caller through. */
function convertFirst(entry: Entry, name: string, convert: (old: object) => unknown): Entry['invoke'] {
  return (call): MaybePromise<unknown> => {
    try {
      call.arguments = converted(name, convert, call.arguments);
    } catch (error) {
      const refused = refusal(call, `${name} could not be converted into those of ${entry.key}`, error);
      return checkKnown(entry.guards, entry.policy.scopes, () => {
        throw refused;
      })(call);
    }
    return entry.invoke(call);
  };
}

function converted(name: string, convert: (old: object) => unknown, old: unknown): object {
  // A copy: observers and records of the call have the arguments as the client sent them.
  const made = convert(isObject(old) ? { ...old } : {});
  if (isObject(made) && !Array.isArray(made) && !isPromise(made)) return made;
  if (isPromise(made)) made.catch(() => undefined);
  throw sigilError('SIGIL_REPLACED_OUTPUT', { name, value: nameValue(made) });
}

/** What a client receives: it cannot know the arguments of today otherwise. An error of the protocol says more. */
function refusal(call: RunningCall, what: string, err: unknown): ProtocolError {
  if (err instanceof ProtocolError) return err;
  call.services.logger.warn({ ...callFields(call), err }, `The arguments of ${what}`);
  return new InvalidArguments(`Invalid arguments: those of ${what}; call ${call.entry?.key ?? ''} instead.`);
}
