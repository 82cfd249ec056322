/** The parameters of a handler, what it throws and what it returns. */
import type * as TypeScript from 'typescript';
import { markMembers, moveContext } from './move-context';
import type { MovedFile } from '../files/moved-file';
import { CORE } from '../sources/packages';
import { moveRequest, rolesOf, type HandlerParameters } from './handler-parameters';
import { nodesIn, removeElement, usesOf } from '../files/syntax';
import { moveFailing, moveReturns, moveThrows } from './results';
import { takeUri } from './take-uri';

/** The kinds of entries. */
export type HandlerKind = 'tool' | 'resource' | 'template' | 'prompt';

/** What is known of an entry. */
export interface HandlerFacts {
  readonly kind: HandlerKind;
  readonly hasInput: boolean;
  readonly outputs: boolean;
}

/** Moves a handler. */
export function moveHandler(file: MovedFile, method: TypeScript.MethodDeclaration, facts: HandlerFacts): void {
  const roles = rolesOf(file, method, facts);
  const added: string[] = [];
  const dropped = new Set(roles.merged);
  if (dropsInput(file, method, { ...facts, input: roles.input }) && roles.input) dropped.add(roles.input);
  const isResource = facts.kind === 'resource' || facts.kind === 'template';
  if (isResource && roles.input && file.from.context === 'unknown' && !isPattern(file, roles.input))
    file.todo(
      roles.input,
      'The first parameter is an object of the variables of the template here. The URI is context.request.params.uri.',
      file.from.guide,
    );
  else if (isResource && roles.input && !dropped.has(roles.input)) {
    const { context, isEmpty } = takeUri(file, method, roles);
    if (context !== undefined) added.push(context);
    if (isEmpty || facts.kind === 'resource') dropped.add(roles.input);
  }
  if (roles.context) moveContextParameter(file, method, { roles, dropped });
  if (roles.request) moveRequest(file, method, { roles, dropped });
  writeParameters(file, method, { dropped, added });
  moveThrows(file, method);
  if (facts.kind === 'tool') moveReturns(file, method, facts.outputs);
  else moveFailing(file, method);
}

function isPattern({ compiler }: MovedFile, { name }: TypeScript.ParameterDeclaration): boolean {
  return compiler.isObjectBindingPattern(name);
}

/** Whether the input is nothing that the handler needs. */
function dropsInput(
  file: MovedFile,
  method: TypeScript.MethodDeclaration,
  { kind, hasInput, input }: HandlerFacts & { readonly input: TypeScript.ParameterDeclaration | undefined },
): boolean {
  if (!input || hasInput) return false;
  if (!isUsed(file, method, input)) return true;
  if (kind === 'resource' || kind === 'template') return false;
  const empty = 'Its first parameter has no schema, so it was always empty:';
  const now = isOfClass(file, input)
    ? 'its class is the schema now. Take it out, or keep it as the input.'
    : 'take it out, or give the entry an input.';
  file.todo(method, `${empty} ${now}`, 'schemas');
  return false;
}

function isUsed(
  file: MovedFile,
  { body }: TypeScript.MethodDeclaration,
  { name }: TypeScript.ParameterDeclaration,
): boolean {
  const { compiler } = file;
  if (!body) return true;
  if (compiler.isIdentifier(name)) return usesOf(file, body, name.text).length > 0;
  return name.elements.some(
    (each) =>
      !compiler.isBindingElement(each) ||
      !compiler.isIdentifier(each.name) ||
      usesOf(file, body, each.name.text).length > 0,
  );
}

/** Whether the type of a parameter can be a class, which then is its schema. */
function isOfClass(file: MovedFile, { type }: TypeScript.ParameterDeclaration): boolean {
  const { compiler } = file;
  if (!type || !compiler.isTypeReferenceNode(type) || !compiler.isIdentifier(type.typeName)) return false;
  const { text } = type.typeName;
  if (['Record', 'Partial', 'Promise'].includes(text)) return false;
  const others = nodesIn(file, file.tree, compiler.isInterfaceDeclaration).map(({ name }) => name.text);
  const aliases = nodesIn(file, file.tree, compiler.isTypeAliasDeclaration).map(({ name }) => name.text);
  return ![...others, ...aliases].includes(text);
}

interface ParameterMove {
  readonly roles: HandlerParameters;
  readonly dropped: Set<TypeScript.ParameterDeclaration>;
}

function moveContextParameter(
  file: MovedFile,
  method: TypeScript.MethodDeclaration,
  { roles: { context }, dropped }: ParameterMove,
): void {
  const { compiler, old } = file;
  if (!context) return;
  if (!compiler.isIdentifier(context.name)) return context.type ? undefined : markMembers(file, context);
  const isNamed = context.type !== undefined && compiler.isTypeReferenceNode(context.type);
  const isOld = isNamed && old.exportedOf(context.type.typeName) !== undefined;
  if (!isUsed(file, method, context)) return void dropped.add(context);
  if (!isOld) {
    const type = file.want(CORE, 'McpContext');
    if (context.type) file.replace(context.type, type);
    else file.edits.insert(context.questionToken?.getEnd() ?? context.name.getEnd(), `: ${type}`);
    moveContext(file, method, context.name.text);
  }
}

/** Takes parameters out of a list and adds some. */
function writeParameters(
  file: MovedFile,
  { parameters }: TypeScript.MethodDeclaration,
  { dropped, added }: { readonly dropped: ReadonlySet<TypeScript.Node>; readonly added: readonly string[] },
): void {
  const last = parameters.findLastIndex((each) => !dropped.has(each));
  if (last === -1) return file.edits.replace(parameters.pos, parameters.end, added.join(', '));
  for (const [index, each] of parameters.entries())
    if (index < last && dropped.has(each)) removeElement(file, parameters, index);
  const end = parameters[last]?.getEnd() ?? parameters.pos;
  const more = added.map((each) => `, ${each}`).join('');
  if (last < parameters.length - 1) file.edits.replace(end, parameters.at(-1)?.getEnd() ?? end, more);
  else if (more !== '') file.edits.insert(end, more);
}
