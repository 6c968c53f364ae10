import { json, ScriptedServer } from '../../../../libs/sdk/src/testing/scripted-server';
import { CommandLine } from './testing/cli';

let api: ScriptedServer;
let cli: CommandLine;
beforeAll(async () => {
  [api, cli] = await Promise.all([new ScriptedServer().start(), CommandLine.build()]);
});
afterAll(() => api.stop());
beforeEach(() => api.behave(json({ id: 'w1' })));

const call = (...args: string[]) =>
  cli.run(['call', ...args], { PONTE_API_KEY: 'k', PONTE_BASE_URL: api.baseUrl, PONTE_ACCOUNT_ID: 'acc' });

describe('call', () => {
  it.each([
    [['constructor'], 'Unknown operation: constructor.'],
    [['create-withdrawal', '--param', 'account-ID=other'], 'create-withdrawal has no parameter account-ID.'],
    [['create-withdrawal', '--param', 'account_id=other'], 'Its parameters: account-id.'],
    [['create-withdrawal', '--param', 'account-id='], 'create-withdrawal requires the parameter account-id.'],
    [['list-pairs', '--param', 'a=b'], 'It has no parameters.'],
    [['get-balance', '--param', 'asset=brl', '--param', 'asset=usd'], 'Pass each parameter only once.'],
    [['create-withdrawal', '--query', 'limit=1'], 'create-withdrawal has no query parameters.'],
    [['create-withdrawal', '--body', '@/no/such/file'], 'The file of the body cannot be read: /no/such/file.'],
    [['create-withdrawal', '--body', '{'], 'The body is not JSON'],
    [['no-such-operation'], 'Unknown operation: no-such-operation.'],
    [['constructor'], 'Unknown operation: constructor.'],
  ])('refuses %j and sends nothing', async (args, message) => {
    const { code, err } = await call(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(api.arrived).toEqual([]);
  });

  it('sends the parameters of the path, that of the profile by default', async () => {
    await call('create-withdrawal', '--param', 'account-id=other');
    await call('create-withdrawal');
    expect(api.arrived.map(({ url }) => url)).toEqual([
      '/api/v1/accounts/other/withdrawals',
      '/api/v1/accounts/acc/withdrawals',
    ]);
  });

  it('names the cursor of the next page', async () => {
    api.behave(json({ orders: [] }, 200, { 'x-next-cursor': 'c2' }));
    const text = await call('list-orders');
    expect([text.code, text.err]).toEqual([0, expect.stringContaining('add --query cursor=c2')]);
    const asJson = await call('list-orders', '--json');
    expect([JSON.parse(asJson.out), JSON.parse(asJson.err)]).toMatchObject([{ orders: [] }, { 'next-cursor': 'c2' }]);
    api.behave(json({ orders: [] }));
    expect((await call('list-orders')).err).toBe('');
  });
});
