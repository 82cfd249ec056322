/** From JSON Schema to fields, and from what a person types to JSON and back. */

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {'text' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'union' | 'null' | 'json'} FieldKind
 * @typedef {{ value: any, title: string }} Choice
 */

/** References that are followed in a row. */
const DEEPEST = 20;

/** A schema without its reference. @param {Schema} schema @param {Schema} root @returns {Schema} */
export function resolved(schema, root) {
  let found = schema;
  for (let depth = 0; typeof found?.$ref === 'string' && depth < DEEPEST; depth += 1) {
    const target = targetOf(found.$ref, root);
    if (target === undefined) return {};
    const { $ref: _reference, ...more } = found;
    found = { ...target, ...more };
  }
  const [only, ...others] = found?.allOf ?? [];
  if (only && others.length === 0) {
    const { allOf: _all, ...more } = found;
    return resolved({ ...only, ...more }, root);
  }
  return typeof found === 'object' && found !== null ? found : {};
}

/** @param {string} reference @param {Schema} root @returns {Schema | undefined} */
function targetOf(reference, root) {
  if (!reference.startsWith('#')) return undefined;
  return reference
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .reduce(
      (at, part) => /** @type {any} */ (at)?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
      /** @type {any} */ (root),
    );
}

/** What kind of field a schema needs. @param {Schema} schema a resolved one @returns {FieldKind} */
export function kindOf(schema) {
  if (choicesOf(schema)) return 'choice';
  if (branchesOf(schema).length > 1) return 'union';
  const type = typeOf(schema);
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return Array.isArray(schema.items) || schema.prefixItems || !schema.items ? 'json' : 'list';
    case 'object':
      return schema.properties ? 'object' : 'json';
    default:
      return schema.properties ? 'object' : 'json';
  }
}

/** @param {Schema} schema */
function typeOf({ type }) {
  return Array.isArray(type) ? (type.length === 1 ? type[0] : undefined) : type;
}

/** The values that may be chosen, with their titles; undefined if there are others. @param {Schema} schema @returns {Choice[] | undefined} */
export function choicesOf(schema) {
  if ('const' in schema) return [{ value: schema.const, title: schema.title ?? textOf(schema.const) }];
  if (Array.isArray(schema.enum))
    return schema.enum.map((value, index) => ({ value, title: schema.enumNames?.[index] ?? textOf(value) }));
  const all = schema.oneOf ?? schema.anyOf;
  const isChoice =
    Array.isArray(all) && all.length > 0 && all.every((one) => one && typeof one === 'object' && 'const' in one);
  return isChoice ? all.map(({ const: value, title }) => ({ value, title: title ?? textOf(value) })) : undefined;
}

/** The schemas of which one holds: those of a union, or one for each type. @param {Schema} schema @returns {Schema[]} */
export function branchesOf(schema) {
  const { oneOf, anyOf, type, ...shared } = schema;
  const all = oneOf ?? anyOf;
  if (Array.isArray(all) && all.length > 0) {
    const { properties, required } = shared;
    const own = properties ? { type: type ?? 'object', properties, required } : {};
    return all.map((one) => merged(own, one));
  }
  return Array.isArray(type) && type.length > 1 ? type.map((each) => ({ ...shared, type: each })) : [];
}

/** @param {Schema} own @param {Schema} branch */
function merged(own, branch) {
  if (!own.properties || !branch || branch.$ref) return branch ?? {};
  return {
    ...own,
    ...branch,
    properties: { ...own.properties, ...branch.properties },
    required: [...new Set([...(own.required ?? []), ...(branch.required ?? [])])],
  };
}

/** The branch that a value fits; the first one if there is none. @param {Schema[]} branches @param {any} value @param {Schema} root */
export function branchFor(branches, value, root) {
  const at = branches.findIndex((branch) => fits(resolved(branch, root), value, root));
  return Math.max(at, 0);
}

/** Whether a value may belong to a schema: its type, its constants and its required members. @param {Schema} schema @param {any} value @param {Schema} root @returns {boolean} */
export function fits(schema, value, root) {
  const choices = choicesOf(schema);
  if (choices) return choices.some((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  const branches = branchesOf(schema);
  if (branches.length > 1) return branches.some((branch) => fits(resolved(branch, root), value, root));
  switch (typeOf(schema)) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    default:
      return fitsObject(schema, value, root);
  }
}

/** @param {Schema} schema @param {any} value @param {Schema} root */
function fitsObject({ type, properties = {}, required = [] }, value, root) {
  if (type === undefined && Object.keys(properties).length === 0) return true;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const hasAll = required.every((/** @type {string} */ name) => name in value);
  return (
    hasAll &&
    Object.entries(properties).every(([name, one]) => !(name in value) || fits(resolved(one, root), value[name], root))
  );
}

/** What a required field holds before anybody has typed. @param {Schema} given @param {Schema} root @returns {any} */
export function firstValue(given, root, depth = 0) {
  const schema = resolved(given, root);
  if ('default' in schema) return schema.default;
  switch (depth > 5 ? 'json' : kindOf(schema)) {
    case 'choice': {
      const [only, ...others] = choicesOf(schema) ?? [];
      return others.length === 0 ? only?.value : undefined;
    }
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'list':
      return [];
    case 'object':
      return firstObject(schema, root, depth);
    case 'union':
      return firstValue(branchesOf(schema)[0] ?? {}, root, depth + 1);
    default:
      return undefined;
  }
}

/** @param {Schema} schema @param {Schema} root @param {number} depth */
function firstObject({ properties = {}, required = [] }, root, depth) {
  const members = Object.entries(properties).flatMap(([name, one]) => {
    const isNeeded = required.includes(name) || (resolved(one, root).default !== undefined && depth === 0);
    const value = isNeeded ? firstValue(one, root, depth + 1) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

/** A value as the text of a field. @param {any} value */
export function textOf(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text of a field as a value; undefined if it is empty. @param {FieldKind} kind @param {string} text */
export function valueOf(kind, text) {
  if (kind === 'text') return text;
  if (text.trim() === '') return undefined;
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An object with another member; without it if the value is undefined. @param {any} object @param {string} name @param {any} value */
export function withMember(object, name, value) {
  const { [name]: _before, ...others } = object ?? {};
  if (value === undefined) return others;
  // A member keeps its place.
  return object && Object.hasOwn(object, name) ? { ...object, [name]: value } : { ...others, [name]: value };
}

/** What a field accepts, in a few words. @param {Schema} schema */
export function limitsOf(schema) {
  const {
    minimum,
    maximum,
    exclusiveMinimum: above,
    exclusiveMaximum: below,
    minLength,
    maxLength,
    minItems,
    maxItems,
  } = schema;
  const range = [
    rangeOf(minimum ?? above, maximum ?? below, ''),
    rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' items'),
  ];
  const more = [
    schema.pattern && `like ${schema.pattern}`,
    schema.format,
    schema.multipleOf && `steps of ${schema.multipleOf}`,
  ];
  return [...range, ...more].filter(Boolean).join(', ');
}

/** @param {number | undefined} least @param {number | undefined} most @param {string} unit */
function rangeOf(least, most, unit) {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least}..${most}${unit}`;
}
