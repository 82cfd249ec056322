/**
 * Options of `ValidationPipe` that change what a route accepts. Handlers of this server do not follow them: their arguments are validated before
 * pipes get them, by the classes alone.
 */
import { ValidationPipe } from '@nestjs/common';
import { isObject } from '@sigil-mcp/base';

/** By the members of a pipe that hold them, and by what a user writes before each. */
const OPTIONS: readonly (readonly [member: string, prefix: string, names: readonly string[]])[] = [
  [
    'validatorOptions',
    '',
    ['groups', 'always', 'strictGroups', 'skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties'],
  ],
  [
    'transformOptions',
    'transformOptions.',
    ['enableImplicitConversion', 'excludeExtraneousValues', 'groups', 'strategy', 'version'],
  ],
];

/** A sentence about each pipe with such options. */
export function unusedOptions(pipes: readonly unknown[]): readonly string[] {
  return pipes.flatMap((pipe) => {
    if (!(pipe instanceof ValidationPipe)) return [];
    // The members are protected, and the same in all supported versions of Nest.
    const members = new Map<string, unknown>(Object.entries(pipe));
    // Such a pipe validates what it gets here once more.
    if (members.get('validateCustomDecorators') === true) return [];
    const names = OPTIONS.flatMap(([member, prefix, known]) => {
      const options = members.get(member);
      return isObject(options) ? known.filter((name) => options[name]).map((name) => `${prefix}${name}`) : [];
    });
    return names.length > 0
      ? [
          `ValidationPipe has ${names.join(', ')}. Arguments of tools, resources and prompts are validated without ${names.length === 1 ? 'it' : 'them'}.`,
        ]
      : [];
  });
}
