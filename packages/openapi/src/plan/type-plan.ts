/** What will be written: types, properties, classes and tools, before they are code. */
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { ApiOperation, Parameter } from '../operations/operation';
import type { FilePlan } from './plan-file';

/** A value without members. */
export interface ScalarPlan {
  readonly kind: 'string' | 'number' | 'integer' | 'boolean';
  /** The only values; undefined if there are others. */
  readonly values: readonly (string | number | boolean)[] | undefined;
  /** Keywords of JSON Schema that decorators say. */
  readonly keywords: LooseObject;
}

/** The type of a value. */
export type TypePlan =
  | ScalarPlan
  | { readonly kind: 'array'; readonly items: TypePlan; readonly keywords: LooseObject }
  | { readonly kind: 'record'; readonly values: TypePlan }
  | { readonly kind: 'class'; readonly class: WrittenClass }
  | { readonly kind: 'union'; readonly members: readonly (ScalarPlan | { kind: 'class'; class: WrittenClass })[] }
  /** Any value; `object` if it is an object with members that the class does not say. */
  | { readonly kind: 'any'; readonly object: boolean };

/** One property of a class. */
export interface WrittenProperty {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly type: TypePlan;
  /** The value of its initializer; undefined without one. */
  readonly initial: string | number | boolean | undefined;
}

/** One class. */
export interface WrittenClass {
  readonly name: string;
  readonly description: string;
  /** Whether it is in the file of the models, which several features use. */
  readonly isModel: boolean;
  /** Filled after the class is known, because it may refer to itself. */
  properties: readonly WrittenProperty[];
}

/** Where an argument of a tool goes. */
export interface ArgumentPlan {
  /** Its name in the class. */
  readonly name: string;
  /** Its name for the API; for the name of a file, that of the member which holds the file. */
  readonly wireName: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'whole' | 'fileName';
  /** How a parameter is written; undefined for the body. */
  readonly parameter: Parameter | undefined;
  readonly isArray: boolean;
  /** Whether it may be an object, or a list of them. */
  readonly isObject: boolean;
  /** How a file of a body in several parts is sent; undefined for anything else. */
  readonly file?: FilePlan | undefined;
}

/** A value that every request sends, and no model chooses. */
export interface FixedValue {
  readonly wireName: string;
  readonly place: ArgumentPlan['place'];
  readonly parameter: Parameter | undefined;
  readonly value: unknown;
  readonly file?: FilePlan | undefined;
}

/** What a tool returns. */
export interface ResultPlan {
  readonly kind: 'class' | 'list' | 'value' | 'data' | 'text' | 'bytes' | 'location' | 'none';
  /** Undefined without a declared output. */
  readonly class: WrittenClass | undefined;
  /** What the API answers, before a list is wrapped. */
  readonly type: TypePlan | undefined;
  readonly mediaType: string;
}

/** One tool. */
export interface WrittenTool {
  readonly name: string;
  readonly description: string;
  readonly operation: ApiOperation;
  readonly input: WrittenClass | undefined;
  readonly arguments: readonly ArgumentPlan[];
  readonly fixed: readonly FixedValue[];
  readonly result: ResultPlan;
}

/** One feature with its tools. */
export interface FeaturePlan {
  /** `issues`: the base of its files. */
  readonly slug: string;
  readonly className: string;
  readonly description: string;
  readonly tools: readonly WrittenTool[];
  /** The classes of its own file, those that others need first. */
  readonly classes: readonly WrittenClass[];
}
