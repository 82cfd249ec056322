/**
 * The exports of class-validator that a program uses, read from the modules that import it. All of them are half a megabyte: one decorator
 * alone brings the telephone numbers of all countries.
 */

/** A name that holds the whole package: `const class_validator_1 = require("class-validator")`, as the compiler writes it. */
const WHOLE = /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:__importStar\()?require\((["'])class-validator\2\)\)?\s*;/g;
/** Named imports of both kinds of modules. */
const NAMED =
  /(?:\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*require\((["'])class-validator\2\)|\bimport\s*\{([^{}]*)\}\s*from\s*(["'])class-validator\4)/g;
const MENTIONED = /(["'])class-validator\1/g;

/**
 * Reads the names that modules use.
 * @param texts of the modules that may import the package
 * @returns undefined if a module uses the package in another way than by names, and may need any of them
 */
export function usedValidators(texts: Iterable<string>): ReadonlySet<string> | undefined {
  const used = new Set<string>();
  for (const text of texts) {
    const names = namesIn(text);
    if (!names) return undefined;
    for (const name of names) used.add(name);
  }
  return used;
}

function namesIn(text: string): readonly string[] | undefined {
  const mentioned = [...text.matchAll(MENTIONED)].length;
  if (mentioned === 0) return [];
  const whole = [...text.matchAll(WHOLE)].map(([, name = '']) => name);
  const named = [...text.matchAll(NAMED)].map(([, required, , imported]) => required ?? imported ?? '');
  if (whole.length + named.length < mentioned) return undefined;
  const members = whole.map((name) => membersOf(text, name));
  const isKnown = (list: readonly string[] | undefined): list is readonly string[] => list !== undefined;
  const names = named.flatMap(namesOf);
  // The rest of an object, a default value: it may be any of them.
  if (!members.every(isKnown) || !names.every((name) => /^\w+$/.test(name))) return undefined;
  return [...members.flat(), ...names];
}

/** The members that are read of a variable; undefined if it is used in another way. */
function membersOf(text: string, variable: string): readonly string[] | undefined {
  const uses = [...text.matchAll(new RegExp(`(?<![\\w$.])${variable}(?![\\w$])(?:\\.(\\w+))?`, 'g'))];
  // Its declaration is the only use without a member.
  const members = uses.flatMap(([, member]) => member ?? []);
  return members.length === uses.length - 1 ? members : undefined;
}

/** `IsString, Min as Least`, `IsString, Min: Least`. */
function namesOf(list: string): string[] {
  const parts = list.split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map(
      (part) =>
        part
          .replace(/^type\s+/, '')
          .split(/:|\sas\s/, 1)[0]
          ?.trim() ?? part,
    );
}
