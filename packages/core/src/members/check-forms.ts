/** Compiles the forms that a handler declares. */
import { nameOfToken } from '../container/provider';
import { wordsFor } from '../errors/catalogue';
import { isStandardSchema, type FormShape, type FormSource } from '@sigil-mcp/schema';
import { isClass, nameValue } from '@sigil-mcp/base';
import { reportMember, type Member } from './member';

/** Their shapes, which are stored for when they are asked; undefined if one is not a form, which has been reported. */
export function compileForms(member: Member, asks: readonly FormSource[] = []): readonly FormShape[] | undefined {
  // What a decorator was given in JavaScript, or before a circular import was loaded, is anything.
  const given: unknown = asks;
  if (Array.isArray(given)) {
    const shapes = [...(given as unknown[])].map((form) => compileForm(member, form));
    return shapes.every((shape) => shape !== undefined) ? shapes : undefined;
  }
  reportMember(member, wordsFor('SIGIL_ASKS', { problem: `is ${nameValue(given)}, which is not an array` }));
  return undefined;
}

function compileForm(member: Member, form: unknown): FormShape | undefined {
  const { shapes, where, report } = member;
  if (isStandardSchema(form)) return shapes.form(form, { where: `${where} asks`, report });
  if (isClass(form)) return shapes.form(form, { where: `${where} asks(${nameOfToken(form)})`, report });
  reportMember(
    member,
    wordsFor('SIGIL_ASKS', { problem: `holds ${nameValue(form)}, which is neither a class nor a schema` }),
  );
  return undefined;
}
