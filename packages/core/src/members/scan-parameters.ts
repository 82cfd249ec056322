/** Finds the parameters of a method for the input, the context and the caller, by their types. */
import { Caller } from '../context/caller';
import { McpContext } from '../context/mcp-context';
import { wordsFor } from '../errors/catalogue';
import { isBuiltIn, type Class } from '@sigil-mcp/base';
import { reportMember, type Member, type ParameterSource } from './member';
import type { SchemaSource } from '@sigil-mcp/schema';

/** A method's parameters, read. */
export interface Parameters {
  /** What the method is given, by position. */
  readonly sources: readonly ParameterSource[];
  /** The class (or schema) of the input; undefined for a method that takes none. */
  readonly input: SchemaSource | undefined;
}

/**
 * Reads the parameters of a handler.
 * @param explicit the `input` option of the decorator, which stands above what the compiler emitted
 */
export function scanParameters(member: Member, explicit?: SchemaSource): Parameters {
  const types = member.parameterTypes;
  if (!types) return withoutMetadata(member, explicit);
  const sources = types.map((type, index): ParameterSource => sourceOf(member, type, index));
  const inputs = types.filter((_, index) => sources[index] === 'input');
  if (inputs.length > 1) {
    const names = inputs.map(nameOf).join(', ');
    reportMember(member, wordsFor('SIGIL_TWO_INPUTS', { count: inputs.length, types: names }));
    return { sources: [], input: undefined };
  }
  if (explicit !== undefined || inputs.length === 0) return { sources, input: explicit };
  return { sources, input: inputClass(member, inputs[0], sources.indexOf('input')) };
}

function sourceOf({ supplied }: Member, type: unknown, index: number): ParameterSource {
  return supplied.includes(index) ? 'nothing' : (ofTheCall(type) ?? 'input');
}

function inputClass(member: Member, type: unknown, index: number): Class | undefined {
  if (typeof type === 'function' && !isBuiltIn(type)) {
    // A function among the emitted types that is no built-in is a class.
    return type as unknown as Class;
  }
  const position = index + 1;
  if (isBuiltIn(type) && type !== Object && type !== Function) {
    reportMember(member, wordsFor('SIGIL_INPUT_NOT_A_CLASS', { position, type: nameOf(type) }));
  } else if (type === Function) {
    // What the compiler writes for a class that it knows and must not import.
    reportMember(member, wordsFor('SIGIL_PARAMETER_TYPE_ERASED', { position }));
  } else {
    reportMember(member, wordsFor('SIGIL_PARAMETER_WITHOUT_TYPE', { position }));
  }
  return undefined;
}

/** esbuild and tsx drop the types; the input is then the first parameter, the context the second. */
function withoutMetadata(member: Member, explicit: SchemaSource | undefined): Parameters {
  const count = member.parameterCount;
  if (explicit !== undefined)
    return { sources: (['input', 'context'] as const).slice(0, Math.max(count, 1)), input: explicit };
  if (count > 0) {
    reportMember(member, wordsFor('SIGIL_NO_METADATA'));
  }
  return { sources: [], input: undefined };
}

/** What a parameter is given of the call itself, by its type; undefined for any other type. */
export function ofTheCall(type: unknown): 'context' | 'caller' | undefined {
  if (type === McpContext) return 'context';
  return type === Caller ? 'caller' : undefined;
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : 'unknown type';
}
