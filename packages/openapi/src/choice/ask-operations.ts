/** The choice of operations at a terminal: first the groups, then what each of them has. */
import { ShownPrompts, statusOfSignal, type Shell } from '@sigil-mcp/cli/kit';
import { endedBySignal } from '../errors';
import { plainText } from '../names/model-text';
import type { ApiOperation } from '../operations/operation';
import { groupOf } from '../plan/plan-features';
import type { PickOperations } from './choose-operations';

/** Groups of so few operations are taken whole. */
const SMALL = 3;

/** Asks a person. @param signal ends the questions */
export function askOperations(shell: Shell, signal: AbortSignal): PickOperations {
  return async (operations) => {
    const prompts = await ShownPrompts.load(shell);
    const groups = [...new Set(operations.map(groupOf))];
    const ask = async (message: string, options: readonly { value: string; label: string; hint?: string }[]) => {
      const answer = await prompts.multiselect({ message, options, initialValues: [], required: true, signal });
      // The library returns a symbol if the user cancels.
      if (typeof answer === 'symbol') throw endedBySignal(statusOfSignal('SIGINT'), 'SIGIL_OPENAPI_STOPPED');
      return answer;
    };
    const counted = groups.map((group) => ({ group, members: operations.filter((each) => groupOf(each) === group) }));
    const chosen =
      groups.length === 1
        ? groups
        : await ask(
            'Which parts of the API? Each tool costs every request of a model, so take what is needed.',
            counted.map(({ group, members }) => ({ value: group, label: group, hint: `${members.length} operations` })),
          );
    const picked: ApiOperation[] = [];
    for (const { group, members } of counted.filter((each) => chosen.includes(each.group))) {
      if (members.length <= SMALL && groups.length > 1) picked.push(...members);
      else picked.push(...(await pickFrom(group, members, ask)));
    }
    return picked;
  };
}

type Ask = (message: string, options: readonly { value: string; label: string; hint?: string }[]) => Promise<string[]>;

async function pickFrom(group: string, members: readonly ApiOperation[], ask: Ask): Promise<ApiOperation[]> {
  const keys = await ask(
    `Which operations of ${group}?`,
    members.map(({ key, summary }) => ({ value: key, label: key, hint: plainText(summary).slice(0, 60) })),
  );
  return members.filter(({ key }) => keys.includes(key));
}
