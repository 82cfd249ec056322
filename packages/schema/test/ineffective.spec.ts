/** Decorators that do not do what they say are reported at start. */
import { Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsString, ValidateNested } from 'class-validator';
import type { Class } from '@sigil-mcp/base';
import { DraftCache } from '../src/plan/draft-cache';
import { compileInput, compileOutput } from '../src/compile-shapes';

function codesOf(dto: Class): string[] {
  const shape = compileInput(dto, { known: new DraftCache() }, () => undefined, 'Test.method');
  return (shape?.vague ?? []).map(({ code, problem }) => `${code} ${problem.split(' ', 1).join('')}`);
}

class Author {
  @IsString() name!: string;
}

it('reports rules of groups, each of them, unless they always hold', () => {
  class Grouped {
    @IsInt() none!: number;
    @IsInt({ groups: ['create'] }) one!: number;
    @IsInt({ groups: ['create'] }) two!: number;
    @IsInt({ groups: ['create'], always: true }) always!: number;
    @IsInt({ groups: [] }) empty!: number;
  }
  expect(codesOf(Grouped)).toEqual(['SIGIL_DTO_GROUPS Grouped.one', 'SIGIL_DTO_GROUPS Grouped.two']);
});

it('reports a @Transform of a group in the direction that it has', () => {
  const trim = ({ value }: { value: string }): string => value.trim();
  class Grouped {
    @IsString() @Transform(trim, { groups: ['a'] }) both!: string;
    @IsString() @Transform(trim, { groups: ['a'], toPlainOnly: true }) out!: string;
    @IsString() @Transform(trim) none!: string;
  }
  expect(codesOf(Grouped)).toEqual(['SIGIL_DTO_GROUPS Grouped.both']);
  const output = compileOutput(Grouped, () => undefined, 'Test.method');
  expect(output?.vague?.map(({ code }) => code)).toEqual(['SIGIL_DTO_GROUPS', 'SIGIL_DTO_GROUPS']);
});

it('reports { each: true } where there is one value', () => {
  class Each {
    @IsString({ each: true }) title!: string;
    @IsString({ each: true }) titles!: string[];
    @IsString({ each: true }) set!: Set<string>;
    @IsArray() @IsString({ each: true }) free!: unknown;
    @ValidateNested({ each: true }) @Type(() => Author) author!: Author;
    @ValidateNested({ each: true }) @Type(() => Author) authors!: Author[];
  }
  expect(codesOf(Each)).toEqual(['SIGIL_DTO_EACH_OF_ONE Each.title', 'SIGIL_DTO_EACH_OF_ONE Each.author']);
});
