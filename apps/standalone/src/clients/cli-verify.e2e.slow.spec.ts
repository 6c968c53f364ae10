import { generateKeyPairSync } from 'node:crypto';
import { SigningKey, signWebhook } from '@ponte/sdk';
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

describe('verify', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it('reports whether the signature of a webhook is valid, and why not', async () => {
    const body = '{"event-id":"e1","event-type":"order-completed"}';
    const headers = await signWebhook({ id: 'e1', timestamp: Math.floor(Date.now() / 1000), body }, secret);
    const args = (text: string) => [
      'verify',
      'webhook',
      '--secret',
      secret,
      '--id',
      'e1',
      '--timestamp',
      headers['webhook-timestamp'],
      '--signature',
      headers['webhook-signature'],
      '--body',
      cli.writeFile('body.json', text),
    ];
    expect(await cli.json(...args(body))).toMatchObject({ valid: true, event: { 'event-id': 'e1' } });
    const changed = await cli.run(args(body.replace('completed', 'created')));
    expect([changed.code, changed.err.includes('signature-mismatch')]).toEqual([6, true]);
    const [, , , , ...others] = args(body);
    const unnamed = ['verify', 'webhook', ...others];
    expect((await cli.run(unnamed, { PONTE_WEBHOOK_SECRET: secret })).code).toBe(0);
    const missing = await cli.run(unnamed);
    expect([missing.code, missing.err.includes('A secret is required.')]).toEqual([2, true]);
    const wrong = await cli.run(unnamed, { PONTE_WEBHOOK_SECRET: 'whsec_***' });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^error: The secret cannot be used.*base64/)]);
  });

  it('says that a signed body is not an event', async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = await signWebhook({ id: 'e1', timestamp, body: 'null' }, secret);
    const values = ['--id', 'e1', '--timestamp', String(timestamp), '--signature', headers['webhook-signature']];
    const args = ['verify', 'webhook', ...values, '--body', cli.writeFile('null.json', 'null')];
    expect(await cli.run(args, { PONTE_WEBHOOK_SECRET: secret })).toMatchObject({
      code: 0,
      out: 'The signature is valid.\nThe body is not an event: it has no event-id or no event-type.\n',
    });
  });

  it('reports which part of a token is wrong', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signing = new SigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const request = { keyId: 'ak_test_1', method: 'POST', uri: '/api/v1/x?a=1', body: new TextEncoder().encode('{}') };
    const key = cli.writeFile('public.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    const check = async (token: string, more: string[]) => {
      const { code, out } = await cli.run(['verify', 'jwt', token, '--public-key', key, '--json', ...more]);
      const { checks } = JSON.parse(out) as { checks: { part: string; ok: boolean }[] };
      return [code, checks.filter(({ ok }) => !ok).map(({ part }) => part)];
    };
    const right = [
      '--method',
      'POST',
      '--uri',
      '/api/v1/x?a=1',
      '--key-id',
      'ak_test_1',
      '--body',
      cli.writeFile('b', '{}'),
    ];
    const token = await signing.token(request);
    expect(await check(token, right)).toEqual([0, []]);
    expect(
      await check(token, [
        '--method',
        'GET',
        '--uri',
        '/other',
        '--key-id',
        'ak_test_2',
        '--body',
        cli.writeFile('c', '{ }'),
      ]),
    ).toEqual([6, ['sub', 'uri', 'method', 'body-hash']]);
    expect(await check(await signing.token(request, Date.now() - 60_000), right)).toEqual([6, ['exp']]);
    expect(await check(`${token.slice(0, -4)}AAAA`, right)).toEqual([6, ['signature']]);
    expect(await check('no.token', right)).toEqual([6, ['form']]);
  });
});
