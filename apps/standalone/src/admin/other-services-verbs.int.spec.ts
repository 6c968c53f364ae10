import * as contracts from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { AdminUnderTest } from './testing/admin-under-test';

const MIXED_CASE = '0x52908400098527886E0F7030069857D2E4169EE7';

let admin: AdminUnderTest;
let partner: string;
beforeAll(async () => {
  admin = await AdminUnderTest.start();
  partner = await admin.partner();
});
afterAll(() => admin.stop());

describe('the verb that whitelists wallets', () => {
  it('has the ledger screen the address and never removes FX', async () => {
    let screened: contracts.ScreeningOutcome = 'clear';
    admin.engines.bus.handle(contracts.ScreenAddress.pattern, async () => ({ outcome: screened }));
    admin.engines.bus.handle(contracts.FindHouseAddresses.pattern, async () => ({ found: [] }));
    const whitelist = ['wallet', 'whitelist', '--account', partner, '--address', MIXED_CASE];
    const listed = { 'account-id': partner, address: MIXED_CASE.toLowerCase(), fx: false };
    expect(await admin.json(...whitelist)).toEqual(listed);
    expect(await admin.json(...whitelist, '--fx')).toEqual({ ...listed, fx: true });
    expect(await admin.json(...whitelist)).toEqual({ ...listed, fx: true });
    screened = 'waits';
    const other = ['wallet', 'whitelist', '--account', partner, '--address', `0x${'5a'.repeat(20)}`];
    expect((await admin.run(other)).code).toBe(1);
    expect(
      await admin.engines.bus.request(contracts.GetWhitelistedWallets, { accountId: partner }, admin.context()),
    ).toEqual({ wallets: [{ address: MIXED_CASE.toLowerCase(), fx: true }] });
  });
});

describe('the verb that issues certificates', () => {
  it('derives the id from the reference, so that a repetition issues no second certificate', async () => {
    const issued: unknown[] = [];
    admin.engines.bus.handle(contracts.IssueCertificate.pattern, async (payload) => {
      issued.push(payload);
      const { certificateId: id, ...terms } = payload as contracts.IssueCertificatePayload;
      return { ...terms, id, rewardTier: 90, status: 'issued' };
    });
    const issue = ['certificate', 'issue', '--account', partner, '--wallet', MIXED_CASE, '--amount', '100'];
    const line = [...issue, '--reference', 'REW-1'];
    expect(await admin.json(...line)).toMatchObject({ 'account-id': partner, status: 'issued', 'reward-tier': 90 });
    expect((await admin.run([...line, '--reward-tier', '97'])).code).toBe(0);
    expect((await admin.run([...line, '--reward-tier', '50'])).code).toBe(2);
    const certificateId = derivedId('reward-certificate', 'reference', 'REW-1');
    expect(issued).toEqual(
      [null, 97].map((rewardTier) => expect.objectContaining({ certificateId, rewardTier, otherwiseTier: null })),
    );
  });
});

it('lists help in a group with other commands', async () => {
  const { out } = await admin.run(['--help']);
  expect(out).toMatch(/ help \[command\]/);
  expect(out).not.toContain('Commands:');
});

describe('the verbs of a sandbox', () => {
  it('advance its clock and change its bank', async () => {
    const payloads: unknown[] = [];
    const bank = {
      ...{ callbacks: 'held', returns: 'prompt', settlement: 'prompt', received: '1.00', returned: '0.00' },
      faults: [{ operation: 'put-charge', fault: 'done' }],
    };
    admin.engines.bus.handle(contracts.AdvanceClock.pattern, async (payload) => {
      payloads.push(payload);
      return { now: '2026-01-31T12:00:00.000Z', aheadMs: 60_001 };
    });
    admin.engines.bus.handle(contracts.SetBankBehaviour.pattern, async (payload) => {
      payloads.push(payload);
      return bank;
    });
    admin.engines.bus.handle(contracts.GetBank.pattern, async () => bank);
    expect(await admin.json('clock', 'advance', '--seconds', '61')).toEqual({
      now: '2026-01-31T12:00:00.000Z',
      'ahead-seconds': 61,
    });
    const changed = await admin.run(['bank', 'misbehave', '--callbacks', 'held', '--fault', 'put-charge=done']);
    expect(changed.out).toMatch(/callbacks +held[^]*faults +put-charge=done/);
    expect(await admin.json('bank', 'show')).toMatchObject({ callbacks: 'held' });
    expect(payloads).toMatchObject([
      { seconds: 61, until: null },
      { callbacks: 'held', returns: null, settlement: null, faults: [{ operation: 'put-charge', fault: 'done' }] },
    ]);
    await admin.run(['bank', 'misbehave', '--clear-faults']);
    expect(payloads[2]).toMatchObject({ callbacks: null, faults: [], clearFaults: true });
    expect(payloads[1]).toMatchObject({ clearFaults: false });
    for (const wrong of [
      ['clock', 'advance'],
      ['clock', 'advance', '--seconds', '0'],
      ['clock', 'advance', '--until', 'noon'],
      ['bank', 'misbehave', '--fault', 'put-charge'],
      ['bank', 'misbehave', '--returns', 'lost'],
    ])
      expect((await admin.run(wrong)).code).toBe(2);
    expect(payloads).toHaveLength(3);
  });
});
