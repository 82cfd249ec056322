/** The URI that a handler of a resource was given among its variables: it is in the request of the context. */
import type * as TypeScript from 'typescript';
import type { HandlerParameters } from './handler-parameters';
import type { MovedFile } from '../files/moved-file';
import { CORE } from '../sources/packages';
import { indentationAt, removeElement, usesOf } from '../files/syntax';

/** The outcome for the parameter. */
export interface TakenUri {
  /** A parameter to add; undefined if there is a context that stays, or nobody reads the URI. */
  readonly context: string | undefined;
  /** Whether nothing else is read of it. */
  readonly isEmpty: boolean;
}

/** Takes `uri` out of the first parameter of a handler. */
export function takeUri(file: MovedFile, method: TypeScript.MethodDeclaration, roles: HandlerParameters): TakenUri {
  const { compiler } = file;
  const { input } = roles;
  const { body } = method;
  if (!input || !body) return { context: undefined, isEmpty: false };
  const { name } = input;
  let isRead = false;
  let isEmpty = false;
  if (compiler.isObjectBindingPattern(name)) {
    const index = name.elements.findIndex((each) => (each.propertyName ?? each.name).getText() === 'uri');
    isRead = index !== -1;
    isEmpty = name.elements.length === (isRead ? 1 : 0);
    if (isRead && !isEmpty) removeElement(file, name.elements, index);
  } else if (compiler.isIdentifier(name)) {
    const uses = usesOf(file, body, name.text);
    const reads = uses.filter(
      ({ parent }) => compiler.isPropertyAccessExpression(parent) && parent.name.text === 'uri',
    );
    for (const { parent } of reads) file.replace(parent, nameOfUri(file, body));
    isRead = reads.length > 0;
    isEmpty = reads.length === uses.length;
  }
  if (!isEmpty) withoutUriType(file, input);
  if (!isRead) return { context: undefined, isEmpty };
  return { context: readUri(file, method, roles), isEmpty };
}

/** How a handler that has read the URI of an object calls it. */
function nameOfUri(file: MovedFile, body: TypeScript.Block): string {
  return usesOf(file, body, 'uri').length > 0 ? 'resourceUri' : 'uri';
}

function withoutUriType(file: MovedFile, { type }: TypeScript.ParameterDeclaration): void {
  if (!type || !file.compiler.isTypeLiteralNode(type)) return;
  const index = type.members.findIndex((each) => each.name?.getText() === 'uri');
  if (index === -1) return;
  const [member, next] = [type.members[index], type.members[index + 1]];
  if (!member) return;
  const before = type.members[index - 1];
  if (next) file.edits.replace(member.getStart(file.tree, true), next.getStart(file.tree, true), '');
  else file.edits.replace(before?.getEnd() ?? member.getStart(), member.getEnd(), '');
}

/** Writes a constant in the first line of the handler. @returns the context as a parameter, unless it uses one already */
function readUri(
  file: MovedFile,
  { body }: TypeScript.MethodDeclaration,
  { input, context }: HandlerParameters,
): string | undefined {
  const { compiler, text } = file;
  const known = context && compiler.isIdentifier(context.name) ? context.name.text : undefined;
  if (!body) return undefined;
  const name = known ?? (usesOf(file, body, 'context').length > 0 ? 'mcpContext' : 'context');
  const first = body.statements[0];
  const { lineEnd, semicolons, indentation } = file.source.style;
  const indent = first
    ? indentationAt(text, first.getStart())
    : `${indentationAt(text, body.getStart())}${indentation}`;
  const pattern = input && compiler.isObjectBindingPattern(input.name) ? input.name : undefined;
  const element = pattern?.elements.find((each) => (each.propertyName ?? each.name).getText() === 'uri');
  const local = nameOfUri(file, body);
  const whole = local === 'uri' ? 'uri' : `uri: ${local}`;
  const line = `const { ${element?.getText() ?? whole} } = ${name}.request.params as { uri: string }`;
  file.edits.insert(body.getStart() + 1, `${lineEnd}${indent}${line}${semicolons ? ';' : ''}`);
  return known === undefined || usesOf(file, body, known).length === 0
    ? `${name}: ${file.want(CORE, 'McpContext')}`
    : undefined;
}
