/** The names of an API in the code that is written for it. */
import { plainText } from '../names/model-text';
import { camel, pascal, wordsOf } from '../names/words';

/** The names. */
export interface ApiNames {
  /** Of its folder and its files: `pet-store`. */
  readonly slug: string;
  /** `petStore`. */
  readonly api: string;
  /** `PetStore`. */
  readonly pascal: string;
  /** The member of a feature that holds the client. */
  readonly member: string;
  /** `PET_STORE`, before the names of variables. */
  readonly variable: string;
  /** As people call it. */
  readonly title: string;
  /** How relative imports end. */
  readonly js: string;
}

/** Words that say nothing about an API. */
const EMPTY = new Set(
  'api apis rest openapi swagger spec specification definition document the a an of for v1 v2 v3 s official extension json http https'.split(
    ' ',
  ),
);

/** Words that no member may have that is a parameter of the constructor, too. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const constructor continue debugger default delete do else enum eval export extends false finally ' +
    'for function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof var void while with yield'
  ).split(' '),
);

/**
 * @param name chosen by the user; taken from the title if left out
 * @param js how relative imports end
 */
export function apiNames(name: string | undefined, title: string, js: string): ApiNames {
  const words = wordsOf(name ?? plainText(title).replace(/['’]s\b/g, ''));
  const useful = name === undefined ? words.filter((word) => !EMPTY.has(word) && !/^v?\d+$/.test(word)) : words;
  const chosen = (useful.length > 0 ? useful : ['api']).slice(0, name === undefined ? 2 : 6);
  const [first = 'api', ...rest] = chosen;
  const sound = /^[a-z]/.test(first) ? chosen : ['api', first, ...rest];
  return {
    slug: sound.join('-'),
    api: camel(sound),
    pascal: pascal(sound),
    member: RESERVED.has(camel(sound)) ? `${camel(sound)}Api` : camel(sound),
    variable: sound.join('_').toUpperCase(),
    title: shownTitle(title, pascal(sound)),
    js,
  };
}

/** A title that may stand in comments, texts and templates. */
function shownTitle(title: string, fallback: string): string {
  const plain = plainText(title)
    .replace(/[^\p{L}\p{N} .,()&+-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > 0 && plain.length <= 40 ? plain : `the ${fallback} API`;
}
