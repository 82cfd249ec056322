/** One constraint of class-validator as a rule: its check and its message. */
import type { getMetadataStorage, ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { readDateText } from '../date-text';
import type { Meaning } from './constraint';
import { findConstraint, findMeaning } from './find-decorators';
import { ruleMessage, type MessageTemplate } from './rule-message';

type Storage = ReturnType<typeof getMetadataStorage>;

/** What class-validator keeps of one decorator. */
export type ValidatorMetadata = ReturnType<Storage['getTargetValidationMetadatas']>[number];

/** What class-validator keeps of a class that validates. */
type ValidatorConstraint = ReturnType<Storage['getTargetValidatorConstraints']>[number];

/** A condition on the object and the value, of `@ValidateIf` or of the option `validateIf`. */
export type Condition = (object: object, value: unknown) => boolean;

/** One constraint of class-validator on one property. */
export class Rule {
  /** class-validator's name: `isInt`, `min`, or the one of a custom validator. */
  readonly name: string;
  readonly each: boolean;
  /** The option `validateIf`: the rule holds only where this does. */
  readonly condition: Condition | undefined;
  /**
   * What JSON Schema can say of it. Undefined for a custom validator, and for a rule with a condition of its own: listed, it
   * would refuse what the validator lets pass.
   */
  readonly meaning: Meaning | undefined;
  /** The expression of the author's that it compares texts with, unless the author vouches for it. */
  readonly expression: RegExp | undefined;
  /** It is about moments: of the text of a date it is asked the moment that the text names. */
  readonly isAboutDates: boolean;
  /** The author's own words, if there are any. */
  readonly hasOwnMessage: boolean;
  readonly #ownMessage: MessageTemplate | undefined;
  readonly #parameters: unknown[];
  #validator: ValidatorConstraintInterface | undefined;

  /** @param targetName the name of the class that has the property */
  constructor(
    private readonly targetName: string,
    private readonly metadata: ValidatorMetadata,
    private readonly constraint: ValidatorConstraint,
  ) {
    // class-validator types both as any and always; they may be missing.
    this.#parameters = (metadata.constraints as unknown[] | undefined) ?? [];
    this.#ownMessage = metadata.message;
    this.name = constraint.name || metadata.type;
    this.each = metadata.each === true;
    this.condition = metadata.validateIf;
    const meaning = findMeaning(this.name, this.#parameters);
    this.meaning = this.condition ? undefined : meaning;
    this.expression = isTrusted(metadata.context) ? undefined : meaning?.expression;
    this.isAboutDates = meaning?.kinds?.[0] === 'date';
    this.hasOwnMessage = this.#ownMessage !== undefined;
  }

  /** It is of a group: it is asked in every call, because Sigil requests no group. */
  get isGrouped(): boolean {
    // class-validator types them as always there; they may be missing.
    const groups = this.metadata.groups as readonly unknown[] | undefined;
    return groups !== undefined && groups.length > 0 && !this.metadata.always;
  }

  /** Asks class-validator's own implementation. */
  accepts(value: unknown, object: object): boolean | Promise<boolean> {
    let asked = value;
    if (this.isAboutDates && typeof value === 'string') asked = readDateText(value);
    else if (this.name === 'arrayUnique' && Array.isArray(value)) asked = QuickList.from<unknown>(value);
    const { metadata, targetName } = this;
    this.#validator ??= findValidator(metadata, this.constraint);
    // Named one by one, because spreading an object costs more than all the rest of a call.
    const constraints = this.#parameters;
    return this.#validator.validate(asked, { property: metadata.propertyName, targetName, constraints, value, object });
  }

  message(value: unknown, object: object): string {
    const { metadata, targetName } = this;
    const validator = (this.#validator ??= findValidator(metadata, this.constraint));
    const given = { property: metadata.propertyName, targetName, constraints: this.#parameters, value, object };
    const byDefault = (asked: ValidationArguments): string | undefined => validator.defaultMessage?.(asked);
    return ruleMessage(this.#ownMessage, byDefault, given);
  }
}

/** Whether a decorator says `{ context: { trusted: true } }`: an expression that only looks as if it could run away. */
function isTrusted(context: unknown): boolean {
  return typeof context === 'object' && context !== null && 'trusted' in context && context.trusted === true;
}

/** A rule that can be checked on the bare value, without the object around it. */
export interface PlainRule extends Rule {
  readonly meaning: Meaning;
}

/** Whether a rule can be checked on the bare value. */
export function isPlain(rule: Rule): rule is PlainRule {
  return rule.meaning !== undefined;
}

/**
 * The classes that class-validator generates for its own decorators hold nothing, so that their prototype does for an
 * instance. For an instance, class-validator's container would search all those it has: too slow for a start with
 * hundreds of classes. The author's own classes come from the container, which may be the author's too.
 */
function findValidator(metadata: ValidatorMetadata, constraint: ValidatorConstraint): ValidatorConstraintInterface {
  const { target, name } = constraint;
  const isGenerated = target.name === 'CustomConstraint' && target.length === 0 && name === metadata.name;
  return isGenerated ? (target.prototype as ValidatorConstraintInterface) : constraint.instance;
}

/**
 * A list with an index of its items: `@ArrayUnique` of class-validator searches the list for each item, which would be quadratic for a
 * list of a hundred thousand.
 */
export class QuickList<T> extends Array<T> {
  #first: Map<unknown, number> | undefined;

  /** As of any list, by identity; what was found once is not looked for again, so that the list must not change. */
  override indexOf(item: T): number {
    this.#first ??= new Map([...this.entries()].reverse().map(([index, each]) => [each, index]));
    // NaN equals nothing.
    return Number.isNaN(item) ? -1 : (this.#first.get(item) ?? -1);
  }
}

// The name of a rule in messages: that of its decorator.

/** `@IsInt()`; of a custom validator its own name, in quotes. */
export function decoratorName(rule: Rule): string {
  const { name } = rule;
  if (!isPlain(rule)) return `'${name}'`;
  return `@${findConstraint(name)?.decorator ?? name}()`;
}
