/** Checks the forms that a handler declares. */
import { nameOfToken } from '../container/provider';
import { wordsFor } from '../errors/catalogue';
import { isStandardSchema, type FormSource } from '@sigil-mcp/schema';
import { isClass, nameValue } from '@sigil-mcp/base';
import { reportMember, type Member } from './member';

/** Whether all are classes or schemas, and forms; reports what is wrong with one. Their shapes are kept for when they are asked. */
export function checkForms(member: Member, asks: readonly FormSource[] = []): boolean {
  // What a decorator was given in JavaScript, or before a circular import was loaded, is anything.
  const given: unknown = asks;
  if (Array.isArray(given)) return [...(given as unknown[])].map((form) => checkForm(member, form)).every(Boolean);
  reportMember(member, wordsFor('SIGIL_ASKS', { problem: `is ${nameValue(given)}, which is not an array` }));
  return false;
}

function checkForm(member: Member, form: unknown): boolean {
  const { shapes, where, report } = member;
  if (isStandardSchema(form)) return shapes.form(form, { where: `${where} asks`, report }) !== undefined;
  if (isClass(form)) return shapes.form(form, { where: `${where} asks(${nameOfToken(form)})`, report }) !== undefined;
  reportMember(
    member,
    wordsFor('SIGIL_ASKS', { problem: `holds ${nameValue(form)}, which is neither a class nor a schema` }),
  );
  return false;
}
