/** The classes that tools use, those that others need first. */
import type { WrittenClass, WrittenTool, TypePlan } from './type-plan';

/** Every class that the tools use, each once, after those that it refers to as far as they do not refer to each other. */
export function usedClasses(tools: readonly WrittenTool[]): WrittenClass[] {
  const ordered = new Set<WrittenClass>();
  const begun = new Set<WrittenClass>();
  const visit = (plan: WrittenClass): void => {
    if (begun.has(plan)) return;
    begun.add(plan);
    for (const { type } of plan.properties) classesIn(type).forEach(visit);
    ordered.add(plan);
  };
  for (const { input, result } of tools) for (const plan of [input, result.class]) if (plan) visit(plan);
  return [...ordered];
}

/** The classes that a type names itself. */
export function classesIn(type: TypePlan): WrittenClass[] {
  switch (type.kind) {
    case 'class':
      return [type.class];
    case 'array':
      return classesIn(type.items);
    case 'record':
      return classesIn(type.values);
    case 'union':
      return type.members.flatMap((member) => (member.kind === 'class' ? [member.class] : []));
    default:
      return [];
  }
}
