/** A class as code, in the way of a DTO that is written by hand. */
import { findDecorators } from '@sigil-mcp/schema';
import { literals } from '@sigil-mcp/cli/kit';
import { described } from '../names/model-text';
import type { WrittenClass, WrittenProperty, ScalarPlan, TypePlan } from '../plan/type-plan';

const SIGIL = '@sigil-mcp/core';
const VALIDATOR = 'class-validator';
const TRANSFORMER = 'class-transformer';

/** Code, with the names that it needs from each module. */
export interface PrintedCode {
  readonly text: string;
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Classes that it refers to. */
  readonly classes: readonly WrittenClass[];
}

/** Prints a class. @param before the classes that stand above it, or in another file */
export function printClass(plan: WrittenClass, before: ReadonlySet<WrittenClass>): PrintedCode {
  const printer = new ClassPrinter(before);
  const properties = plan.properties.map((property) => printer.property(property));
  const heading = plan.description === '' ? [] : [literals.comment(plan.description)];
  const text = [...heading, `export class ${plan.name} {`, properties.join('\n\n'), '}'].join('\n');
  return { text, imports: printer.imports, classes: printer.classes };
}

/** The type of a value in TypeScript. */
export function typeText(type: TypePlan): string {
  switch (type.kind) {
    case 'class':
      return type.class.name;
    case 'array': {
      const items = typeText(type.items);
      return items.includes(' ') ? `(${items})[]` : `${items}[]`;
    }
    case 'record':
      return `Record<string, ${typeText(type.values)}>`;
    case 'union':
      return type.members.map(typeText).join(' | ');
    case 'any':
      return type.object ? 'Record<string, unknown>' : 'unknown';
    default:
      return type.values ? type.values.map(literals.literal).join(' | ') : scalarText(type.kind);
  }
}

function scalarText(kind: ScalarPlan['kind']): string {
  return kind === 'integer' ? 'number' : kind;
}

/** Prints the properties of one class. */
class ClassPrinter {
  readonly imports = new Map<string, Set<string>>();
  readonly classes: WrittenClass[] = [];

  constructor(private readonly before: ReadonlySet<WrittenClass>) {}

  property({ name, description, required, nullable, type, initial }: WrittenProperty): string {
    const isAny = type.kind === 'any' && !type.object;
    const lines = [
      ...(description === '' ? [] : [this.#use(SIGIL, 'Describe', literals.quoted(described(description)))]),
      ...(required || initial !== undefined ? [] : [this.#use(VALIDATOR, 'IsOptional')]),
      ...(nullable && !isAny ? [this.#use(SIGIL, 'Nullable')] : []),
      ...this.#decorators(type, false),
    ];
    const written = `${this.#typeOf(type)}${nullable && !isAny ? ' | null' : ''}`;
    const key = literals.memberName(name);
    const declared =
      initial === undefined
        ? `${key}${required ? '!' : '?'}: ${written};`
        : `${key}: ${written} = ${literals.literal(initial)};`;
    return [...lines, declared].map((line) => `  ${line}`).join('\n');
  }

  #decorators(type: TypePlan, each: boolean): string[] {
    switch (type.kind) {
      case 'class':
        return [
          this.#use(VALIDATOR, 'ValidateNested', ...(each ? ['{ each: true }'] : [])),
          this.#use(TRANSFORMER, 'Type', `() => ${this.#class(type.class)}`),
        ];
      case 'array':
        return [
          this.#use(VALIDATOR, 'IsArray'),
          ...this.#found({ type: 'array', ...type.keywords }, false).slice(1),
          ...this.#decorators(type.items, true),
        ];
      case 'record':
        return [this.#record(type.values)];
      case 'union':
        return [this.#union(type.members, each)];
      case 'any':
        if (!type.object) return [this.#use(VALIDATOR, 'Allow')];
        return [this.#use(VALIDATOR, 'IsObject', ...(each ? ['{ each: true }'] : []))];
      default:
        return this.#scalar(type, each);
    }
  }

  #scalar({ kind, values, keywords }: ScalarPlan, each: boolean): string[] {
    if (values) return [this.#use(VALIDATOR, 'IsIn', literals.literal(values), ...(each ? ['{ each: true }'] : []))];
    return this.#found({ type: kind, ...keywords }, each);
  }

  /** The decorators of class-validator that say keywords. */
  #found(schema: Readonly<Record<string, unknown>>, each: boolean): string[] {
    return findDecorators(schema).decorators.map(({ decorator, parameters }) => {
      const values = parameters.map((value) =>
        value instanceof RegExp ? literals.expression(value.source) : literals.literal(value),
      );
      return this.#use(VALIDATOR, decorator, ...values, ...this.#each(decorator, values.length, each));
    });
  }

  /** Options come after the arguments, also after those that are left out. */
  #each(decorator: string, count: number, each: boolean): string[] {
    if (!each) return [];
    const before = FIRST_ARGUMENTS[decorator] ?? 0;
    return [...Array<string>(Math.max(0, before - count)).fill('undefined'), '{ each: true }'];
  }

  #record(values: TypePlan): string {
    if (values.kind === 'class') return this.#use(SIGIL, 'RecordOf', `() => ${this.#class(values.class)}`);
    const type = values.kind === 'any' ? [] : [CONSTRUCTORS[values.kind as ScalarPlan['kind']] ?? 'String'];
    return this.#use(SIGIL, 'RecordOf', ...type);
  }

  #union(members: Extract<TypePlan, { kind: 'union' }>['members'], each: boolean): string {
    const names = members.map((member) =>
      member.kind === 'class' ? this.#class(member.class) : (CONSTRUCTORS[member.kind] ?? 'String'),
    );
    return this.#use(SIGIL, 'AnyOf', `() => [${names.join(', ')}]`, ...(each ? ['{ each: true }'] : []));
  }

  /** A class that stands further down does not exist yet when the emitted types are read. */
  #typeOf(type: TypePlan): string {
    const text = typeText(type);
    const own = type.kind === 'class' ? [type.class] : [];
    if (!own.some((each) => !this.before.has(each))) return text;
    this.#need(SIGIL, 'type Ref');
    return `Ref<${text}>`;
  }

  #class(plan: WrittenClass): string {
    this.classes.push(plan);
    return plan.name;
  }

  #use(module: string, name: string, ...values: readonly string[]): string {
    this.#need(module, name);
    return `@${name}(${values.join(', ')})`;
  }

  #need(module: string, name: string): void {
    const names = this.imports.get(module) ?? new Set<string>();
    names.add(name);
    this.imports.set(module, names);
  }
}

const CONSTRUCTORS: Readonly<Record<ScalarPlan['kind'], string>> = {
  string: 'String',
  number: 'Number',
  integer: 'Number',
  boolean: 'Boolean',
};

/** Decorators whose arguments may be left out. */
const FIRST_ARGUMENTS: Readonly<Record<string, number>> = {
  IsNumber: 1,
  IsUUID: 1,
  IsEmail: 1,
  IsISO8601: 1,
  IsIP: 1,
  Length: 2,
};
