/** The parameters of a handler of the old package: arguments, context and request, by place in version 1 and by decorator in version 2. */
import type * as TypeScript from 'typescript';
import { importsFrom } from '../files/imported-names';
import type { MovedFile } from '../files/moved-file';
import { NEST } from '../sources/packages';
import { usesOf } from '../files/syntax';

/** The package with the decorators of version 2. */
export const MICROSERVICES = '@nestjs/microservices';
const COMMON = '@nestjs/common';

/** The parameters that mean something. */
export interface HandlerParameters {
  readonly input: TypeScript.ParameterDeclaration | undefined;
  readonly context: TypeScript.ParameterDeclaration | undefined;
  readonly request: TypeScript.ParameterDeclaration | undefined;
  /** Parameters that are within another one now. */
  readonly merged: readonly TypeScript.ParameterDeclaration[];
}

type Purpose = Exclude<keyof HandlerParameters, 'merged'>;
const BY_PLACE: readonly Purpose[] = ['input', 'context', 'request'];
const BY_DECORATOR: Readonly<Record<string, Purpose>> = { Payload: 'input', Ctx: 'context', McpRawRequest: 'request' };

/** What is known of the handler. */
interface ParameterFacts {
  readonly kind: string;
  readonly hasInput: boolean;
}

/** Finds them, and takes the decorators of version 2 away: types say the same. Members of the input become one parameter. */
export function rolesOf(
  file: MovedFile,
  { parameters }: TypeScript.MethodDeclaration,
  facts: ParameterFacts,
): HandlerParameters {
  const { compiler } = file;
  const found: Partial<Record<Purpose, TypeScript.ParameterDeclaration>> = {};
  const members: InputMember[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const decorators = compiler.getDecorators(parameter) ?? [];
    const decorated = decorators.flatMap((decorator) => roleOf(file, decorator) ?? []);
    const [first] = decorated;
    if (!first) {
      const place = decorators.length === 0 ? BY_PLACE[index] : undefined;
      if (place) found[place] ??= parameter;
    } else if (first.role === 'input' && first.given.length > 0) members.push({ parameter, ...first });
    else {
      removeDecorator(file, first.decorator);
      if (decorators.length > 1)
        file.todo(parameter, 'This parameter has other decorators, too: look at what they do here.', 'nest');
      found[first.role] ??= parameter;
    }
  }
  const merged = moveMembers(file, members, { ...facts, hasInput: facts.hasInput && !found.input });
  return { input: found.input, context: found.context, request: found.request, merged };
}

interface Decorated {
  readonly decorator: TypeScript.Decorator;
  readonly callee: TypeScript.Expression;
  readonly given: readonly TypeScript.Expression[];
  readonly role: Purpose;
}

/** A parameter whose decorator names a member of the input, or pipes. */
interface InputMember extends Decorated {
  readonly parameter: TypeScript.ParameterDeclaration;
}

function roleOf(file: MovedFile, decorator: TypeScript.Decorator): Decorated | undefined {
  const { compiler, old } = file;
  const call = compiler.isCallExpression(decorator.expression) ? decorator.expression : undefined;
  const rpc = importsFrom(compiler, file.tree, MICROSERVICES);
  const role = BY_DECORATOR[rpc.exportedOf(call?.expression) ?? old.exportedOf(call?.expression) ?? ''];
  if (!call || !role) return undefined;
  file.handled.add(call.expression);
  return { decorator, callee: call.expression, given: call.arguments, role };
}

function removeDecorator({ edits, text }: MovedFile, decorator: TypeScript.Decorator): void {
  const space = /^\s*/.exec(text.slice(decorator.getEnd()))?.[0].length ?? 0;
  edits.replace(decorator.getStart(), decorator.getEnd() + space, '');
}

const LEFT = 'A handler is given all arguments as one object: read this one from it, and call its pipes there.';

