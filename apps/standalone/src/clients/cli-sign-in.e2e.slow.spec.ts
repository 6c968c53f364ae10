import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { Operator } from '../e2e/testing/operator';
import type { Running } from '../e2e/testing/program';
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

describe('signing in', () => {
  it('stores the key where only the user can read it', () => {
    const stored = join(cli.config, 'config.json');
    expect([statSync(stored).mode & 0o777, statSync(cli.config).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(JSON.parse(readFileSync(stored, 'utf8'))).toMatchObject({
      default: { 'account-id': cluster.sandbox['subaccount-id'] },
    });
  });

  it('works with several profiles and with a private key, of which only the path is stored', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const pem = cli.writeFile('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const body = {
      name: 'cli',
      algorithm: 'EdDSA',
      access: 'read-write',
      'public-key': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
    const { api } = Operator.of(cluster as unknown as Running);
    const made = await api.post<{ 'api-key': { id: string } }>(
      `/staff/accounts/${cluster.sandbox['account-id']}/api-keys`,
      body,
    );
    const login = [
      'login',
      '--key-file',
      pem,
      '--key-id',
      made['api-key'].id,
      '--base-url',
      cluster.sandbox['base-url'],
      '--profile',
      'signed',
    ];
    expect(await cli.run(login)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(cli.config, 'config.json'), 'utf8')).not.toContain('PRIVATE KEY');
    const quote = [
      'quote',
      '--from',
      'fiat/brl',
      '--to',
      'eth-base/brlv',
      '--amount',
      '5.00',
      '--account',
      cluster.sandbox['subaccount-id'],
    ];
    expect(await cli.json('--profile', 'signed', ...quote)).toMatchObject({ 'source-amount': '5.00' });
    expect((await cli.run(['logout', '--profile', 'signed'])).out).toBe('Signed out of signed.\n');
    expect((await cli.run(['accounts', '--profile', 'signed'])).code).toBe(3);
  });

  it('does not store a refused key and reports which files are accepted', async () => {
    const wrong = cli.writeFile(
      'wrong.json',
      JSON.stringify({ 'base-url': cluster.sandbox['base-url'], 'api-key': 'sk_test_000000000000000000000000_wrong' }),
    );
    const refused = await cli.run(['login', '--key-file', wrong, '--profile', 'wrong']);
    expect([refused.code, refused.out]).toEqual([3, '']);
    expect(refused.err).toMatch(/unknown-api-key[\s\S]*request: [0-9a-f-]{36}[\s\S]*what to do: /);
    const unknown = await cli.run(['login', '--key-file', cli.writeFile('odd.txt', 'hello')]);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('PKCS#8 PEM');
  });
});
