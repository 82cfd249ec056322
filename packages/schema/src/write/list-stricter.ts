/** Where the validator refuses more than the schema, for tools that inspect a server. */
import type { ClassPlan, ValuePlan } from '../value-plan';

/** `email: isEmail`, `stops[].city: validateIf`; a class within itself is listed once. */
export function listStricter(plan: ClassPlan): readonly string[] {
  return fromClass(plan, '', new Set());
}

function fromClass(plan: ClassPlan, prefix: string, open: ReadonlySet<ClassPlan>): string[] {
  if (open.has(plan)) return [];
  const inside = new Set([...open, plan]);
  return plan.properties.flatMap(({ wireName, value, transform }) => [
    ...(transform ? [`${prefix}${wireName}: transform`] : []),
    ...fromValue(value, `${prefix}${wireName}`, inside),
  ]);
}

function fromValue(value: ValuePlan, path: string, open: ReadonlySet<ClassPlan>): string[] {
  return [
    ...value.stricter.map((name) => `${path}: ${name}`),
    ...(value.nested ? fromClass(value.nested, `${path}.`, open) : []),
    ...(value.values ? fromValue(value.values, `${path}.*`, open) : []),
    ...(value.union?.options ?? []).flatMap((option) => fromValue(option, path, open)),
    ...(value.items ? fromValue(value.items, `${path}[]`, open) : []),
  ];
}
