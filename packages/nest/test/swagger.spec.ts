/** Classes of arguments with the decorators and mapped types of `@nestjs/swagger`, as Nest projects have them. */
import { Injectable } from '@nestjs/common';
import {
  ApiHideProperty,
  ApiProperty,
  ApiPropertyOptional,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { Tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { Exclude } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min } from 'class-validator';
import { openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

class CreateCat {
  @ApiProperty({ description: 'What it is called', example: 'Tom' })
  @IsString()
  name!: string;

  @ApiPropertyOptional({ description: 'In years', default: 1 })
  @IsOptional()
  @IsInt()
  @Min(0)
  age?: number;

  @ApiHideProperty()
  @IsOptional()
  @IsString()
  owner?: string;

  @ApiHideProperty()
  @Exclude()
  @IsOptional()
  @IsString()
  secret?: string;
}
class Shelter {
  @ApiProperty({ description: 'Its place' })
  @IsString()
  place!: string;
}
class UpdateCat extends PartialType(CreateCat) {}
class Named extends PickType(CreateCat, ['name'] as const) {}
class Ageless extends OmitType(CreateCat, ['age'] as const) {}
class Sheltered extends IntersectionType(CreateCat, Shelter) {}

@Injectable()
class Cats {
  @Tool('Creates') create(cat: CreateCat): string {
    return JSON.stringify(cat);
  }
  @Tool('Updates') update(cat: UpdateCat): string {
    return JSON.stringify(cat);
  }
  @Tool('Names') name(cat: Named): string {
    return cat.name;
  }
  @Tool('Ages') ageless(cat: Ageless): string {
    return cat.name;
  }
  @Tool('Shelters') shelter(cat: Sheltered): string {
    return cat.place;
  }
}

class Loose {
  @ApiProperty({ type: String, example: 'Ada' })
  @IsNotEmpty()
  first!: string | null;

  @ApiProperty({ type: 'number' })
  @IsNotEmpty()
  age!: number | null;

  @ApiProperty({ type: () => Boolean })
  @IsNotEmpty()
  tame!: boolean | null;

  @ApiProperty({ type: String, isArray: true })
  @IsNotEmpty()
  names!: string[] | null;
}

@Injectable()
class Looseness {
  @Tool('Is loose') loose(loose: Loose): string {
    return JSON.stringify(loose);
  }
}

type Schema = { readonly properties: Record<string, object>; readonly required?: string[] };

async function schemas(): Promise<Record<string, Schema>> {
  const { server } = await openModule({ providers: [Cats] });
  const { tools } = await (await connect(server)).listTools();
  return Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema as unknown as Schema]));
}

it('reads @ApiProperty, and keeps its descriptions in derived classes', async () => {
  const { create, update, name, ageless, shelter } = await schemas();
  expect(create?.properties['name']).toMatchObject({
    type: 'string',
    description: 'What it is called',
    examples: ['Tom'],
  });
  expect(create?.required).toEqual(['name']);
  expect(update?.properties['name']).toMatchObject({ description: 'What it is called' });
  expect(update?.required ?? []).toEqual([]);
  expect(Object.keys(name?.properties ?? {})).toEqual(['name']);
  expect(Object.keys(ageless?.properties ?? {})).not.toContain('age');
  expect(shelter?.properties['place']).toMatchObject({ description: 'Its place' });
});

it('cannot see @ApiHideProperty, which writes nothing; @Exclude hides in every class', async () => {
  expect(Reflect.getMetadataKeys(CreateCat.prototype, 'owner')).not.toContain(expect.stringMatching(/hide/i));
  const { create, update, shelter } = await schemas();
  expect(Object.keys(create?.properties ?? {})).toContain('owner');
  for (const schema of [create, update, shelter]) expect(Object.keys(schema?.properties ?? {})).not.toContain('secret');
});

eachRevision('does not take an excluded property from clients', async ({ connect: meet }) => {
  const { server } = await openModule({ providers: [Cats] });
  const client = await meet(server);
  for (const tool of ['create', 'update']) {
    const answer = await client.callTool(tool, { name: 'Tom', secret: 'eve' }).catch((error: unknown) => error);
    expect(JSON.stringify(answer)).not.toContain('eve');
    expect(await client.callTool(tool, { name: 'Tom' })).toHaveText(/Tom/);
  }
});

it('reads the type of @ApiProperty where the compiler writes none, as for `string | null`', async () => {
  const { server } = await openModule({ providers: [Looseness] });
  const client = await connect(server);
  const { tools } = await client.listTools();
  const { properties } = tools[0]?.inputSchema as unknown as Schema;
  expect(properties).toMatchObject({ first: { type: 'string' }, age: { type: 'number' }, tame: { type: 'boolean' } });
  // A list needs @IsArray, so it stays open.
  expect(properties['names']).not.toMatchObject({ type: 'string' });
  const wrong = await client.callTool('loose', { first: 1, age: 2, tame: true, names: [] });
  expect(wrong).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('first: must be a string') }],
  });
  expect(await client.callTool('loose', { first: 'Ada', age: 2, tame: true, names: ['x'] })).toHaveText(
    /"first":"Ada"/,
  );
});

it('adds to validation what the page says: the enum of one value, and a type that the compiler does not write', async () => {
  class Pet {
    @ApiProperty({ enum: ['cat', 'dog'] }) @IsString() kind!: string;
    @ApiProperty({ enum: ['cat', 'dog'] }) @IsIn(['cat', 'cow']) both!: string;
    @ApiProperty({ enum: ['cat', 'dog'], isArray: true }) @IsString({ each: true }) friends!: string[];
    @ApiProperty({ default: 1, minimum: 1, maximum: 2 }) @IsOptional() @IsInt() age?: number;
    @ApiProperty({ required: false, nullable: true, pattern: '^a' }) @IsString() name!: string;
  }
  @Injectable()
  class Pets {
    @Tool('Adds') add(pet: Pet): string {
      return JSON.stringify(pet);
    }
  }
  const client = await connect((await openModule({ providers: [Pets] })).server);
  const { tools } = await client.listTools();
  expect(tools[0]?.inputSchema).toMatchObject({
    properties: {
      kind: { type: 'string', enum: ['cat', 'dog'] },
      both: { type: 'string', enum: ['cat', 'cow'] },
      friends: { type: 'array', items: { type: 'string' } },
      age: { type: 'integer', default: 1 },
    },
    required: ['kind', 'both', 'friends', 'name'],
  });
  const pet = { kind: 'cat', both: 'cow', friends: ['cow'], name: 'Tom' };
  expect(await client.callTool('add', pet)).toHaveText(JSON.stringify(pet));
  expect(await client.callTool('add', { ...pet, age: 9 })).toHaveText(/"age":9/);
  expect(await client.callTool('add', { ...pet, kind: 'cow' })).toBeToolError(/kind: must be one of "cat", "dog"/);
});
