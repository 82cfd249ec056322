/** Rules against texts that direct a model instead of describing a definition. */
import type { DefinitionRule } from '../definition-rule';

/** A turn of speech that directs a model. */
interface Turn {
  readonly pattern: RegExp;
  readonly does: string;
}

/** Every gap is bounded, so that a long text costs linear time. */
const TURNS: readonly Turn[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|system|safety|your|all other)\b[^.\n]{0,20}\b(?:instructions?|prompts?|guidelines)\b|\bforget everything you\b/i,
    does: 'tells a model to ignore its instructions',
  },
  {
    pattern:
      /<\/?(?:important|system|instructions?|secret|hidden|admin|assistant)>|<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<SYS>>/i,
    does: 'has markup that models read as instructions',
  },
  {
    pattern:
      /\b(?:do not|don't|never|without)\s{1,3}(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|reveal|revealing)\b[^.\n]{0,25}\b(?:the|your) (?:user|human)\b(?!'| unless)|\b(?:hide|conceal|keep)\s{1,3}(?:this|it)\b[^.\n]{0,25}\bfrom the user\b|\bthe user (?:must|should) not know\b/i,
    does: 'tells a model to hide something from the user',
  },
  {
    pattern:
      /\b(?:before|instead of|rather than)\s{1,3}(?:(?:using|calling|invoking|running)\s{1,3})?(?:any|all|every) other (?:[a-z]{1,20} )?tools?\b|\balways prefer this tool\b/i,
    does: 'directs how other tools are used',
  },
  {
    pattern: /\b(?:secretly|silently)\s{1,3}(?:send|append|include|upload|read|post|copy|forward|run)\b/i,
    does: 'has something done behind the back of the user',
  },
  {
    pattern: /\buser has already (?:consented|agreed|approved|confirmed)\b/i,
    does: 'says that the user has agreed',
  },
  {
    pattern: /\b(?:you must|must always|always)\s{1,3}(?:first\s{1,3})?(?:call|use|run|invoke) this (?:tool|first)\b/i,
    does: 'demands to be called',
  },
  {
    pattern: /\byou are now\b|\bfrom now on,? you\b|\bact as (?:if you|an? (?:admin|root|unrestricted))\b/i,
    does: 'gives a model another role',
  },
  {
    pattern:
      /\b(?:send|post|upload|forward|append|include|pass|read|copy)\b[^.\n]{0,60}(?:~\/\.(?:ssh|cursor|claude|aws)\b|\bid_rsa\b|\.aws\/credentials|\/etc\/passwd|\b(?:conversation|chat) history\b|\bsystem prompt\b|\ball (?:previous|prior) messages\b|\b(?:whole|entire|full) conversation\b)/i,
    does: 'asks for what it has no business with',
  },
];

/** Texts that take over a model. */
export const injectedInstructions: DefinitionRule = {
  name: 'injected-instructions',
  asks: 'A text describes, and gives a model no orders',
  severity: 'error',
  dimension: 'safety',
  snyk: 'E003',
  looksAt: 'texts',
  judge({ where, text }) {
    const [found] = TURNS.flatMap(({ pattern, does }) => {
      const [words] = pattern.exec(text) ?? [];
      return words === undefined ? [] : [`${does}: "${words.slice(0, 60)}"`];
    });
    const fix = 'Say what the tool does, and leave to the model when it uses it.';
    return found !== undefined && { problem: `${where} ${found}`, fix };
  },
};

const PRESSING = /\b(?:important|crucial|critical|essential|urgent|vital|mandatory)\b(?:\s{0,2}[:!])?/gi;

/** Words with which attacks begin, and which scanners report. */
export const pressingWords: DefinitionRule = {
  name: 'pressing-words',
  asks: 'No text presses a model with words such as "important"',
  severity: 'warning',
  dimension: 'safety',
  snyk: 'W001',
  looksAt: 'prose',
  judge({ where, text }) {
    const [word] = (text.match(PRESSING) ?? []).sort((one, other) => weightOf(other) - weightOf(one));
    return (
      word !== undefined && {
        problem: `${where} has the word "${word}", which scanners report`,
        fix: 'Say what happens otherwise, in place of the word.',
        severity: weightOf(word) > 0 ? 'warning' : 'hint',
      }
    );
  },
};

/** Whether a word is shouted, or stands before a colon. */
function weightOf(word: string): number {
  return word === word.toUpperCase() || /[:!]$/.test(word) ? 1 : 0;
}
