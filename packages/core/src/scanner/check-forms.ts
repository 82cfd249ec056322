/** The forms that a handler says it may ask. */
import type { Class } from '../values/class';
import type { Member } from './member';

/** Whether all classes are forms; reports what is wrong with one. Their shapes are kept for when they are asked. */
export function checkForms({ shapes, where, report }: Member, asks: readonly Class[] = []): boolean {
  return asks.map((form) => shapes.form(form, { where: `${where} asks(${form.name})`, report })).every(Boolean);
}
