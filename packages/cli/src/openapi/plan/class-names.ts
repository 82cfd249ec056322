/** The names of classes. A class has the same name in every run: the lock remembers them. */
import { pascal, wordsOf } from '../names/words';
import { TakenNames } from '../names/taken-names';

/** Names that would hide something that the written files use. */
const RESERVED = [
  ...'Object Array String Number Boolean Date Map Set Symbol Function Promise Error Record Partial Pick Omit Required Readonly'.split(
    ' ',
  ),
  ...'Exclude Extract Parameters Awaited Reflect JSON Math RegExp Buffer'.split(' '),
  ...'Feature Tool Describe Nullable AnyOf RecordOf Ref McpContext ToolFailure Injectable Module Type Allow Uint8Array'.split(
    ' ',
  ),
  ...'IsArray IsBoolean IsInt IsNumber IsObject IsOptional IsString IsIn Length Min Max MinLength MaxLength Matches'.split(
    ' ',
  ),
  ...'ArrayNotEmpty ArrayMinSize ArrayMaxSize ArrayUnique IsDivisibleBy IsPositive IsNegative IsISO8601 IsUUID IsIP IsEmail'.split(
    ' ',
  ),
  ...'ValidateNested Equals IsBase64'.split(' '),
];

const LONGEST_CLASS = 80;

/** Gives classes their names. */
export class ClassNames {
  readonly #taken: TakenNames;
  readonly #byKey: Map<string, string>;

  /** @param known names by key, from the lock. @param reserved names of the written client and features */
  constructor(known: Readonly<Record<string, string>>, reserved: readonly string[]) {
    this.#byKey = new Map(Object.entries(known));
    this.#taken = new TakenNames([...RESERVED, ...reserved, ...this.#byKey.values()], LONGEST_CLASS);
  }

  /**
   * The name of a class.
   * @param key what the class is made of
   * @param proposals the words of names, the best one first
   */
  nameOf(key: string, ...proposals: readonly string[]): string {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const names = proposals.map((text) => pascal(wordsOf(text))).filter((name) => name !== '');
    const name = this.#taken.take(...(names.length > 0 ? names : ['Model']));
    this.#byKey.set(key, name);
    return name;
  }

  /** Every name by its key, for the lock. */
  all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#byKey].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
