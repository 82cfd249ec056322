/** Skills as an extension of a server. */
export { SKILLS } from './names';
export { Skill } from './skill-decorator';
export { skills } from './skills';
export type { SkillsOptions } from './skills-options';
export type { FrontMatter, ServedSkill, SkillFile, SkillFolder, SkillReference } from './skill';
export { SKILLS_GET, SKILLS_LIST, DIRECTORY_READ } from './served/operations';
export type { FolderPage, FoundSkill, PageParams, SkillsPage, UriParams } from './served/operations';
