/** The skills of a server, which the official client judges as hosts do, and their lines for users. */
import { isObject, visible } from '@sigil-mcp/base';
import type { JsonObject, Operation } from '@sigil-mcp/protocol';
import { protocolError } from '../failure';
import { loadOfficialSkills, type SkillListing, type SkillsJudge } from '../official-client';
import type { CommandSession } from '../session/session';
import type { Styles } from '../terminal/styles';

/** The extension of skills. */
export const SKILLS = 'io.modelcontextprotocol/skills';

/** A page, which the official client checks. */
interface SkillsPage extends JsonObject {
  readonly nextCursor?: string;
}

const same = <T extends object>(value: T): T => value;
const SKILLS_LIST: Operation<'skills/list', JsonObject, SkillsPage> = {
  method: 'skills/list',
  compile: () => ({ readParams: same, writeParams: same, writeResult: same, readResult: same }),
};

/** Lists them all, those that hosts refuse apart. @throws CliFailure for a list that does not fit the protocol */
export async function listSkills(session: Pick<CommandSession, 'client' | 'request'>): Promise<SkillListing> {
  const { client } = session;
  const { SkillsClient } = await loadOfficialSkills();
  const judged = {
    getServerCapabilities: () => client.server.capabilities,
    getNegotiatedProtocolVersion: () => client.revision,
    request: async (_request: unknown, schema: PageSchema) => checked(await wholeList(session), schema),
  };
  // What it uses of its own client for a list; with a cursor, it asks for one page, which is the whole list.
  return new SkillsClient(judged as unknown as SkillsJudge, { skipInvalid: true }).list({ cursor: '' });
}

async function wholeList({ client, request }: Pick<CommandSession, 'client' | 'request'>): Promise<JsonObject> {
  const pages: SkillsPage[] = [];
  for (let cursor: string | undefined; cursor !== undefined || pages.length === 0; cursor = pages.at(-1)?.nextCursor)
    pages.push(await client.request(SKILLS_LIST, { ...(cursor !== undefined && { cursor }) }, request));
  const { nextCursor: _, ...first } = pages[0] ?? {};
  return { ...first, skills: pages.flatMap(({ skills }) => skills ?? []) };
}

/** A schema of the official client: a Standard Schema. */
interface PageSchema {
  readonly '~standard': { validate(value: unknown): object | Promise<object> };
}

async function checked(page: JsonObject, schema: PageSchema): Promise<unknown> {
  const read = await schema['~standard'].validate(page);
  if ('value' in read) return read.value;
  const [issue] = 'issues' in read && Array.isArray(read.issues) ? (read.issues as unknown[]) : [];
  const reason = isObject(issue) ? String(issue['message']) : 'it is invalid';
  throw protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: `The list of skills cannot be read: ${reason}.` });
}

/** One skill, in two parts: what is known of it at once, and its description. */
export interface DescribedSkill {
  /** Its URI and its files, or why hosts refuse it. */
  readonly head: string;
  readonly description: string | undefined;
}

/** Describes skills, the valid ones first. */
export function describeSkills({ skills, invalid }: SkillListing, styles: Styles): DescribedSkill[] {
  const valid = skills.map(({ uri, frontmatter, resources }) => ({
    head: `${styles.name(visible(uri))}  ${styles.dim(filesIn(resources))}`,
    description: frontmatter.description,
  }));
  const refused = invalid.map(({ uri = 'a skill without a URI', reason }) => ({
    head: `${styles.name(visible(uri))}  ${styles.bad(visible(`hosts refuse it: ${reason}`))}`,
    description: undefined,
  }));
  return [...valid, ...refused];
}

/** The URIs of the files of all skills. */
export function skillFiles({ skills }: SkillListing): ReadonlySet<string> {
  return new Set(skills.flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources.map(({ uri }) => uri))));
}

function filesIn(resources: SkillListing['skills'][number]['resources']): string {
  if (resources === 'dynamic') return 'files change';
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return `${resources.length === 1 ? '1 file' : `${resources.length} files`}, ${bytes} bytes`;
}
