/** Tools that return each kind of content; the first one listed accepts any input. */
import { Feature, Tool, audio, embedded, image, text, type ContentBlock } from '@sigil-mcp/core';
import { RED_PIXEL, SILENCE } from './fixtures';

/** Text, pictures, sound and resources. */
@Feature()
export class ContentTools {
  @Tool('Returns one line of text', { name: 'test_simple_text' })
  simpleText(): string {
    return 'This is a simple text response for testing.';
  }

  @Tool('Returns a picture of one red pixel', { name: 'test_image_content' })
  picture(): ContentBlock {
    return image(RED_PIXEL, 'image/png');
  }

  @Tool('Returns a sound without a sample', { name: 'test_audio_content' })
  sound(): ContentBlock {
    return audio(SILENCE, 'audio/wav');
  }

  @Tool('Returns a resource with its contents', { name: 'test_embedded_resource' })
  resource(): ContentBlock {
    return embedded({
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    });
  }

  @Tool('Returns text, a picture and a resource at once', { name: 'test_multiple_content_types' })
  mixed(): ContentBlock[] {
    return [
      text('Multiple content types test:'),
      image(RED_PIXEL, 'image/png'),
      embedded({
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      }),
    ];
  }
}
