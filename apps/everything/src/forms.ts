/** The forms that the asking tools show. */
import { Describe, Title, type FormSchema } from '@sigil-mcp/core';
import { IsBoolean, IsEmail, IsIn, IsInt, IsNumber, IsString, Length } from 'class-validator';

/** Two required texts. */
export class Contact {
  @Title('User name')
  @Describe('How the user is called')
  @IsString()
  @Length(1, 100)
  username!: string;

  @Title('E-mail')
  @Describe('Where the user can be reached')
  @IsEmail()
  email!: string;
}

/** A default for each kind of field. */
export class Defaults {
  @Title('Name')
  @IsString()
  name: string = 'John Doe';

  @Title('Age')
  @IsInt()
  age: number = 30;

  @Title('Score')
  @IsNumber()
  score: number = 95.5;

  @Title('Status')
  @IsIn(['active', 'inactive', 'pending'])
  status: string = 'active';

  @Title('Verified')
  @IsBoolean()
  verified: boolean = true;
}

const TITLED = [
  { const: 'value1', title: 'First option' },
  { const: 'value2', title: 'Second option' },
  { const: 'value3', title: 'Third option' },
];

/** Every way to choose. It is data and not a class because it includes the form of choice that only older clients use. */
export const CHOICES: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option one', 'Option two', 'Option three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
};

/** A name. */
export class NameForm {
  @Title('Name')
  @IsString()
  @Length(1, 100)
  name!: string;
}

/** A colour. */
export class ColorForm {
  @Title('Colour')
  @IsString()
  @Length(1, 100)
  color!: string;
}

/** Yes or no. */
export class ConfirmForm {
  @Title('Go ahead')
  @IsBoolean()
  ok!: boolean;
}

/** The subject of a prompt. */
export class ContextForm {
  @Title('Context')
  @IsString()
  @Length(1, 1000)
  context!: string;
}
