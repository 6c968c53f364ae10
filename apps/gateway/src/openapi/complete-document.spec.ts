import type { OpenAPIObject } from '@nestjs/swagger';
import { complete } from './complete-document';

/** The description that a list with this summary gets. */
function descriptionOf(summary: string): unknown {
  const responses = { 200: { description: summary, headers: { 'X-Next-Cursor': { schema: { type: 'string' } } } } };
  const document = { openapi: '3.1.0', info: { title: 'test', version: 'v1' }, components: {} };
  const paths = { '/api/v1/things': { get: { operationId: 'list-things', summary, responses } } };
  return complete({ ...document, paths } as unknown as OpenAPIObject).paths['/api/v1/things']?.get?.description;
}

describe('The description of a list', () => {
  it('says that the newest entries come first', () => {
    expect(descriptionOf('List the things')).toBe(
      'List the things. Newest first; `X-Next-Cursor` contains the cursor of the next page.',
    );
  });

  it.each(['List the queue, oldest first', 'List the things, newest first'])(
    'has no second order if the summary states one: %s',
    (summary) => {
      expect(descriptionOf(summary)).toBe(`${summary}. \`X-Next-Cursor\` contains the cursor of the next page.`);
    },
  );
});
