import 'reflect-metadata';
import { ListAccountEvents } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import type { ErrorDto } from '../../openapi/error.dto';

const MALFORMED = { 'last-event-id': 'x' };
const TOO_HIGH = { 'last-event-id': '9999' };

describe('a refused event stream', () => {
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.bus.on(ListAccountEvents, () => refuse('invalid-cursor', 'must be at most 5', 'after'));
  });
  afterAll(() => gateway.stop());

  const refused = async (headers: Record<string, string>, query = ''): Promise<string[]> => {
    const url = `/api/v1/accounts/${CHILD}/events/stream${query}`;
    const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${KEY.partner}`, ...headers } });
    const { code, message, details = [] } = answer.json<ErrorDto>().error;
    return [`${answer.statusCode} ${code}`, ...details.map(({ path }) => path), message];
  };

  it.each([
    ['after', {}, '?after=9999', 'invalid-cursor'],
    ['Last-Event-ID', TOO_HIGH, '', 'invalid-cursor'],
    ['Last-Event-ID', TOO_HIGH, '?after=1', 'invalid-cursor'],
    ['Last-Event-ID', MALFORMED, '?after=1', 'invalid-format'],
    ['Last-Event-ID', { 'last-event-id': '1'.repeat(40) }, '', 'invalid-format'],
  ])('reports a position under the name with which it was sent: %s %j %s', async (name, headers, query, code) => {
    const [status, path, message] = await refused(headers, query);
    expect([status, path, message]).toEqual([`400 ${code}`, name, expect.stringContaining(`\`${name}\` must be`)]);
  });

  it.each(['application/json', 'text/html, application/*', 'text/event-stream;q=0, */*'])(
    'has 406 for Accept: %s, with the media type that it has',
    async (accept) =>
      expect(await refused({ ...MALFORMED, accept })).toEqual([
        '406 not-acceptable',
        'Responses are text/event-stream, which the Accept header excludes.',
      ]),
  );

  it.each(['text/event-stream', 'text/*', '*/*', 'application/json, text/event-stream;q=0.1'])(
    'has a reason other than Accept: %s, which allows a stream',
    async (accept) => expect((await refused({ ...MALFORMED, accept }))[0]).toBe('400 invalid-format'),
  );
});
