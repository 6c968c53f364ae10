import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { AdminUnderTest } from './testing/admin-under-test';

/** Personal values that must not be found in clear text anywhere. */
const CANARIES = { legalName: 'Canaria Quixabeira Xisto', taxId: '11144477735' };

let admin: AdminUnderTest;
beforeEach(async () => {
  admin = await AdminUnderTest.start();
});
afterEach(() => admin.stop());

const openSubaccount = (parent: string, legalName: string, taxId: string): string[] => [
  ...['account', 'open-subaccount', '--parent', parent, '--alias', 'A1', '--legal-name', legalName, '--tax-id', taxId],
];

describe('the verbs about partners', () => {
  it('open accounts and change their capabilities, with text or JSON output', async () => {
    const partner = await admin.partner();
    const bank = ['--bank-code', '001', '--branch-number', '1', '--account-number', '22-2'];
    const opened = await admin.run([...openSubaccount(partner, 'Joana Lima', '52998224725'), ...bank]);
    expect(opened.code).toBe(0);
    expect(opened.out).toMatch(new RegExp(`parent-id +${partner}`));
    expect(opened.out).not.toContain('Joana');
    const grant = ['capability', 'grant', '--account', partner, '--capability', 'pay-after-acceptance'];
    const granted = await admin.json(...grant);
    expect(granted['capabilities']).toEqual(['manage-holders', 'rate-lock-5m', 'pay-after-acceptance']);
    const revoke = ['capability', 'revoke', '--account', partner, '--capability', 'manage-holders'];
    expect((await admin.run(revoke)).code).toBe(0);
    expect(await admin.json('account', 'show', '--account', partner)).toMatchObject({
      'account-id': partner,
      'parent-id': null,
      'onboarding-mode': 'kyc',
      capabilities: ['rate-lock-5m', 'pay-after-acceptance'],
    });
  });

  it('list accounts page by page', async () => {
    const partner = await admin.partner();
    await admin.run(openSubaccount(partner, 'Joana Lima', '52998224725'));
    const [, , more = ''] = (await admin.run(['account', 'list', '--limit', '1'])).out.split('\n');
    expect(more).toMatch(/^more: --cursor /);
    const second = await admin.run(['account', 'list', '--cursor', more.replace('more: --cursor ', '')]);
    expect(second.out).toMatch(new RegExp(`^ID +STATUS.*\\n${partner} +active +partner +Acme `));
  });

  it('create keys with their own rate limits and revoke them', async () => {
    const partner = await admin.partner();
    const limits = ['--writes-per-second', '5', '--write-burst', '10', '--reads-per-second', '7', '--read-burst', '14'];
    const { 'key-id': keyId, secret } = (await admin.json(
      ...['api-key', 'create', '--account', partner, '--name', 'backend', '--access', 'read-write', '--bearer'],
      ...limits,
    )) as Record<string, string>;
    const find = () =>
      admin.engines.bus.request(contracts.GetApiKey, { keyId: keyId as string }, { ...admin.context() });
    expect(await find()).toMatchObject({
      rateLimits: { writesPerSecond: 5, writeBurst: 10, readsPerSecond: 7, readBurst: 14 },
    });
    expect(contracts.keyIdOfBearer(secret as string)).toBe(keyId);
    expect((await admin.run(['api-key', 'revoke', '--key', keyId as string])).code).toBe(0);
    expect((await find())?.revoked).toBe(true);
  });

  it('cannot decide account requests, which only staff do', async () => {
    const listed = async (...of: string[]) =>
      [...(await admin.run(['help', ...of])).out.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
    const verbs: string[] = [];
    for (const noun of await listed()) for (const verb of await listed(noun)) verbs.push(`${noun} ${verb}`);
    expect(verbs).toEqual(expect.arrayContaining(['account open-partner', 'parked list']));
    // The address review of a movement has its own approvers and does not decide an account request.
    const others = verbs.filter((name) => !name.startsWith('address-review '));
    expect(others.filter((name) => /(^| )(account-)?request|review|approve|verdict|decide/.test(name))).toEqual([]);
  });
});

describe('a verb that is refused', () => {
  it('writes the reason to standard error and exits with 1, or with 2 if the line is invalid', async () => {
    const unknown = derivedId('unknown');
    const key = ['api-key', 'create', '--account', unknown, '--name', 'k', '--bearer'];
    const lines: string[] = [];
    for (const argv of [
      ['account', 'show', '--account', unknown],
      ['api-key', 'create', '--account', 'x', '--name', 'k'],
      [...key, '--write-burst', '3', '--read-burst', '4'],
      [...key, '--write-burst', '1.5'],
      ['wallet', 'whitelist', '--account', unknown, '--address', `0x${'5a'.repeat(20)}`],
      ['account', 'list', '--limit', '0'],
      ['account', 'open-partner'],
      ['nonsense'],
    ]) {
      const { code, out, err } = await admin.run(argv);
      expect([code, out]).toEqual([err[0]?.startsWith('error: ') ? 2 : 1, '']);
      lines.push(...err);
    }
    const invalid = [expect.stringContaining('error'), '(run with --help to see the options)'];
    expect(lines).toEqual([
      'refused: There is no such account. (account-not-found)',
      'refused: Pass --public-key with --algorithm, or --bearer in the sandbox. (missing-field)',
      'refused: `rate-limits.writes-per-second` is required. (missing-field)',
      'refused: `rate-limits.reads-per-second` is required. (missing-field)',
      ...invalid,
      expect.stringMatching(/^refused: .+ \(account-not-found\)$/),
      ...invalid,
      ...invalid,
      ...invalid,
    ]);
    expect(await admin.run(['--help'])).toMatchObject({ code: 0, err: [] });
  });

  it('neither prints, logs nor stores personal values in clear text', async () => {
    const partner = await admin.partner();
    const { code, out, err } = await admin.run(
      openSubaccount(partner, '@name.txt', `${CANARIES.taxId}0`),
      CANARIES.legalName,
    );
    expect([code, out, err]).toEqual([
      1,
      '',
      ['refused: `tax-id` must be a CPF or CNPJ with valid check digits. (invalid-tax-id)'],
    ]);
    const opened = await admin.run(openSubaccount(partner, '@name.txt', CANARIES.taxId), CANARIES.legalName);
    expect(opened).toMatchObject({ code: 0, err: [] });
    const everything = [opened.out, admin.log.join(''), ...admin.files()];
    expect(everything.filter((text) => text.includes(partner)).length).toBeGreaterThanOrEqual(3);
    for (const canary of [...Object.values(CANARIES), 'Canaria', '111.444.777-35'])
      expect(everything.filter((text) => text.includes(canary))).toEqual([]);
  });
});
