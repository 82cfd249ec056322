/**
 * Keywords of ajv whose time or memory grows faster than a value: `uniqueItems` compares each item with each other one, `enum` each value
 * with each choice, and `contains` keeps a failure for each item that is not the one. Ours say the same with one look at each part.
 */
import { findTwins, JsonSet } from '../rules/unique-items';
import type { Ajv, AjvError, KeywordContext, KeywordDefinition, KeywordValidate } from './load-ajv';

/** Replaces keywords of ajv with ours. */
export function withOwnKeywords(ajv: Ajv): Ajv {
  const contains = ajv.RULES.all['contains']?.definition;
  for (const keyword of [...own, ...(contains ? [quiet(contains)] : [])]) {
    ajv.removeKeyword(keyword.keyword);
    ajv.addKeyword(keyword);
  }
  return ajv;
}

const own: readonly KeywordDefinition[] = [
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isUnique) => (isUnique === true ? areUnique() : () => true),
  },
  { keyword: 'enum', schemaType: 'array', compile: (values) => isAmong(values as readonly unknown[]) },
];

function areUnique(): KeywordValidate {
  const validate: KeywordValidate = (items) => {
    const twins = findTwins(items as readonly unknown[]);
    if (!twins) return true;
    const [first, second] = twins;
    const message = `must NOT have duplicate items (items ## ${first} and ${second} are identical)`;
    return refuse(validate, { keyword: 'uniqueItems', message, params: { i: second, j: first } });
  };
  return validate;
}

function isAmong(allowedValues: readonly unknown[]): KeywordValidate {
  const values = new JsonSet(allowedValues);
  const validate: KeywordValidate = (value) =>
    values.has(value) ||
    refuse(validate, {
      keyword: 'enum',
      message: 'must be equal to one of the allowed values',
      params: { allowedValues },
    });
  return validate;
}

function refuse(validate: KeywordValidate, error: Omit<AjvError, 'instancePath'>): false {
  validate.errors = [error];
  return false;
}

/** ajv's own keyword, without the errors of each item. */
function quiet(contains: KeywordDefinition): KeywordDefinition {
  const { code } = contains;
  if (!code) return contains;
  return {
    ...contains,
    code: (context) => {
      const subschema = context.subschema.bind(context);
      const silent: KeywordContext['subschema'] = (part, valid) => {
        const judged = subschema({ ...part, createErrors: false, allErrors: false }, valid);
        context.reset();
        return judged;
      };
      code(Object.assign(context, { subschema: silent }));
    },
  };
}
