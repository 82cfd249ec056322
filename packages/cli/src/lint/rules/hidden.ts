/** Rules against what a person does not see and a model reads. */
import type { DefinitionRule } from '../definition-rule';
import { textsOf } from '../definition-texts';

/** Characters without a picture. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** Three selectors in a row select nothing: they can encode bytes. */
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3}/u;
/** Controls, but for tabs and line ends; ANSI sequences begin with one. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
/** Flags of regions are written with tags. */
const FLAGS = /\u{1f3f4}[\u{e0020}-\u{e007f}]{1,10}/gu;
/** Joiners belong to pictures and to scripts other than Latin. */
const JOINED =
  /(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})\u200d|(?![\p{Script=Latin}])\p{L}\p{M}?[\u200c\u200d]/gu;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const MARKS = /[\u200e\u200f\u202a-\u202c\u2066-\u2069]/gu;

/** Characters that no person sees. */
export const hiddenCharacters: DefinitionRule = {
  name: 'hidden-characters',
  asks: 'No text has characters that a person does not see',
  severity: 'error',
  dimension: 'safety',
  snyk: 'E001',
  looksAt: 'texts',
  judge({ where, text }) {
    const found = hiddenIn(text);
    return (
      found !== undefined && {
        problem: `${where} has ${found}, which a model reads and a person does not see`,
        fix: 'Remove it; write the text again by hand if it was pasted.',
      }
    );
  },
};

/** The first hidden character, by its code point. */
function hiddenIn(text: string): string | undefined {
  const rest = text.replace(FLAGS, '').replace(JOINED, '');
  const shown = RIGHT_TO_LEFT.test(rest) ? rest.replace(MARKS, '') : rest;
  const [found] = shown.match(INVISIBLE) ?? SELECTORS.exec(shown) ?? CONTROLS.exec(shown) ?? [];
  const code = found?.codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Comments of HTML and Markdown, which are left out where a text is shown. */
const COMMENT = /<!--|^\[(?:\/\/|comment)\]: *#/m;
/** Letters of both cases and digits in one run. */
const ENCODED = /[A-Za-z\d+/]{60,}={0,2}/g;

/** Texts in a form that hides them from a person. */
export const hiddenText: DefinitionRule = {
  name: 'hidden-text',
  asks: 'No text is in a comment or encoded',
  severity: 'error',
  dimension: 'safety',
  snyk: 'E001',
  looksAt: 'server',
  *find(server) {
    for (const { entry, where, text } of textsOf(server)) {
      if (COMMENT.test(text))
        yield { entry, problem: `${where} has a comment, which is not shown to people`, fix: 'Remove it.' };
      if (text.match(ENCODED)?.some(isEncoded) === true)
        yield {
          entry,
          problem: `${where} has a long encoded text, which nobody can read`,
          fix: 'Remove it, or write what it says.',
        };
    }
  },
};

function isEncoded(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) && !run.includes('//');
}

/** Forms of well-known secrets, and addresses with a password. */
const SECRETS: readonly RegExp[] = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bgithub_pat_\w{22}/,
  /\bglpat-[\w-]{20}/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bsk-[A-Za-z0-9_-]{20}/,
  /\b[rs]k_live_[A-Za-z0-9]{16}/,
  /\bxox[abposr]-[\w-]{10}/,
  /\bAIza[\w-]{35}/,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/,
  /\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{5}/,
  /\b[a-z]{2,12}:\/\/[^\s:@/]{1,64}:(?!pass(?:word)?@|secret@|\*|<|x+@)[^\s@/]{3,64}@/i,
];

/** Secrets in texts that everybody reads. */
export const secretText: DefinitionRule = {
  name: 'secret',
  asks: 'No text or default is a secret',
  severity: 'error',
  dimension: 'safety',
  snyk: 'W008',
  looksAt: 'texts',
  judge: ({ where, text }) =>
    SECRETS.some((pattern) => pattern.test(text)) && {
      problem: `${where} has what looks like a key or a password`,
      fix: 'Replace the secret where it was issued, and read the new one from the environment.',
    },
};
