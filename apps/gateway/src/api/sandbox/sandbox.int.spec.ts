import 'reflect-metadata';
import {
  AdvanceClock,
  CreateApiKey,
  OpenAccount,
  SimulatePixPayment,
  holderIdOf,
  secretHashOf,
} from '@ponte/contracts';
import type { RouteCase } from '../../testing/route-case';
import { ROUTES } from '../../testing/routes';
import { CHILD, PARTNER, STRANGER, UNKNOWN } from '../../testing/accounts';
import { codeOf } from '../../testing/use-gateway';
import { SAMPLE } from '../samples';
import { lastRequest, faultsIn, gateway, post, send, useTestGateway } from '../../testing/route-requests';

useTestGateway();

describe('the routes of the sandbox and of staff', () => {
  it('pay by Pix to exactly one of a code and an account in reach, with the tax id sealed', async () => {
    const pay = (body: object) => post('/api/v1/sandbox/pix-payments', body);
    expect(codeOf(await pay({ amount: '1.00' }))).toBe('400 missing-field');
    expect(codeOf(await pay({ brcode: SAMPLE.brcode, 'account-id': CHILD }))).toBe('400 unknown-field');
    expect(faultsIn(await pay({ amount: 1 }))).toEqual(['amount amount-must-be-string', 'brcode missing-field']);
    const unreadable = await pay({ brcode: 'Maria da Silva 529.982.247-25' });
    expect(faultsIn(unreadable)).toEqual(['brcode invalid-format']);
    expect(unreadable.json()).toMatchObject({
      error: { message: '`brcode` must be a complete Pix code, as it was shown.' },
    });
    expect(faultsIn(await pay({ brcode: SAMPLE.brcode, 'account-id': 'x', more: 1 }))).toEqual([
      'account-id invalid-format',
      'more unknown-field',
    ]);
    expect(codeOf(await pay({ 'account-id': STRANGER }))).toBe('403 account-access-denied');
    expect(codeOf(await pay({ 'account-id': CHILD, 'payer-tax-id': '52998224726' }))).toBe('422 invalid-tax-id');
    await pay({ 'account-id': CHILD, amount: '5.00', 'payer-tax-id': '529.982.247-25' });
    const payload: Record<string, unknown> = lastRequest(SimulatePixPayment)?.payload ?? {};
    expect(payload).toMatchObject({
      accountId: CHILD,
      brcode: null,
      amount: '5.00',
      payerTaxId: expect.stringMatching(/^sealed:v1:/) as string,
    });
    expect(await gateway.engines.personalData.open(payload['payerTaxId'] as never)).toBe('52998224725');
    // A person who was erased still has a bank account.
    await gateway.engines.personalData.erase(
      holderIdOf(gateway.engines.personalData.fingerprint('tax-id', '11144477735')),
    );
    expect((await pay({ 'account-id': CHILD, amount: '5.00', 'payer-tax-id': '11144477735' })).statusCode).toBe(200);
    expect(
      await gateway.engines.personalData.open(lastRequest(SimulatePixPayment)?.payload['payerTaxId'] as never),
    ).toBe('11144477735');
  });

  it('do not repeat an unknown type of a deposit, which may be anything', async () => {
    const answer = await post('/api/v1/sandbox/deposits', { type: 'Maria da Silva', asset: 'eth-base/brlv' });
    expect(faultsIn(answer)).toContain('asset unknown-field');
    expect(answer.body).not.toContain('Maria');
  });

  it('advance the clock by seconds or to a time, for partners and for staff', async () => {
    const staff = { authorization: `Staff ${gateway.staffToken}` };
    for (const advance of [
      (body: object) => post('/api/v1/sandbox/clock/advance', body),
      (body: object) => post('/staff/sandbox/clock/advance', body, staff),
    ]) {
      expect(faultsIn(await advance({}))).toEqual(['seconds missing-field']);
      expect(faultsIn(await advance({ seconds: 1, until: SAMPLE.time }))).toEqual(['until unknown-field']);
      expect(faultsIn(await advance({ seconds: 0 }))).toEqual(['seconds invalid-format']);
      expect(faultsIn(await advance({ seconds: 1.5 }))).toEqual(['seconds invalid-type']);
      expect(faultsIn(await advance({ until: 'tomorrow' }))).toEqual(['until invalid-format']);
      expect((await advance({ until: SAMPLE.time })).json()).toEqual({
        clock: { now: SAMPLE.time, 'ahead-seconds': 60 },
      });
      expect(lastRequest(AdvanceClock)?.payload).toEqual({ seconds: null, until: SAMPLE.time });
    }
    expect(
      faultsIn(await post('/staff/sandbox/bank', { callbacks: 'loud', fault: { operation: 'put-charge' } }, staff)),
    ).toEqual(['callbacks invalid-enum-value', 'fault.fault missing-field']);
    expect(codeOf(await post('/staff/sandbox/bank', { callbacks: 'held' }))).toMatch(/^401/);
  });

  it('seal personal data, and show a bearer secret once and forward only its hash', async () => {
    const staff = { authorization: `Staff ${gateway.staffToken}` };
    const opening = ROUTES.find(({ id }) => id === 'staff-open-account') as RouteCase;
    await send(opening, '', staff);
    expect(JSON.stringify(lastRequest(OpenAccount)?.payload)).not.toMatch(/Canary|52998224725|123456/);
    const { 'api-key': key } = (
      await post(`/staff/accounts/${PARTNER}/api-keys`, { name: 'k', bearer: true }, staff)
    ).json() as { 'api-key': { id: string; secret: string } };
    expect(key.secret.startsWith(`sk_test_${key.id.slice(8)}_`)).toBe(true);
    expect(lastRequest(CreateApiKey)?.payload).toMatchObject({
      keyId: key.id,
      access: 'read-only',
      credential: { kind: 'bearer', secretHash: secretHashOf(key.secret) },
    });
    const wrongKey = async (body: object) => faultsIn(await post(`/staff/accounts/${PARTNER}/api-keys`, body, staff));
    expect(await wrongKey({})).toEqual(['name missing-field', 'public-key missing-field', 'algorithm missing-field']);
    expect(await wrongKey({ name: 'k', bearer: false, algorithm: 'ES256' })).toEqual(['public-key missing-field']);
    expect(await wrongKey({ name: 'k', bearer: true, 'public-key': 'p', algorithm: 'ES256' })).toEqual([
      'public-key unknown-field',
      'algorithm unknown-field',
    ]);
    expect(await wrongKey({ name: 'k', bearer: 'yes' })).toEqual(['bearer invalid-type']);
    const limits = { 'writes-per-second': 1, 'write-burst': 2, 'reads-per-second': 3, 'read-burst': 4 };
    const limited = await post(
      `/staff/accounts/${PARTNER}/api-keys`,
      { name: 'k', bearer: true, 'rate-limits': limits },
      staff,
    );
    expect(limited.json()).toMatchObject({ 'api-key': { 'rate-limits': limits } });
    expect(lastRequest(CreateApiKey)?.payload).toMatchObject({
      rateLimits: { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 3, readBurst: 4 },
    });
    expect(
      await wrongKey({
        name: 'k',
        bearer: true,
        'rate-limits': { 'writes-per-second': 0, 'write-burst': 1.5, 'reads-per-second': '3', more: 1 },
      }),
    ).toEqual([
      'rate-limits.writes-per-second invalid-format',
      'rate-limits.write-burst invalid-type',
      'rate-limits.reads-per-second invalid-type',
      'rate-limits.read-burst missing-field',
      'rate-limits.more unknown-field',
    ]);
    expect(await wrongKey({ name: 'k', bearer: true, 'rate-limits': { ...limits, 'read-burst': 1_000_001 } })).toEqual([
      'rate-limits.read-burst invalid-format',
    ]);
    expect(
      (
        await post(`/staff/accounts/${PARTNER}/api-keys`, { name: 'k', bearer: true, 'rate-limits': null }, staff)
      ).json(),
    ).toMatchObject({ 'api-key': { 'rate-limits': null } });
    expect(codeOf(await post(`/staff/accounts/${UNKNOWN}/capabilities`, { grant: [] }, staff))).toBe(
      '404 account-not-found',
    );
    expect(codeOf(await post('/staff/api-keys/nope/revoke', { reason: 'rotated' }, staff))).toBe(
      '404 api-key-not-found',
    );
  });
});
