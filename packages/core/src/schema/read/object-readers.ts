/** One reader per class, made when it is needed, also where a class contains itself. */
import type { Mode, ReadValue } from './compile-value';
import type { ClassPlan } from '../value-plan';

/** Wraps a compiler of classes: a class that is being compiled is called through its finished reader. */
export function oncePerClass(compile: (plan: ClassPlan, mode: Mode) => ReadValue): Mode['object'] {
  const readers = new Map<ClassPlan, ReadValue>();
  return (plan, mode) => {
    const known = readers.get(plan);
    if (known) return known;
    readers.set(plan, (...given) => reader(...given));
    const reader = compile(plan, mode);
    readers.set(plan, reader);
    return reader;
  };
}

/**
 * The reader of a class, compiled by the first call and kept: everything that can be wrong with the class was found when it
 * was planned, and of a thousand tools most are never called.
 */
export function compileWhenAsked(plan: ClassPlan, createMode: () => Mode): () => ReadValue {
  let reader: ReadValue | undefined;
  const compile = (): ReadValue => {
    const mode = createMode();
    return (reader = mode.object(plan, mode));
  };
  return () => reader ?? compile();
}