/**
 * `@Payload('a') a: A, @Payload('b') b: B` is `{ a, b }: { a: A; b: B }`, and `@Payload(pipe)` is `@Body(pipe)`. Everything else is left.
 * @returns the parameters that are within another one now
 */
function moveMembers(
  file: MovedFile,
  members: readonly InputMember[],
  facts: ParameterFacts,
): TypeScript.ParameterDeclaration[] {
  const [first, ...others] = members;
  if (!first) return [];
  if (members.length === 1 && first.given.every((each) => isPipe(file, each)) && facts.kind !== 'resource') {
    file.replace(first.callee, file.want(COMMON, 'Body'));
    return [];
  }
  const texts = members.map((each) => memberTexts(file, each));
  const isKnown = facts.kind === 'template' || facts.hasInput;
  if (!isKnown || texts.some((each) => each === undefined || (facts.kind === 'template' && each.key === 'uri'))) {
    for (const { parameter } of members) file.todo(parameter, LEFT, file.from.guide);
    return [];
  }
  const joined = (what: 'element' | 'type', separator: string): string =>
    texts.flatMap((each) => each?.[what] ?? []).join(separator);
  file.replace(first.parameter, `{ ${joined('element', ', ')} }: { ${joined('type', '; ')} }`);
  return others.map(({ parameter }) => parameter);
}

function isPipe({ compiler }: MovedFile, node: TypeScript.Expression): boolean {
  return compiler.isNewExpression(node) || (compiler.isIdentifier(node) && /^[A-Z]\w*[a-z]/.test(node.text));
}

interface MemberTexts {
  readonly key: string;
  readonly element: string;
  readonly type: string;
}

/** One member as an element of a pattern, and as a member of its type; undefined if it is more than that. */
function memberTexts(file: MovedFile, { parameter, given }: InputMember): MemberTexts | undefined {
  const { compiler } = file;
  const [key, ...pipes] = given;
  const { name, type, initializer, questionToken, dotDotDotToken } = parameter;
  const isAlone = (compiler.getDecorators(parameter) ?? []).length === 1;
  if (!key || !compiler.isStringLiteralLike(key) || pipes.length > 0 || dotDotDotToken || !isAlone) return undefined;
  const isName = /^[A-Za-z_$][\w$]*$/.test(key.text);
  const shown = isName ? key.text : key.getText();
  const element = name.getText() === key.text ? key.text : `${shown}: ${name.getText()}`;
  const byDefault = initializer && file.textOf(initializer);
  return {
    key: key.text,
    element: byDefault === undefined ? element : `${element} = ${byDefault}`,
    type: `${shown}${questionToken || initializer ? '?' : ''}: ${type?.getText() ?? typeOf(file, initializer)}`,
  };
}

function typeOf({ compiler }: MovedFile, value: TypeScript.Expression | undefined): string {
  if (!value) return 'any';
  if (compiler.isStringLiteralLike(value)) return 'string';
  if (compiler.isNumericLiteral(value)) return 'number';
  const { TrueKeyword, FalseKeyword } = compiler.SyntaxKind;
  return value.kind === TrueKeyword || value.kind === FalseKeyword ? 'boolean' : 'any';
}

/** The request is a parameter with `@Req()`. */
export function moveRequest(
  file: MovedFile,
  { body }: TypeScript.MethodDeclaration,
  move: { readonly roles: HandlerParameters; readonly dropped: Set<TypeScript.ParameterDeclaration> },
): void {
  const { compiler } = file;
  const { request } = move.roles;
  if (!request) return;
  const isUsed = !compiler.isIdentifier(request.name) || !body || usesOf(file, body, request.name.text).length > 0;
  if (!isUsed) return void move.dropped.add(request);
  file.edits.insert(request.name.getStart(), `@${file.want(COMMON, 'Req')}() `);
  if (!request.type) file.edits.insert(request.name.getEnd(), `: ${file.want(NEST, 'McpRequest')}`);
}
