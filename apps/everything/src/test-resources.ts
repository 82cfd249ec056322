/** Resources with text and with bytes, one to subscribe to, and a template. */
import { Complete, Feature, Resource } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';
import { RED_PIXEL } from './fixtures';

/** The variable of the template. */
export class TemplateVariables {
  @IsString()
  @Length(1, 100)
  id!: string;
}

/** Everything under `test://`. */
@Feature()
export class TestResources {
  @Resource('test://static-text', {
    name: 'static-text',
    title: 'Static text',
    description: 'Text that never changes',
    mimeType: 'text/plain',
  })
  staticText(): string {
    return 'This is the content of the static text resource.';
  }

  @Resource('test://static-binary', {
    name: 'static-binary',
    title: 'Static binary',
    description: 'A picture of one red pixel',
    mimeType: 'image/png',
  })
  staticBinary(): Buffer {
    return Buffer.from(RED_PIXEL, 'base64');
  }

  @Resource('test://watched-resource', {
    name: 'watched-resource',
    title: 'Watched resource',
    description: 'Text for clients to subscribe to',
    mimeType: 'text/plain',
  })
  watched(): string {
    return 'This is the content of the watched resource.';
  }

  @Resource('test://template/{id}/data', {
    name: 'template-data',
    title: 'Data by id',
    description: 'JSON that repeats the id',
    mimeType: 'application/json',
  })
  data({ id }: TemplateVariables): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }

  @Complete('id', 'data')
  ids(typed: string): string[] {
    return ['1', '12', '123'].filter((id) => id.startsWith(typed));
  }
}
