/** Values of several types: by a discriminator, or by what they are. */
import { Expose, Type } from 'class-transformer';
import {
  IsIn, IsInt, IsNotEmpty, IsNumber, IsOptional, IsString, MaxLength, Min, ValidateBy, ValidateIf, ValidateNested,
} from 'class-validator'; // prettier-ignore
import { AnyOf, Describe, Nullable, type Ref } from '../src';
import { compile, problemsOf, read, refusals, write } from '../../../test/support/supplies/compiled-dto';
import { compileForm } from '../src/forms/compile-form';
import { compileInput } from '../src/compile-shapes';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { cpuGrowth } from '../../../test/support/cpu-growth';

abstract class Shape {
  @IsOptional() @IsString() colour?: string;
}
class Circle extends Shape {
  @IsNumber() @Min(0) radius!: number;
}
class Square extends Shape {
  @Describe('Always square') @IsIn(['square']) kind!: 'square';
  @IsNumber() side!: number;
}
const discriminator = {
  property: 'kind',
  subTypes: [
    { value: Circle, name: 'circle' },
    { value: Square, name: 'square' },
  ],
};

class Drawing {
  @ValidateNested() @Type(() => Shape, { discriminator }) shape!: Shape;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Shape, { discriminator }) more?: Shape[];
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Shape, { discriminator }) named?: Map<string, Shape>;
  @IsOptional()
  @Nullable()
  @ValidateNested()
  @Type(() => Shape, { discriminator, keepDiscriminatorProperty: true })
  kept?: Shape | null;
}

class City {
  @IsString() name!: string;
}
class Coordinates {
  @IsNumber() lat!: number;
  @IsNumber() lng!: number;
}
class Stop {
  @AnyOf(String, Number) @MaxLength(3) @Min(1) platform!: string | number;
  @AnyOf(City, Coordinates) place!: City | Coordinates;
  @IsOptional() @AnyOf(() => [City, String], { each: true }) via?: (City | string)[];
  @IsOptional() @Nullable() @AnyOf(Date, Boolean) when?: Date | boolean | null;
}

