import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { SUITE_MS } from '../e2e/testing/program';
import { CommandLine } from './testing/cli';

jest.setTimeout(SUITE_MS);

let cluster: InProcessCluster;
let cli: CommandLine;
beforeAll(async () => {
  [cluster, cli] = await Promise.all([startInProcess({}), CommandLine.build()]);
  await cli.signIn(cluster);
});
afterAll(() => cluster.close());

describe('the command line', () => {
  it('requests quotes, places and pays orders and lists resources as JSON', async () => {
    const quote = await cli.json<{ id: string }>(
      'quote',
      '--from',
      'fiat/brl',
      '--to',
      'eth-base/brlv',
      '--receive',
      '25',
    );
    const order = await cli.json<{ id: string; brcode: string }>('order', quote.id, '--pix', '--external-id', 'cli-1');
    expect(await cli.json('pay', order.id)).toMatchObject({ amount: '25.00' });
    expect(await cli.json<object[]>('orders', '--limit', '1')).toMatchObject([{ id: order.id }]);
    expect(await cli.json('orders', order.id)).toMatchObject({ 'external-id': 'cli-1' });
    for (const list of ['accounts', 'balances', 'transfers', 'withdrawals', 'deposits', 'wallets']) {
      expect([list, Array.isArray(await cli.json(list))]).toEqual([list, true]);
    }
    expect(await cli.json('balances', 'brl', 'brlv')).toMatchObject([{ asset: 'brl' }, { asset: 'brlv' }]);
  });

  it('prints tables for people', async () => {
    const { out } = await cli.run(['balances', 'brl', 'brlv']);
    expect(out.replace(/\d+\.\d+/g, '0.00').replace(/ {2,}/g, '  ')).toBe(
      'ASSET  AVAILABLE  HELD  RUNNING\nbrl  0.00  0.00  0.00\nbrlv  0.00  0.00  0.00\n',
    );
    expect((await cli.run(['wallets'])).out).toMatch(
      /^ID {2,}NAME {2,}ADDRESS {2,}ASSETS\n[0-9a-f-]{36} {2}Main wallet/,
    );
    expect((await cli.run(['transfers'])).out).toBe('The account has no transfers.\n');
  });

  it.each([
    ['pix-paid', 'credited'],
    ['deposit', 'credited'],
    ['order-completed', 'completed'],
    ['order-rolled-back', 'rolled-back'],
    ['withdrawal-completed', 'completed'],
    ['withdrawal-pending', 'processing'],
    ['withdrawal-refused', 'rolled-back'],
    ['kyc-approved', 'active'],
    ['kyc-rejected', 'rejected'],
    ['kyc-information-requested', 'pending (information-requested)'],
  ])('triggers %s', async (scenario, state) => {
    const { steps } = await cli.json<{ steps: { state: string }[] }>('trigger', scenario);
    expect(steps.at(-1)?.state).toBe(state);
  });

  it('calls any operation of the reference', async () => {
    expect(await cli.json('call', 'get-balance', '--param', 'asset=brl')).toMatchObject({ balance: {} });
    expect(await cli.json('call', 'list-orders', '--query', 'state=completed', '--query', 'limit=1')).toMatchObject({
      orders: [{ state: 'completed' }],
    });
    const body = cli.writeFile('pricing.json', JSON.stringify({ rate: null, 'off-market': null }));
    expect(await cli.json('call', 'set-sandbox-pricing', '--body', `@${body}`)).toEqual({ pricing: {} });
  });

  it('describes an operation by the document of the API', async () => {
    const { code, out } = await cli.run(['call', 'create-wallet', '--help']);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/POST .*wallets[^]*wallet-name +required[^]*422 .*limit-exceeded/),
    ]);
    expect((await cli.run(['call', '--help'])).out).toContain('Usage: ponte call');
    expect((await cli.run(['call', 'no-such-operation', '--help'])).code).toBe(2);
    expect((await cli.run(['call'])).code).toBe(2);
    expect((await cli.run(['--help'])).out).not.toContain('Commands:');
  });

  it('exits with the code for its kind of failure and shows the message, the request and what to do', async () => {
    const code = async (args: string[], env = {}) => (await cli.run(args, env)).code;
    const quote = ['quote', '--from', 'fiat/brl', '--to', 'eth-base/brlv'];
    expect(await code(['no-such-command'])).toBe(2);
    expect(await code(quote)).toBe(2);
    expect(await code(['trigger', 'no-such-scenario'])).toBe(2);
    expect(await code(['orders', '--limit', '0'])).toBe(2);
    expect(await code(['accounts'], { PONTE_CONFIG_DIR: join(cli.folder.path, 'empty') })).toBe(3);
    expect(await code(['accounts'], { PONTE_API_KEY: 'sk_test_000000000000000000000000_x' })).toBe(3);
    expect(await code(['accounts', '--base-url', 'http://127.0.0.1:1'])).toBe(5);
    const refused = await cli.run([...quote, '--amount', '0.00']);
    expect([refused.code, refused.out]).toEqual([4, '']);
    expect(refused.err).toMatch(/^error: `source-amount` .+\nrequest: [0-9a-f-]{36}\nwhat to do: .+\n$/);
    const json = await cli.run([...quote, '--amount', '0.00', '--json']);
    expect([json.code, json.out]).toEqual([4, '']);
    expect(JSON.parse(json.err)).toMatchObject({
      error: { 'exit-code': 4, 'request-id': expect.any(String) as string, details: [{ path: 'source-amount' }] },
    });
  });

  it('never shows the key', async () => {
    const all = await Promise.all(
      [['accounts'], ['orders', '--json'], ['accounts', '--base-url', 'http://127.0.0.1:1'], ['order', 'x']].map(
        (args) => cli.run(args, { DEBUG: 'ponte' }),
      ),
    );
    expect(JSON.stringify(all)).not.toContain(cluster.sandbox['api-key']);
  });
});

describe('help and completion', () => {
  it('describe every command', async () => {
    const { out } = await cli.run(['--help']);
    expect(out).toMatchSnapshot();
    const commands = [...out.replace(/^Examples:[^]*/m, '').matchAll(/^ {2}([a-z]+)(?= |$)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');
    expect(commands).toHaveLength(18);
    for (const name of commands) expect((await cli.run([name, '--help'])).out).toMatchSnapshot(name);
  });

  it('complete commands, options and scenarios', async () => {
    const complete = async (...words: string[]) => (await cli.run(['complete', '--', ...words])).out;
    expect(await complete('bal')).toContain('balances');
    expect(await complete('orders', '--st')).toContain('--state');
    expect(await complete('trigger', 'kyc')).toContain('kyc-approved');
  });

  it.each([
    ['bash', ['-n']],
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ])('print a script that %s can parse', async (shell, args) => {
    const { code, out } = await cli.run(['completion', shell]);
    expect([code, out.length > 500]).toEqual([0, true]);
    const parsed = spawnSync(shell, [...args, cli.writeFile(`completion.${shell}`, out)], { encoding: 'utf8' });
    if ((parsed.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      return void process.stdout.write(`${shell} is not installed, so its completion was not parsed.\n`);
    expect([parsed.status, parsed.stderr]).toEqual([0, '']);
  });
});
