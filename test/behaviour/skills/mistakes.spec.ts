/** Mistakes of authors are definition errors: all of them at once, each with what to do about it. */
import {
  DefinitionError,
  Feature,
  Prompt,
  Resource,
  Tool,
  createServer,
  type DefinitionProblem,
  type ServerOptions,
} from '@sigil-mcp/core';
import { Skill, skills, type SkillsOptions } from '@sigil-mcp/skills';
import { connect } from '@sigil-mcp/testing';
import { join } from 'node:path';
import { folderOf, skillText } from '../../support/skill-folders';

@Feature()
class Orders {
  @Tool('Creates an order', { name: 'create_order' }) create(): string {
    return '';
  }
  @Prompt('Thanks') thank_customer(): string {
    return '';
  }
  @Resource('weather://{city}/today') today(): string {
    return '';
  }
  @Resource('shop://hours') hours(): string {
    return '';
  }
}

function problemsOf(options: SkillsOptions, more: Partial<ServerOptions> = {}): readonly DefinitionProblem[] {
  try {
    createServer({
      name: 'wrong',
      version: '1.0.0',
      logger: false,
      features: [Orders],
      extensions: [skills(options)],
      ...more,
    });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

const ofText = (body: string, options: SkillsOptions = {}): readonly DefinitionProblem[] =>
  problemsOf({ folders: [folderOf({ 'a/SKILL.md': skillText('a', body) })], ...options });

describe('the names in the text of a skill', () => {
  it('are those of tools, prompts, resources and templates of the server', () => {
    const known = ['create_order({ "a": 1 })', 'thank_customer()', 'shop://hours', 'weather://oslo/today'];
    expect(
      ofText(
        [...known, 'weather://{city}/today', 'skill://a/SKILL.md', 'skill://a'].map((name) => `\`${name}\``).join(' '),
      ),
    ).toEqual([]);
  });

  it('are suggested if they are misspelled, each at its place', () => {
    const problems = ofText(
      'Call `create_ordr()`.\n\nRead `shop://hour`, `wether://oslo/today` and `skill://b/SKILL.md`.',
    );
    expect(problems).toMatchObject([
      {
        code: 'SIGIL_SKILL_REFERENCE',
        where: expect.stringMatching(/a\/SKILL\.md:5:7$/) as unknown,
        problem: 'its text names create_ordr, but this server has no tool or prompt of that name.',
        fix: expect.stringMatching(/^Correct the name. Did you mean create_order\?/) as unknown,
      },
      {
        where: expect.stringMatching(/:7:7$/) as unknown,
        fix: expect.stringMatching(/^Correct the name. Did you mean shop:\/\/hours\?/) as unknown,
      },
      { problem: expect.stringContaining('wether://oslo/today') as unknown },
      { fix: expect.stringMatching(/^Correct the name. Did you mean skill:\/\/a\/SKILL\.md\?/) as unknown },
    ]);
  });

  it('are looked up also where the name of the skill and its links are wrong', () => {
    const problems = problemsOf({ folders: [folderOf({ 'a/SKILL.md': skillText('b', '[x](x.md) `create_ordr()`') })] });
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'SIGIL_SKILL_FILE_LINK',
      'SIGIL_SKILL_NAME',
      'SIGIL_SKILL_REFERENCE',
    ]);
  });

  it('may belong to something else', () => {
    expect(ofText('`https://example.com` `s3://bucket/x` `postgres://x` `file:///etc`')).toEqual([]);
    expect(ofText('`create_issue()`')).toHaveLength(1);
    expect(ofText('`create_issue()` `shop://other`', { elsewhere: ['create_issue', 'shop://other'] })).toEqual([]);
    expect(ofText('```\ncreate_issue()\n```')).toEqual([]);
  });

  it('are looked for in all Markdown files, those of nested skills included', () => {
    const folder = folderOf({
      'a/SKILL.md': skillText('a'),
      'a/references/more.md': '`none_such()`',
      'a/code.py': '`print()`',
    });
    expect(problemsOf({ folders: [folder] }).map(({ where }) => where.slice(folder.length))).toEqual([
      '/a/references/more.md:1:2',
    ]);
  });
});