describe('a discriminator', () => {
  const circle = {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['circle'] },
      colour: { type: 'string' },
      radius: { type: 'number', minimum: 0 },
    },
    required: ['kind', 'radius'],
    additionalProperties: false,
  };
  const square = {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['square'], description: 'Always square' }, colour: { type: 'string' }, side: { type: 'number' },
    },
    required: ['kind', 'side'],
    additionalProperties: false,
  }; // prettier-ignore
  const shape = { type: 'object', anyOf: [circle, square] };

  it('is listed as anyOf, with one value of its name in each', () => {
    expect(compile(Drawing).schema['properties']).toEqual({
      shape,
      more: { type: 'array', items: shape },
      named: { type: 'object', additionalProperties: shape },
      kept: { anyOf: [shape, { type: 'null' }] },
    });
  });

  it('chooses the class, whose instance has the property if it declares or keeps it', () => {
    const drawing = read<Drawing>(Drawing, {
      shape: { kind: 'circle', radius: 1 },
      more: [{ kind: 'square', side: 2 }, { kind: 'circle', radius: 3, colour: 'red' }],
      named: { a: { kind: 'square', side: 2 } },
      kept: { kind: 'circle', radius: 4 },
    }); // prettier-ignore
    expect(drawing.shape).toBeInstanceOf(Circle);
    expect(drawing.shape).toEqual({ radius: 1 });
    expect(drawing.more!.map((each) => each.constructor)).toEqual([Square, Circle]);
    expect(drawing.more![0]).toEqual({ kind: 'square', side: 2 });
    expect(drawing.named!.get('a')).toBeInstanceOf(Square);
    expect(drawing.kept).toEqual({ kind: 'circle', radius: 4 });
    expect(read<Drawing>(Drawing, { shape: { kind: 'circle', radius: 1 }, kept: null }).kept).toBeNull();
  });

  it('is named where it is missing or unknown, and else only the chosen class speaks', () => {
    expect(refusals(Drawing, { shape: { radius: 1 } })).toEqual(['shape.kind is required: one of "circle", "square"']);
    expect(refusals(Drawing, { shape: { kind: 'disc' } })).toEqual(['shape.kind must be one of "circle", "square"']);
    expect(refusals(Drawing, { shape: 'circle' })).toEqual(['shape must be an object']);
    expect(refusals(Drawing, { shape: { kind: 'circle', side: 1, radius: -1 } })).toEqual([
      'shape.side is not a known property (known: colour, radius, kind)',
      'shape.radius must not be less than 0',
    ]);
    expect(refusals(Drawing, { shape: JSON.parse('{"__proto__":{"kind":"circle"},"radius":1}') as unknown })[0]).toBe(
      'shape.kind is required: one of "circle", "square"',
    );
  });

  it('is written from the class of an instance, or from what an object says', () => {
    const circleOf = (radius: number): Circle => Object.assign(new Circle(), { radius });
    class Disc extends Circle {}
    expect(write(Drawing, { shape: circleOf(1), more: [{ kind: 'square', side: 2, secret: 1 }, Object.assign(new Disc(), { radius: 3 })] })).toEqual({
      shape: { kind: 'circle', radius: 1 },
      more: [{ kind: 'square', side: 2 }, { kind: 'circle', radius: 3 }],
    }); // prettier-ignore
    expect(write(Drawing, { shape: { radius: 1 } })).toEqual([
      { path: 'shape.kind', message: 'is required: one of "circle", "square"' },
    ]);
  });

  it('has defaults, which say what they are', () => {
    class Started {
      @ValidateNested() @Type(() => Shape, { discriminator }) shape: Shape = Object.assign(new Circle(), { radius: 1 });
    }
    expect(compile(Started).schema['properties']).toEqual({
      shape: { ...shape, default: { kind: 'circle', radius: 1 } },
    });
    expect(read<Started>(Started, {}).shape).toBeInstanceOf(Circle);
  });

  it('chooses among classes that contain themselves', () => {
    class Leaf {
      @IsInt() value!: number;
    }
    class Node {
      @ValidateNested({ each: true }) @Type(() => Object, {
        discriminator: { property: 'type', subTypes: [{ value: Node, name: 'node' }, { value: Leaf, name: 'leaf' }] },
      }) children!: (Ref<Node> | Leaf)[];
    } // prettier-ignore
    expect(problemsOf(Node).map(({ code }) => code)).toEqual([]);
    const tree = read<Node>(Node, { children: [{ type: 'node', children: [{ type: 'leaf', value: 1 }] }] });
    expect(tree.children[0]).toBeInstanceOf(Node);
    expect((tree.children[0] as Node).children[0]).toBeInstanceOf(Leaf);
    expect(JSON.stringify(compile(Node).schema)).toContain('"$ref":"#/$defs/Node"');
  });

  it('reports what cannot be chosen', () => {
    const bad = (given: unknown): Class => {
      class Bad {
        @ValidateNested() @Type(() => Shape, { discriminator: given as typeof discriminator }) shape!: Shape;
      }
      return Bad;
    };
    class Liar {
      @IsIn(['other']) kind!: string;
    }
    const subTypes = [{ value: Circle, name: 'circle' }];
    const reasons = [
      { property: '', subTypes }, { property: 'kind', subTypes: [] }, { property: 'kind', subTypes: [{ value: undefined, name: 'a' }] },
      { property: 'kind', subTypes: [...subTypes, ...subTypes] }, { property: 'kind', subTypes: [{ value: Liar, name: 'liar' }] },
    ].flatMap((given) => problemsOf(bad(given)).map(({ code, problem }) => [code, problem.split(', but ')[1]])); // prettier-ignore
    expect(reasons).toEqual([
      ['SIGIL_DTO_DISCRIMINATOR', 'its property has no name.'],
      ['SIGIL_DTO_DISCRIMINATOR', 'it has no subTypes.'],
      ['SIGIL_DTO_DISCRIMINATOR', 'each of its subTypes needs a class that is there as its value, and a name.'],
      ['SIGIL_DTO_DISCRIMINATOR', "it has the name 'circle' twice."],
      ['SIGIL_DTO_DISCRIMINATOR', "Liar.kind does not accept its name 'liar'."],
    ]);
  });
});

