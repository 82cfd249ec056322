/** Rules about arguments and results. */
import { SchemaView } from '../../arguments/json-schema';
import { isObject } from '@sigil-mcp/base';
import type { OfferedEntry } from '../../offer/offered-server';
import { textOfEntry, type DefinitionRule } from '../definition-rule';

/** The depth to which nested objects are looked at. */
const DEEPEST = 3;
/** How many names a sentence has. */
const SHOWN = 5;

/** Arguments without a description. */
export const silentArguments: DefinitionRule = {
  name: 'silent-argument',
  asks: 'Every argument says what it is for',
  severity: 'warning',
  dimension: 'parameters',
  looksAt: 'entries',
  judge(entry) {
    const names = entry.kind === 'prompt' ? silentListed(entry) : silentNames(entry.listed['inputSchema']);
    const [first] = names;
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
    return (
      first !== undefined && {
        problem: `${names.slice(0, SHOWN).join(', ')}${more} ${names.length === 1 ? 'has' : 'have'} no description`,
        fix: `Say what a model has to send, with the unit and an example: @Describe('...') ${first}.`,
      }
    );
  },
};

function silentListed({ listed }: OfferedEntry): readonly string[] {
  const { arguments: given } = listed;
  const each = Array.isArray(given) ? (given as unknown[]).filter(isObject) : [];
  return each.flatMap(({ name, description }) => (description === undefined ? [String(name)] : []));
}

function silentNames(schema: unknown): readonly string[] {
  return namesIn(SchemaView.of(schema), '', 0);
}

/** The paths of properties that neither a description nor a list of values explains. */
function namesIn(view: SchemaView, path: string, depth: number): readonly string[] {
  if (depth > DEEPEST) return [];
  return [...view.properties].flatMap(([name, property]) => {
    const isList = property.types.includes('array');
    const nested = isList ? property.items : property;
    const below = nested ? namesIn(nested, `${path}${name}${isList ? '[]' : ''}.`, depth + 1) : [];
    const isExplained =
      (property.text('description') ?? property.text('title')) !== undefined || property.choices !== undefined;
    return [...(isExplained || hasProperties(nested) ? [] : [`${path}${name}`]), ...below];
  });
}

/** Whether an object is explained by its properties, or by those of its alternatives. */
function hasProperties(view: SchemaView | undefined): boolean {
  return view !== undefined && [view, ...view.alternatives].some(({ properties }) => properties.size > 0);
}

/** Results of tools that only read, which neither a schema nor the description explains. */
export const silentResult: DefinitionRule = {
  name: 'silent-result',
  asks: 'A tool that only reads says what it returns',
  severity: 'hint',
  dimension: 'completeness',
  looksAt: 'tools',
  judge: (entry) =>
    isReading(entry) &&
    !('outputSchema' in entry.listed) &&
    !RETURNS.test(textOfEntry(entry, 'description')) && {
      problem: 'neither a schema nor its description says what it returns',
      fix: 'Name a class as output: { output: Note }; or end the description with what comes back.',
    },
};

function isReading({ listed: { annotations } }: OfferedEntry): boolean {
  return isObject(annotations) && annotations['readOnlyHint'] === true;
}

const RETURNS =
  /\b(?:returns?|gives?|lists?|shows?|finds?|answers?|reports?|prints?|produces?|outputs?|responds?|fetche?s?|gets?|reads?|retrieves?|search(?:es)?|compares?|counts?|computes?|calculates?)\b/i;

/** Arguments that make a model write secrets. */
export const secretArguments: DefinitionRule = {
  name: 'secret-argument',
  asks: 'No argument is a secret, which would pass through the model',
  severity: 'warning',
  dimension: 'safety',
  snyk: 'W007',
  looksAt: 'tools',
  judge({ listed }) {
    const names = [...SchemaView.of(listed['inputSchema']).properties.keys()];
    const name = names.find((each) => SECRET_NAME.test(each));
    return (
      name !== undefined && {
        problem: `a model has to write ${name}, so that it is in the conversation and in its logs`,
        fix: 'Read it from the environment of the server, from the token of the caller, or ask the user at a URL.',
      }
    );
  },
};

const SECRET_NAME =
  /^(?:api_?key|password|passwd|passphrase|secret(?:_?key)?|access_?token|auth_?token|private_?key|client_?secret|credentials?)$/i;
