/** One reader per class, made on first use, even if a class contains itself. */
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

/** The reader of a class and of all that it contains. */
export function compileWhole(plan: ClassPlan, mode: Mode): ReadValue {
  return mode.object(plan, mode);
}