describe('@AnyOf', () => {
  const city = {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  };
  const coordinates = {
    type: 'object', properties: { lat: { type: 'number' }, lng: { type: 'number' } }, required: ['lat', 'lng'], additionalProperties: false,
  }; // prettier-ignore
  const least = { platform: 1, place: { name: 'Oslo' } };

  it('is listed with each type, of which the rules say what they are about', () => {
    expect(compile(Stop).schema['properties']).toEqual({
      platform: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'number', minimum: 1 }] },
      place: { anyOf: [city, coordinates] },
      via: { type: 'array', items: { anyOf: [city, { type: 'string' }] } },
      when: { anyOf: [{ anyOf: [{ type: 'string', description: 'a date: 2026-01-31 or 2026-01-31T12:00:00Z' }, { type: 'boolean' }] }, { type: 'null' }] },
    }); // prettier-ignore
    class Plain {
      @AnyOf(String, Number, Boolean) id!: string | number | boolean;
    }
    expect(compile(Plain).schema['properties']).toEqual({ id: { type: ['string', 'number', 'boolean'] } });
  });

  it('reads the first type that accepts a value', () => {
    const stop = read<Stop>(Stop, {
      platform: '3a',
      place: { lat: 1, lng: 2 },
      via: ['Rome', { name: 'Bern' }],
      when: '2026-01-31',
    });
    expect(stop.place).toBeInstanceOf(Coordinates);
    expect(stop.via![1]).toBeInstanceOf(City);
    expect(stop).toMatchObject({ platform: '3a', via: ['Rome', { name: 'Bern' }], when: new Date('2026-01-31') });
    expect(read<Stop>(Stop, { ...least, when: null }).when).toBeNull();
    expect(read<Stop>(Stop, least).place).toBeInstanceOf(City);
  });

  it('says at start that options go with the list of its types', () => {
    class Lost {
      // @ts-expect-error -- the compiler refuses it; JavaScript does not.
      @AnyOf(String, Number, { each: true }) ids!: (string | number)[];
    }
    const problems: DefinitionProblem[] = [];
    compileInput(Lost, {}, (problem) => problems.push(problem), 'Test.method');
    expect(problems.map(({ problem }) => problem)).toEqual([
      'Lost.ids has @AnyOf, which takes its options after a function that gives the types: @AnyOf(() => [String, Number], { each: true }).',
    ]);
  });

  it('says why a value fits none', () => {
    expect(refusals(Stop, { platform: true, place: 3 })).toEqual([
      'platform must be a string or a number, not a boolean',
      'place must be an object, not 3',
    ]);
    expect(refusals(Stop, { platform: 0, place: { name: 1, lat: 2 }, via: [{ nam: 'x' }] })).toEqual([
      'platform must not be less than 1',
      'place fits none of City (lat is not a known property (known: name)), Coordinates (name is not a known property (known: lat, lng))',
      'via[0].nam is not a known property (known: name)',
      'via[0].name is required',
    ]);
  });

  it('writes an instance as its class, and an object as the class that leaves nothing out', () => {
    class Loose {
      @IsOptional() @IsString() name?: string;
    }
    class Exact {
      @IsString() id!: string;
      @IsOptional() @IsString() name?: string;
    }
    class Either {
      @AnyOf(Loose, Exact) it!: Loose | Exact;
    }
    expect(write(Either, { it: Object.assign(new Exact(), { id: 'a' }) })).toEqual({ it: { id: 'a' } });
    expect(write(Either, { it: { id: 'a', name: 'b' } })).toEqual({ it: { id: 'a', name: 'b' } });
    expect(write(Either, { it: { name: 'b', secret: 1 } })).toEqual({ it: { name: 'b' } });
    expect(write(Stop, { platform: 1, place: new City() })).toEqual([
      { path: 'place', message: expect.stringContaining('fits none of City (name is required)') },
    ]);
    expect(write(Stop, { ...least, when: new Date(0) })).toEqual({ ...least, when: '1970-01-01T00:00:00.000Z' });
  });

  it('asks late rules of what it took', () => {
    const isGood = ValidateBy({ name: 'isGood', validator: { validate: (value) => value === 'good' } });
    const isLate = ValidateBy({
      name: 'isLate',
      validator: { validate: (value) => Promise.resolve(value === 'good') },
    });
    class A {
      @IsString() @isGood word!: string;
    }
    class B {
      @IsInt() word!: number;
      @ValidateIf(() => true) @IsString() @isLate other!: string;
    }
    class C {
      @AnyOf(B, A) it!: A | B;
    }
    class D {
      @AnyOf(City, C) it!: City | C;
    }
    expect(refusals(C, { it: { word: 'bad' } })).toEqual(['it.word is not valid']);
    expect(refusals(D, { it: { it: { word: 'bad' } } })).toEqual(['it.it.word is not valid']);
    expect(refusals(D, { it: { it: { word: 'good' } } })).toEqual([]);
    return expect(compile(D).read({ it: { it: { word: 1, other: 'bad' } } })).resolves.toEqual({
      ok: false, failures: [{ path: 'it.it.other', message: 'is not valid' }],
    }); // prettier-ignore
  });

  it('converts on request what no type takes as it is', () => {
    class Any {
      @AnyOf(Number, Boolean) id!: number | boolean;
      @IsOptional() @AnyOf(Number, String) text?: number | string;
      @IsOptional() @AnyOf(City, Coordinates) place?: City | Coordinates;
    }
    expect(read(Any, { id: '5', text: '5', place: '{"name":"Oslo"}' }, { coerce: true })).toEqual({
      id: 5,
      text: '5',
      place: { name: 'Oslo' },
    });
    expect(refusals(Any, { id: '5' })).toEqual(['id must be a number or a boolean, not a string']);
  });

  it('takes linear time where unions stand in unions', () => {
    class Left {
      @IsOptional() @AnyOf(() => [Left, Right]) next?: unknown;
      @IsIn(['left']) end!: string;
    }
    class Right {
      @IsOptional() @AnyOf(() => [Left, Right]) next?: unknown;
      @IsIn(['right']) end!: string;
    }
    class Root {
      @AnyOf(Left, Right) it!: Left | Right;
    }
    const nested = (depth: number): object =>
      Array.from({ length: depth }).reduce<object>((next) => ({ next, end: 'right' }), { end: 'wrong' });
    const refuse = (depth: number): void => expect(refusals(Root, { it: nested(depth) })).toHaveLength(1);
    expect(cpuGrowth(refuse, 10, 200)).toBeLessThan(5);
  });

  it('reports what is no union', () => {
    class Odd {
      @AnyOf(String) one!: string;
      @AnyOf(String, Map as never) map!: string;
      @AnyOf(() => [City, undefined as never]) later!: string;
      @AnyOf(String, Number) list!: (string | number)[];
      @AnyOf(String, City) @Min(1) rule!: string;
      @AnyOf(String, Number) @IsIn([true]) none!: string | number;
      @AnyOf(() => { throw new ReferenceError('not there'); }) cycle!: string;
    } // prettier-ignore
    expect(problemsOf(Odd).map(({ code, problem }) => [code, problem])).toEqual([
      ['SIGIL_DTO_UNION', 'Odd.one has @AnyOf, which needs at least two types that are there.'],
      ['SIGIL_DTO_UNION', 'Odd.map has @AnyOf, which cannot hold Map, only String, Number, Boolean, Date and classes.'],
      [
        'SIGIL_DTO_UNION',
        'Odd.later has @AnyOf, which cannot hold undefined, only String, Number, Boolean, Date and classes.',
      ],
      ['SIGIL_DTO_UNION', 'Odd.list has @AnyOf, which is about one value, so that a container needs { each: true }.'],
      ['SIGIL_DTO_UNION', 'Odd.rule has @AnyOf, which holds no type that min speaks of.'],
      ['SIGIL_DTO_CONTRADICTION', expect.stringContaining('Odd.none accepts no value at all')],
      ['SIGIL_DTO_UNION', 'Odd.cycle has @AnyOf, which needs at least two types that are there.'],
    ]);
  });

  it('is refused in prompts and URIs, and in forms', () => {
    class Flat {
      @AnyOf(String, Number) id!: string | number;
      @AnyOf(() => [String, Number], { each: true }) ids!: (string | number)[];
      @ValidateNested() @Type(() => Shape, { discriminator }) shape!: Shape;
    }
    expect(problemsOf(Flat, { strings: true }).map(({ code }) => code)).toEqual(
      Array(3).fill('SIGIL_DTO_UNION_NOT_FLAT'),
    );
    const codes: string[] = [];
    compileForm(Flat, ({ code }) => codes.push(code), 'here');
    expect(codes).toEqual(['SIGIL_DTO_FORM_MANY_KINDS', 'SIGIL_DTO_FORM_ARRAY', 'SIGIL_DTO_FORM_OBJECT']);
  });

  it('gives way to what a subclass says anew', () => {
    class Base {
      @AnyOf(String, Number) @IsNotEmpty() id!: string | number;
      @IsString() @MaxLength(3) name!: string | number;
    }
    class Sub extends Base {
      @IsInt() declare id: number;
      @AnyOf(String, Number) @Expose({ name: 'called' }) declare name: string | number;
    }
    expect(compile(Sub).schema['properties']).toEqual({
      id: { type: 'integer' },
      called: { type: ['string', 'number'] },
    });
  });
});
