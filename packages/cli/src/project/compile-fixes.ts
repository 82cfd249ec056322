/** What to do about compiler errors that a decorator causes: their own messages speak of signatures and run time. */

/** Decorators that are made for methods. */
const FOR_METHODS = /^@?(Tool|Resource|Prompt|Complete|ListTemplate)\b/;
/** A decorator that is not called. */
const BARE = /^@?(Tool|Resource|Prompt|Complete|ListTemplate|Describe|Title|Inject|Scopes|UseGuards|UseInterceptors)$/;
/** The compiler calls a method decorator with three arguments only if `experimentalDecorators` is set. */
const STANDARD: Readonly<Record<number, RegExp>> = {
  1206: /./,
  1240: /Argument of type 'undefined'/,
  1241: /with 2 arguments/,
};

/**
 * The fix of a compiler error; undefined if its message says enough.
 * @param code of the compiler, such as 1240
 * @param marked the part of the source that the error is about
 */
export function fixOfCompileError(code: number, message: string, marked: string): string | undefined {
  if (STANDARD[code]?.test(message) === true)
    return 'Put "experimentalDecorators": true and "emitDecoratorMetadata": true into the compilerOptions of tsconfig.json.';
  const [bare, name] = BARE.exec(marked) ?? [];
  if (bare !== undefined && (code === 1240 || code === 1241)) return `Call the decorator: @${name}(...).`;
  const [, forMethods] = FOR_METHODS.exec(marked) ?? [];
  if (forMethods !== undefined && code === 1240)
    return `@${forMethods}() belongs on a method. Write name() { ... } in place of name = () => { ... }.`;
  return undefined;
}
