import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@ponte/testing';
import { parseTaxId } from '@ponte/kernel';
import { Ponte, signWebhook } from '@ponte/sdk';
import { cpfWith } from '../../../cli/src/trigger/kyc-scenarios';
import { PAIRS_EXAMPLE } from '../../../gateway/src/api/pairs/pair.dto';
import { sandboxOutcome } from '../../../onboarding/src/account-request/four-eyes.domain';
import { variablesOf } from '../clients/testing/tools';
import { Operator } from '../e2e/testing/operator';
import type { Running } from '../e2e/testing/program';
import { until } from '../e2e/testing/waiting';
import { bundled, has, PAGES, snippet, SNIPPETS, startReceiver } from './testing/programs';
import { EXPECTED } from './testing/expected-output';
import { LANGUAGES, cluster, folder, python, run, useSnippets } from './testing/snippets';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
if (!has('go', 'version')) process.stdout.write('The Go snippet is skipped: Go is missing.\n');
if (!has('javac', '-version')) process.stdout.write('The Java snippet is skipped: a JDK is missing.\n');

useSnippets();

describe('the snippets of the guides', () => {
  // Partners open further wallets. The list of wallets then no longer begins with the one that orders are delivered to.
  beforeAll(async () => {
    const { 'base-url': baseUrl, 'api-key': apiKey, 'subaccount-id': accountId } = cluster.sandbox;
    await new Ponte({ baseUrl, apiKey }).createWallet(accountId, { 'wallet-name': 'Savings', chain: 'eth-base' });
  });

  const cases = EXPECTED.flatMap(([name, printed]) => LANGUAGES.map((language) => ({ name, language, printed })));
  it.each(cases)('$name in $language runs', async ({ name, language, printed }) => {
    expect(await run(name, language)).toMatch(printed);
  });

  it.each(LANGUAGES)('onboarding.%s opens a sub-account', async (language) => {
    expect(await run('onboarding', language, { PONTE_CPF: cpfWith('900') })).toMatch(/The sub-account .*is active\./);
  });

  it.each(
    LANGUAGES.flatMap((language) =>
      (language === 'sh' ? (['RS256'] as const) : (['RS256', 'ES256', 'EdDSA'] as const)).map((algorithm) => ({
        language,
        algorithm,
      })),
    ),
  )('signing.$language signs with $algorithm', async ({ language, algorithm }) => {
    const pair = {
      RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
      ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      EdDSA: () => generateKeyPairSync('ed25519'),
    }[algorithm]?.();
    const file = join(folder.path, `${algorithm}.pem`);
    writeFileSync(file, pair?.privateKey.export({ type: 'pkcs8', format: 'pem' }) ?? '', { mode: 0o600 });
    const { api } = Operator.of(cluster as unknown as Running);
    const body = {
      name: `${language} ${algorithm}`,
      access: 'read-write',
      algorithm,
      'public-key': String(pair?.publicKey.export({ type: 'spki', format: 'pem' })),
    };
    const made = await api.post<{ 'api-key': { id: string } }>(
      `/staff/accounts/${cluster.sandbox['account-id']}/api-keys`,
      body,
    );
    const env = { PONTE_KEY_FILE: file, PONTE_KEY_ID: made['api-key'].id, PONTE_KEY_ALGORITHM: algorithm };
    expect(await run('signing', language, env)).toMatch(/"target-amount":"100\.0+"/);
  });

  it.each(LANGUAGES)('webhook-endpoint.%s registers a receiver, which gets and verifies a ping', async (language) => {
    const [port, program] = [String(await freePort()), await bundled('receiver', folder.path)];
    const printed = await run('webhook-endpoint', language, { PONTE_RECEIVER_URL: `http://127.0.0.1:${port}/` });
    // No receiver is running yet, as in the quickstart. The ping is sent again after the receiver has started with its
    // secret.
    const receiver = await startReceiver(process.execPath, [program], {
      PORT: port,
      PONTE_WEBHOOK_SECRET: /whsec_\S+/.exec(printed)?.[0] ?? '',
    });
    try {
      await until(async () => expect(receiver.printed()).toContain('verified webhook-ping'));
    } finally {
      await receiver.stop();
    }
  });
});