describe('a server with skills', () => {
  it('has no two of the same name, wherever they are', () => {
    const folder = folderOf({
      'a/SKILL.md': skillText('a'),
      'x/a/SKILL.md': skillText('a'),
      'beside/a.md': skillText('a'),
    });
    @Feature()
    @Skill(join(folder, 'beside/a.md'))
    class Beside {
      @Tool('Works') work(): string {
        return '';
      }
    }
    const problems = problemsOf({ folders: [folder] }, { features: [Orders, Beside] });
    expect(problems.map(({ code }) => code)).toEqual(['SIGIL_SKILL_TWICE', 'SIGIL_SKILL_TWICE']);
  });

  it('has at least one, and knows what it was given', () => {
    expect(problemsOf({})).toMatchObject([{ code: 'SIGIL_SKILLS_NONE' }]);
    expect(problemsOf({ folders: [folderOf({})] })).toMatchObject([{ code: 'SIGIL_SKILLS_NONE' }]);
    const wrong = { folders: './skills', pageSize: 0, directoryRead: 1, cache: {}, folder: [], scopes: 'x' };
    const problems = problemsOf(wrong as unknown as SkillsOptions);
    expect(problems.map(({ where, problem }) => `${where}: ${problem}`)).toEqual([
      'skills({ folders }): it is "./skills".',
      'skills({ pageSize }): it is 0.',
      'skills({ directoryRead }): it is 1.',
      'skills({ cache }): it is an object.',
      'skills({ folder }): there is no such option.',
      'skills({ scopes }): it is "x".',
    ]);
    expect(problemsOf('x' as SkillsOptions)).toMatchObject([{ code: 'SIGIL_OPTION_KIND' }]);
    // Names that every object has.
    for (const name of ['constructor', 'toString'])
      expect(problemsOf({ folders: [], [name]: 1 })).toMatchObject([
        { where: `skills({ ${name} })`, code: 'SIGIL_OPTION_UNKNOWN' },
      ]);
  });

  it.each([null, 'x', 7, [], () => 1].map((value) => [value]))('is no server with skills(%p)', (value) => {
    expect(problemsOf(value as SkillsOptions).map(({ code }) => code)).toEqual(['SIGIL_OPTION_KIND']);
  });

  it.each([null, 7, '', {}].map((value) => [value]))('is not next to a feature with @Skill(%p)', (value) => {
    @Feature()
    @Skill(value as string)
    class Lost {
      @Tool('Works') work(): string {
        return '';
      }
    }
    expect(problemsOf({}, { features: [Orders, Lost] })).toMatchObject([
      { code: 'SIGIL_SKILL_PATH', where: 'Lost', fix: expect.stringContaining("@Skill('./ordering.md')") as unknown },
    ]);
  });

  it('says what is missing, and how it reaches production', () => {
    @Feature()
    @Skill('./nothing.md')
    class Lost {
      @Tool('Works') work(): string {
        return '';
      }
    }
    expect(problemsOf({ folders: ['./none'] }, { features: [Orders, Lost] })).toMatchObject([
      {
        code: 'SIGIL_SKILL_MISSING',
        where: 'skills({ folders })[0]',
        problem: expect.stringContaining('behaviour/skills/none') as unknown,
      },
      { code: 'SIGIL_SKILL_MISSING', where: 'Lost', fix: expect.stringContaining('sigil copy') as unknown },
    ]);
  });

  it('has no skills that nobody asked for [BASE-047]', async () => {
    const server = createServer({ name: 'plain', version: '1.0.0', logger: false, features: [Orders] });
    const client = await connect(server);
    expect(JSON.stringify(client.traffic)).not.toContain('modelcontextprotocol/skills');
    await expect(client.request('skills/list')).rejects.toMatchObject({ code: -32601 });
    await server.close();
  });

  it('needs the extension for @Skill', () => {
    @Feature()
    @Skill('./ordering.md')
    class Beside {
      @Tool('Works') work(): string {
        return '';
      }
    }
    expect(problemsOf({}, { features: [Beside], extensions: [] })).toMatchObject([{ code: 'SIGIL_EXTENSION_MISSING' }]);
    expect(problemsOf({ elsewhere: ['create_order', 'shop://', 'thank_customer'] }, { features: [Beside] })).toEqual(
      [],
    );
  });

  it('may be made twice from the same value, each with its own features', async () => {
    const one = skills({ folders: [folderOf({ 'a/SKILL.md': skillText('a', '`create_order()`') })] });
    const define = (features: ServerOptions['features']) =>
      createServer({
        name: 'twice',
        version: '1.0.0',
        logger: false,
        extensions: [one],
        ...(features && { features }),
      });
    expect(() => define([])).toThrow(DefinitionError);
    await define([Orders]).close();
    expect(() => define([])).toThrow(DefinitionError);
  });
});
