/** Classes of arguments with the decorators and mapped types of `@nestjs/graphql`, as Nest projects have them. */
import { Injectable } from '@nestjs/common';
import { Field, InputType, Int, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/graphql';
import { Tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { IsInt, IsString, Min } from 'class-validator';
import { openModule } from './support/open-application';

@InputType()
class CreateCat {
  @Field({ description: 'What it is called' })
  @IsString()
  name!: string;

  @Field(() => Int)
  @IsInt()
  @Min(0)
  age!: number;
}
@InputType()
class Shelter {
  @Field()
  @IsString()
  place!: string;
}
@InputType()
class UpdateCat extends PartialType(CreateCat) {}
@InputType()
class Named extends PickType(CreateCat, ['name'] as const) {}
@InputType()
class Ageless extends OmitType(CreateCat, ['age'] as const) {}
@InputType()
class Sheltered extends IntersectionType(CreateCat, Shelter) {}

@Injectable()
class Cats {
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
    return `${cat.name} ${cat.place}`;
  }
}

it('reads the mapped types of GraphQL like classes', async () => {
  const { server } = await openModule({ providers: [Cats] });
  const client = await connect(server);
  const { tools } = await client.listTools();
  const schemas = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  expect(schemas['update']).toMatchObject({
    properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  });
  expect(schemas['update']).not.toHaveProperty('required');
  expect(schemas['name']).toMatchObject({ properties: { name: {} }, required: ['name'] });
  expect(Object.keys(schemas['ageless']?.['properties'] ?? {})).toEqual(['name']);
  expect(await client.callTool('update', { age: 3 })).toHaveText('{"age":3}');
  expect(await client.callTool('update', { age: -1 }).catch(String)).not.toMatchObject({ isError: false });
  expect(await client.callTool('shelter', { name: 'Tom', age: 3, place: 'Oslo' })).toHaveText('Tom Oslo');
});
