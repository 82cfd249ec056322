/** What an author keeps back with class-transformer stays back: in results, with and without a class, in arguments, and in logs. */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Allow, IsArray, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { IntersectionType, OmitType, PartialType, PickType, RecordOf } from '../src';
import { loggable } from '../src/logging/loggable';
import { writeData } from '@sigil-mcp/schema/plain';
import { outputShape } from '@sigil-mcp/schema';
import { compile, read, refusals, write } from '../../../test/support/supplies/compiled-dto';

class Person {
  @IsString() name = 'Ann';
  @Expose({ groups: ['admin'] }) @IsString() salary = 'SECRET';
  @Exclude() @IsString() password = 'SECRET';
  @Exclude({ toPlainOnly: true }) @IsString() hash = 'SECRET';
  @Expose({ since: 2 }) @IsString() shown = 'since';
  @Expose({ until: 2, name: 'was' }) @IsString() shownToo = 'until';
}

const SHOWN = { name: 'Ann', shown: 'since', was: 'until' };

const dataOf = (value: unknown): unknown => {
  const written = writeData(value);
  if (!written.ok) throw new Error(JSON.stringify(written.unwritable));
  return written.data;
};

describe('a result', () => {
  it('of a declared class has what no group and no exclusion keeps back, and lists no more', () => {
    expect(write(Person, new Person())).toEqual(SHOWN);
    const shape = outputShape(Person);
    expect(Object.keys(shape.schema['properties'] as object)).toEqual(['name', 'shown', 'was']);
  });

  it('without a declared class has no more than that either, wherever the instance stands', () => {
    const data = { list: [new Person()], set: new Set([new Person()]), map: new Map([['a', [new Person()]]]) };
    expect(dataOf(new Person())).toEqual(SHOWN);
    expect(dataOf(data)).toEqual({ list: [SHOWN], set: [SHOWN], map: { a: [SHOWN] } });
  });

  it('keeps back in plain objects what the class says that a property is declared as', () => {
    class Team {
      @Type(() => Person) lead: object = { ...new Person() };
      @Type(() => Person) others = [{ ...new Person() }];
      @Type(() => Person) byName = new Map([['Ann', { ...new Person() }]]);
      free = { password: 'mine' };
    }
    expect(dataOf(new Team())).toEqual({
      lead: SHOWN,
      others: [SHOWN],
      byName: { Ann: SHOWN },
      free: { password: 'mine' },
    });
  });

  it('of any value within a declared class keeps it back, too', () => {
    class Free {
      @Allow() one: unknown = new Person();
      @IsArray() @Allow() many: unknown[] = [new Person()];
      @IsObject() @Allow() record: object = { a: new Person() };
      @Allow() @Type(() => Bare) typed: unknown = { name: 'x', password: 'SECRET' };
    }
    class Bare {
      name = '';
      @Exclude() password = '';
    }
    expect(write(Free, new Free())).toEqual({ one: SHOWN, many: [SHOWN], record: { a: SHOWN }, typed: { name: 'x' } });
  });

  it('keeps back what the class of the instance does, where another class is declared', () => {
    class View {
      @IsString() name!: string;
      @IsOptional() @IsString() password?: string;
      @IsOptional() @IsString() salary?: string;
    }
    class Persons {
      @ValidateNested() one: View = new Person();
      @ValidateNested({ each: true }) @Type(() => View) many: View[] = [new Person()];
      @RecordOf(View) byName = { Ann: new Person() };
    }
    class WithJson extends Person {
      toJSON(): object {
        return { ...this };
      }
    }
    expect(write(View, new Person())).toEqual({ name: 'Ann' });
    expect(write(View, new WithJson())).toEqual({ name: 'Ann' });
    expect(write(Persons, new Persons())).toEqual({
      one: { name: 'Ann' },
      many: [{ name: 'Ann' }],
      byName: { Ann: { name: 'Ann' } },
    });
  });

  it('is what toJSON says, without what is kept back', () => {
    class Entity extends Person {
      toJSON(): object {
        return { ...this, was: this.shownToo, kind: 'entity' };
      }
    }
    expect(dataOf(new Entity())).toEqual({
      name: 'Ann',
      shown: 'since',
      shownToo: 'until',
      was: 'until',
      kind: 'entity',
    });
  });

  it('of a class that exposes nothing by itself has what is exposed, getters and methods included', () => {
    @Exclude()
    class Account {
      @Expose() id = 1;
      @Expose({ groups: ['admin'] }) role = 'SECRET';
      @Expose({ toClassOnly: true }) pin = 'SECRET';
      secret = 'SECRET';
      @Expose() get label(): string {
        return `#${this.id}`;
      }
      @Expose({ name: 'initials' }) short(): string {
        return this.label.slice(0, 1);
      }
    }
    expect(dataOf(new Account())).toEqual({ id: 1, label: '#1', initials: '#' });
  });

  it('shows what @Transform makes of a member', () => {
    class Price {
      @Transform(({ value }: { value: number }) => value.toFixed(2)) amount = 1;
    }
    expect(dataOf(new Price())).toEqual({ amount: '1.00' });
  });
});

it('nothing that is kept back is logged', () => {
  expect(loggable({ person: new Person() })).toEqual({ person: { name: 'Ann', shown: 'since', shownToo: 'until' } });
});

describe('an argument', () => {
  class Change {
    @IsString() name!: string;
    @Expose({ groups: ['admin'] }) @IsOptional() @IsString() role: string = 'reader';
  }
  class Changes {
    @ValidateNested({ each: true }) @Type(() => Change) all!: Change[];
  }

  it('of a group is neither listed nor taken', () => {
    expect(compile(Change).schema['properties']).toEqual({ name: { type: 'string' } });
    expect(refusals(Change, { name: 'n', role: 'admin' })).toEqual([expect.stringMatching(/^role is not a known/)]);
    expect(refusals(Changes, { all: [{ name: 'n', role: 'admin' }] })).toHaveLength(1);
    expect(read(Change, { name: 'n' })).toEqual({ name: 'n', role: 'reader' });
  });

  it.each([
    ['PartialType', PartialType(Change)],
    ['PickType', PickType(Change, ['name', 'role'])],
    ['OmitType', OmitType(Change, [])],
    ['IntersectionType', IntersectionType(Change)],
    ['a subclass', class extends Change {}],
  ])('of a group is not taken by %s either', (_name, dto) => {
    expect(refusals(dto, { name: 'n', role: 'admin' })).toEqual([expect.stringMatching(/^role is not a known/)]);
  });
});
