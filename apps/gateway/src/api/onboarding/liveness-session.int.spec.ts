import 'reflect-metadata';
import { KYC, REQUEST, faultsOf, gateway, kyc, post, useTestGateway } from './testing/onboarding-requests';

useTestGateway();

/** The routes that accept a liveness session, each with a body that is otherwise valid. */
const ROUTES: [string, string, object][] = [
  ['a request', KYC, kyc],
  ['information about a request', `${REQUEST}/information`, {}],
];
const session = (id: string) => ({ liveness: { id, provider: 'provider-1' } });

describe.each(ROUTES)('the id of the liveness session in %s', (_, url, body) => {
  it.each([
    ['leading white space', ' session-1'],
    ['trailing white space', 'session-1 '],
    ['white space inside', 'session 1'],
    ['a tab', 'session\t1'],
    ['a no-break space', 'session\u00a01'],
    ['a zero-width space', 'session-1\u200b'],
    ['only white space', ' '],
  ])('must not have %s', async (__, id) => {
    const before = gateway.bus.requests.length;
    const answer = await post(url, { ...body, ...session(id) });
    expect([answer.statusCode, faultsOf(answer)]).toEqual([400, ['liveness.id invalid-format']]);
    expect(answer.body).toContain('must have only printable ASCII characters, without spaces');
    expect(gateway.bus.requests.slice(before).filter(({ pattern }) => pattern.includes('command'))).toEqual([]);
  });

  it.each(['session-81f3', 'session/1?x=~!', 'x'.repeat(200)])('may be %s', async (id) => {
    expect((await post(url, { ...body, ...session(id) })).statusCode).toBeLessThan(300);
  });
});
