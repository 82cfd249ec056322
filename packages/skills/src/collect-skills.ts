/** The skills of a definition, of folders and of features -> the resources of their files. */
import {
  besideSource,
  type Constructor,
  type DefinitionProblem,
  type FeatureSource,
  type ReportProblem,
} from '@sigil-mcp/core';
import {
  checkOptions,
  nameValue,
  isObject,
  OPTION_RULES,
  wholeNumber,
  type OptionRule,
  type OptionRules,
} from '@sigil-mcp/core/internal';
import { skillProblem } from './errors';
import { skillsInFolder, skillsOfFeature } from './scan/find-skills';
import type { SkillReading } from './scan/read-skill';
import { SkillAudience } from './served/audience';
import { fileResources } from './served/file-resources';
import type { ServedSkill, SkillFile } from './skill';
import { SKILL_PLACE, type SkillPlace } from './skill-decorator';
import { NO_CACHE, type SkillsOptions } from './skills-options';

const TEXTS = (wanted: string): OptionRule => ({
  wanted,
  fits: (value) => Array.isArray(value) && value.every(OPTION_RULES.text.fits),
});

/** What each option may be. */
const SKILLS_OPTIONS: OptionRules = {
  folders: TEXTS("an array of paths, such as ['./skills']"),
  elsewhere: TEXTS("an array of names, such as ['create_issue']"),
  directoryRead: OPTION_RULES.flag,
  isForEveryRevision: OPTION_RULES.flag,
  public: OPTION_RULES.flag,
  guards: OPTION_RULES.list,
  scopes: OPTION_RULES.list,
  cache: { wanted: "{ ttlMs: 60000, cacheScope: 'private' }", fits: isHints },
  pageSize: wholeNumber(1, 1000),
};

/** What skills are collected with. */
export interface Collecting {
  readonly options: SkillsOptions;
  /** The file that called `skills`. */
  readonly source: string | undefined;
  readonly report: ReportProblem;
}

/** Reads all skills; reports every problem. @param classes the features of the server */
export function collectSkills(
  classes: readonly Constructor[],
  { options, source, report }: Collecting,
): FeatureSource[] {
  if (!checkOptions('skills', options, SKILLS_OPTIONS, report)) return [];
  const { folders = [], elsewhere = [], cache = NO_CACHE, guards, scopes, public: isPublic } = options;
  let hasProblems = false;
  const known = new Map<string, SkillFile>();
  const reading = {
    known,
    feature: undefined,
    report: (problem: DefinitionProblem): void => {
      hasProblems = true;
      report(problem);
    },
  };
  const ofFolders = folders.flatMap((folder, index) =>
    skillsInFolder(besideSource(folder, source), `skills({ folders })[${index}]`, reading),
  );
  const ofFeatures = classes.flatMap((feature) =>
    SKILL_PLACE.ofClass(feature).flatMap((place) => skillsAt(place, feature, reading)),
  );
  const all = withoutDoubles([...ofFolders, ...ofFeatures], reading.report);
  if (all.length === 0 && !hasProblems) report(skillProblem('SIGIL_SKILLS_NONE', 'createServer({ extensions })'));
  const audience = new SkillAudience(elsewhere);
  return fileResources(all, {
    audience,
    cache,
    ...(guards && { guards }),
    ...(scopes && { scopes }),
    ...(isPublic && { public: true }),
  });
}

/** The skill next to a feature. JavaScript, or a cast, may pass any value as its path. */
function skillsAt({ path, source }: SkillPlace, feature: Constructor, reading: SkillReading): ServedSkill[] {
  if (isPath(path)) return skillsOfFeature(besideSource(path, source), feature.name, { ...reading, feature });
  reading.report(skillProblem('SIGIL_SKILL_PATH', feature.name, { path: nameValue(path) }));
  return [];
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && path !== '';
}

function withoutDoubles(all: readonly ServedSkill[], report: ReportProblem): ServedSkill[] {
  const first = new Map<string, ServedSkill>();
  for (const skill of all) {
    const { name } = skill.frontMatter;
    const before = first.get(name);
    if (before) report(skillProblem('SIGIL_SKILL_TWICE', skill.where, { name, first: before.where }));
    else first.set(name, skill);
  }
  return [...first.values()];
}

function isHints(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { ttlMs, cacheScope } = value;
  return Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
}
