import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CAPABILITIES } from '@ponte/contracts';
import { parseTaxId } from '@ponte/kernel';
import { builtInList } from '@ponte/screening-lists';
import { sandboxOutcome } from '../../../onboarding/src/account-request/four-eyes.domain';
import { SimulatedLiveness } from '../../../onboarding/src/liveness/adapters/simulated.liveness.adapter';
import { LocalScreening } from '../../../onboarding/src/screening/adapters/local.screening.adapter';
import { SANDBOX_PEP, SANDBOX_SANCTIONS } from '../../../onboarding/src/screening/adapters/sandbox-lists';

const SITE = resolve(__dirname, '../../../../docs/site');
const page = (name: string): string => readFileSync(join(SITE, `${name}.md`), 'utf8');
const MENU = readFileSync(join(SITE, '.vitepress/config.mts'), 'utf8');

/** Each topic with its page and what the page must contain. */
const TOPICS: readonly (readonly [string, string, readonly RegExp[]])[] = [
  ['what Ponte is', 'what-ponte-is', [/partner/, /sub-account/, /\| BRLV \|/, /\| wBRLY \|/, /\| BRLY \|/]],
  ['the quickstart', 'quickstart', [/npm start/]],
  ['a worked JWT', 'authentication', [/nonce/, /RS256/, /ES256/, /EdDSA/, /snippets\/py\/signing\./]],
  ['every requirement of onboarding', 'onboarding', [/kyc-fields\.md/, /reliance-fields\.md/, /## Rules/]],
  ['quotes, orders and each pair', 'quotes-and-orders', [/generated\/pairs\.md/]],
  [
    'orders to a Pix key',
    'quotes-and-orders',
    [
      /## To a Pix key/,
      /target-end-user-pix-key/,
      /pix-key-tax-id-mismatch/,
      /kept-in-balance/,
      /snippets\/py\/pix-key-order\./,
    ],
  ],
  ['dry runs and explanations of quotes', 'quotes-and-orders', [/Prefer: dry-run/, /explain=true/]],
  ['Pix codes', 'pix-codes', [/brcode/]],
  ['transfers', 'transfers', [/snippets\/py\/transfer\./]],
  [
    'certificates',
    'certificates',
    [/## Issue/, /## List/, /## Transfer/, /## Webhooks/, /snippets\/py\/certificate\./],
  ],
  ['withdrawals', 'withdrawals', [/snippets\/py\/withdrawal\./]],
  ['webhooks', 'webhooks', [/receiver\.ts/, /receiver\.py/, /receiver\.go/, /Receiver\.java/]],
  ['the order of webhooks', 'webhooks', [/## Order/, /60 seconds/, /`sequence`/]],
  ['idempotency', 'idempotency', [/Idempotency-Key/]],
  ['each error code', 'errors', [/generated\/errors\.md/]],
  ['pagination and limits', 'pagination-and-limits', [/X-Next-Cursor/, /RateLimit-/]],
  ['the limits of an account', 'pagination-and-limits', [/## Limits of an account/, /São Paulo/, /limit-exceeded/]],
  [
    'whitelisted wallets and the clock of the sandbox',
    'sandbox',
    [/admin -- wallet whitelist/, /admin -- capability grant/, /stored responses/],
  ],
  ['all magic values and scenarios', 'sandbox', [/generated\/magic-values\.md/, /generated\/scenarios\.md/]],
  ['versions', 'versions', [/Sunset/, /v0/]],
  ['states as diagrams', 'states', [/generated\/states\.md/]],
  ['the changelog', 'changelog', [/^## /m]],
];

describe('the guides', () => {
  it.each(TOPICS)('have %s on a page in the menu', (_topic, name, shown) => {
    const text = page(name);
    for (const one of shown) expect(text).toMatch(one);
    expect(MENU).toContain(`'/${name}'`);
  });

  it('show every example in curl, TypeScript and Python', () => {
    const examples = readdirSync(SITE)
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => [...page(name.replace(/\.md$/, '')).matchAll(/::: code-group([^]*?):::/g)])
      .map(([, group = '']) => [...group.matchAll(/snippets\/\w+\/(\w[\w-]*)\.(\w+)/g)]);
    const inThree = examples.filter((group) => !group.some(([, name]) => /^receiver$/i.test(name ?? '')));
    expect(inThree.length).toBeGreaterThan(5);
    for (const group of inThree) {
      const languages = group.map(([, , end]) => end);
      expect([group[0]?.[1], ...languages]).toEqual([group[0]?.[1], 'sh', 'ts', 'py']);
      for (const [path] of group) expect(existsSync(join(SITE, path))).toBe(true);
    }
  });

  it.each([
    ['approved', 'approve'],
    ['rejected', 'reject'],
    ['asked for information', 'ask-information'],
  ])('name valid CPFs of requests that are %s in the sandbox', (shown, outcome) => {
    const [, cells = ''] = new RegExp(`^\\| ${shown} \\| (.*) \\|$`, 'm').exec(page('sandbox')) ?? [];
    const cpfs = [...cells.matchAll(/`(\d+)`/g)].map(([, cpf = '']) => cpf);
    expect(cpfs).toHaveLength(3);
    for (const number of cpfs) {
      expect(parseTaxId(number)).toMatchObject({ kind: 'cpf' });
      expect(sandboxOutcome({ country: 'BRA', number } as never)).toBe(outcome);
    }
  });

  it('name people whom screening finds in the sandbox, and a liveness session that fails', async () => {
    const text = page('generated/magic-values');
    const screening = await LocalScreening.open({
      lists: [builtInList('sanctions', SANDBOX_SANCTIONS), builtInList('pep', SANDBOX_PEP)],
      threshold: 80,
    });
    const people = [...text.matchAll(/`([^`]+)`, `([^`]+)`, `(\d{4}-\d\d-\d\d)`/g)];
    for (const [, first, last, dateOfBirth = ''] of people) {
      const subject = { subjectRef: 's', names: [`${first} ${last}`], dateOfBirth, country: 'BRA' };
      expect((await screening.screen(subject)).hits).toMatchObject([{ score: 100 }]);
    }
    const [, sessions = ''] = /`liveness\.id` \| `(\w+)…`/.exec(text) ?? [];
    const session = { provider: 'provider-1', id: `${sessions}-1` };
    expect([people.length, await new SimulatedLiveness({ now: () => 0 }).resultOf(session)]).toMatchObject([
      2,
      { outcome: 'failed' },
    ]);
  });

  it('name every capability and no other', () => {
    const [, table = ''] = /## Capabilities([^]*?)\n## /.exec(page('onboarding')) ?? [];
    const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual([...CAPABILITIES, 'rate-lock-<name>'].sort());
  });
});
