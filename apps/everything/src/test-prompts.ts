/** Prompts with and without arguments, with each kind of content. */
import { Complete, Describe, Feature, Prompt, embedded, image, text, type ContentBlock } from '@sigil-mcp/core';
import { IsString, Length, Matches } from 'class-validator';
import { RED_PIXEL } from './fixtures';

/** Two arguments. */
export class TwoArguments {
  @Describe('The first of two')
  @IsString()
  arg1!: string;

  @Describe('The second of two')
  @IsString()
  arg2!: string;
}

/** The resource to embed. */
export class ResourceArgument {
  @Describe('An absolute URI')
  @IsString()
  @Length(1, 2000)
  @Matches(/^[A-Za-z][A-Za-z0-9+.-]*:/)
  resourceUri!: string;
}

/** The prompts that a user can pick. */
@Feature()
export class TestPrompts {
  @Prompt('One message, no arguments', { name: 'test_simple_prompt' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @Prompt('One message that repeats two arguments', { name: 'test_prompt_with_arguments' })
  withArguments({ arg1, arg2 }: TwoArguments): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @Complete('arg1', 'withArguments')
  @Complete('arg2', 'withArguments')
  words(typed: string): string[] {
    return ['test', 'testing', 'tested'].filter((word) => word.startsWith(typed));
  }

  @Prompt('A resource, and a request to process it', { name: 'test_prompt_with_embedded_resource' })
  withResource({ resourceUri }: ResourceArgument): ContentBlock[] {
    return [
      embedded({ uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }),
      text('Please process the embedded resource above.'),
    ];
  }

  @Prompt('A picture, and a request to analyse it', { name: 'test_prompt_with_image' })
  withImage(): ContentBlock[] {
    return [image(RED_PIXEL, 'image/png'), text('Please analyze the image above.')];
  }
}