describe('the receivers of the guides', () => {
  const programs: readonly (readonly [string, string, () => Promise<string[]>])[] = [
    ['receiver.ts', process.execPath, async () => [await bundled('receiver', folder.path)]],
    ...(python === undefined ? [] : [['receiver.py', python, async () => [snippet('receiver.py')]] as const]),
    ...(has('go', 'version') ? [['receiver.go', 'go', async () => ['run', snippet('receiver.go')]] as const] : []),
    ...(has('javac', '-version') ? [['Receiver.java', 'java', async () => [snippet('Receiver.java')]] as const] : []),
  ];

  it.each(programs)(
    '%s does not start without a secret, with which every request could be forged',
    async (_, program, args) => {
      const env = { PORT: String(await freePort()), PONTE_WEBHOOK_SECRET: '' };
      await expect(startReceiver(program, await args(), env)).rejects.toThrow(
        'PONTE_WEBHOOK_SECRET must be the secret',
      );
    },
  );

  it.each(programs)('%s accepts signed requests and refuses others', async (_, program, args) => {
    const port = await freePort();
    const receiver = await startReceiver(program, await args(), { PORT: String(port), PONTE_WEBHOOK_SECRET: SECRET });
    try {
      const now = Math.floor(Date.now() / 1000);
      const body = '{"event-id":"e1","event-type":"order-completed","payload":{"nome":"João"}}';
      const signed = async (timestamp: number): Promise<Record<string, string>> => ({
        ...(await signWebhook({ id: 'e1', timestamp, body }, SECRET)),
      });
      const post = async (headers: Record<string, string>, text = body): Promise<number> =>
        (
          await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: text,
          })
        ).status;
      const good = await signed(now);
      expect(await post(good)).toBe(200);
      expect(await post({ ...good, 'webhook-signature': `v1,AAAA ${good['webhook-signature']}` })).toBe(200);
      expect(await post(good, body.replace('e1', 'e2'))).toBe(400);
      expect(await post({ ...good, 'webhook-signature': 'v1,AAAA' })).toBe(400);
      expect(await post({ ...good, 'webhook-id': 'e2' })).toBe(400);
      expect(await post(await signed(now - 600))).toBe(400);
      expect(await post({})).toBe(400);
      await until(() => expect(receiver.printed()).toContain('verified'));
    } finally {
      await receiver.stop();
    }
  });
});

describe('the guides', () => {
  it('show only snippets that these tests run', () => {
    const shown = readdirSync(PAGES)
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) =>
        [...readFileSync(join(PAGES, name), 'utf8').matchAll(/@\/snippets\/\w+\/([\w-]+)\./g)].map(
          ([, found]) => found,
        ),
      );
    const tested = [
      ...EXPECTED.map(([name]) => name),
      'onboarding',
      'signing',
      'webhook-endpoint',
      'receiver',
      'Receiver',
      'ponte',
    ];
    expect(new Set(shown)).toEqual(new Set(tested));
  });

  // Not synchronously: meanwhile this process must notice when the server closes an idle connection.
  it('show snippets that compile against the SDK', async () => {
    const compiler = require.resolve('typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', join(SNIPPETS, 'tsconfig.json')]);
  });

  it('name a CPF that the sandbox approves', () => {
    const named = [...readFileSync(join(PAGES, 'quickstart.md'), 'utf8').matchAll(/PONTE_CPF=(\d+)/g)].map(
      ([, cpf]) => cpf,
    );
    expect(named).toHaveLength(1);
    for (const cpf of named) {
      expect(parseTaxId(cpf ?? '')).toMatchObject({ kind: 'cpf' });
      expect(sandboxOutcome({ country: 'BRA', number: cpf } as never)).toBe('approve');
    }
  });

  it('list the pairs that a sandbox serves', async () => {
    const { PONTE_BASE_URL, PONTE_API_KEY } = variablesOf(cluster);
    const response = await fetch(`${PONTE_BASE_URL}/api/v1/pairs`, {
      headers: { authorization: `Bearer ${PONTE_API_KEY}` },
    });
    const plain = ({ pairs }: typeof PAIRS_EXAMPLE) => pairs.map(({ 'rate-locks': _, ...pair }) => pair);
    expect(plain((await response.json()) as typeof PAIRS_EXAMPLE)).toEqual(plain(PAIRS_EXAMPLE));
  });
});
