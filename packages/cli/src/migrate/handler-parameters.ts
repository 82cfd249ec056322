/** The parameters of a handler of the old package: arguments, context and request, by place in version 1 and by decorator in version 2. */
import type * as TypeScript from 'typescript';
import { importsFrom } from './imported-names';
import type { MovedFile } from './moved-file';
import { NEST } from './packages';
import { usesOf } from './syntax';

/** The package with the decorators of version 2. */
export const MICROSERVICES = '@nestjs/microservices';
const COMMON = '@nestjs/common';

/** The parameters that mean something. */
export interface HandlerParameters {
  readonly input: TypeScript.ParameterDeclaration | undefined;
  readonly context: TypeScript.ParameterDeclaration | undefined;
  readonly request: TypeScript.ParameterDeclaration | undefined;
}

type Role = keyof HandlerParameters;
const BY_PLACE: readonly Role[] = ['input', 'context', 'request'];
const BY_DECORATOR: Readonly<Record<string, Role>> = { Payload: 'input', Ctx: 'context', McpRawRequest: 'request' };

/** Finds them, and takes the decorators of version 2 away: types say the same. */
export function rolesOf(file: MovedFile, { parameters }: TypeScript.MethodDeclaration): HandlerParameters {
  const { compiler, old } = file;
  const rpc = importsFrom(compiler, file.tree, MICROSERVICES);
  const found: Partial<Record<Role, TypeScript.ParameterDeclaration>> = {};
  for (const [index, parameter] of parameters.entries()) {
    const decorators = compiler.getDecorators(parameter) ?? [];
    const [only] = decorators;
    const callee = only && compiler.isCallExpression(only.expression) ? only.expression.expression : undefined;
    const role = BY_DECORATOR[rpc.exportedOf(callee) ?? old.exportedOf(callee) ?? ''];
    const place = decorators.length === 0 ? BY_PLACE[index] : undefined;
    if (role && only && callee) {
      file.handled.add(callee);
      file.edits.replace(only.getStart(), startAfter(parameter, only), '');
    }
    const known = role ?? place;
    if (known) found[known] ??= parameter;
  }
  return { input: found.input, context: found.context, request: found.request };
}

function startAfter({ name, dotDotDotToken }: TypeScript.ParameterDeclaration, _: TypeScript.Decorator): number {
  return (dotDotDotToken ?? name).getStart();
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
