import { join } from 'node:path';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { eventually, temporaryFolder } from '@ponte/testing';
import { buildBrCode } from '../../br-code/br-code.domain';
import { RailFailed, RailTimedOut } from '../pix-charges.port';
import { SimulatedBank } from './simulated.pix-charges.adapter';

const place = temporaryFolder();
afterAll(() => place.remove());

const KEY = '123e4567-e89b-12d3-a456-426655440000';
const MERCHANT = { name: 'PONTE', city: 'SAO PAULO' };
const clock = { now: () => Date.parse('2026-11-20T12:34:56.000Z') };
/** Seals by base64, which is enough to see what is sealed. */
const personalData: PersonalData = {
  seal: async (subject, text) => `sealed:v1:${subject}:${Buffer.from(text).toString('base64')}`,
  open: async (sealed: Sealed) => Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64').toString(),
  erase: async () => undefined,
  fingerprint: (kind, value) => Buffer.from(`${kind}${value}`).toString('hex'),
};
const open = (): SimulatedBank =>
  new SimulatedBank({ file: join(place.path, 'bank.db'), clock, personalData, key: KEY, host: 'pix.example' });
const codeOf = (location: string): string => buildBrCode({ kind: 'dynamic', location, ...MERCHANT });

describe('The simulated bank', () => {
  it('keeps charges, payments and returns in its file', async () => {
    const first = open();
    const charge = await first.putCharge({ txid: 't1', amount: '10.00', expiresAt: '2026-11-20T13:00:00.000Z' });
    const payer = first.invent('52998224725', null);
    const { endToEndId } = await first.pay({
      reference: 'r1',
      brcode: codeOf(charge.location),
      amount: '10.00',
      payer,
    });
    expect(endToEndId).toMatch(/^E[0-9A-Z]{8}202611201234[a-zA-Z0-9]{11}$/);
    await first.requestReturn(endToEndId, 'back', '4.00');
    first.onApplicationShutdown();
    const second = open();
    expect(await second.getCharge('t1')).toEqual({ ...charge, status: 'paid', endToEndIds: [endToEndId] });
    expect(await second.getReceived(endToEndId)).toEqual({
      endToEndId,
      txid: 't1',
      amount: '10.00',
      settledAt: '2026-11-20T12:34:56.000Z',
      payer,
    });
    expect(await second.getReturn(endToEndId, 'back')).toEqual({
      ...{ returnId: 'back', status: 'returned', amount: '4.00' },
      bankReturnId: expect.stringMatching(/^D12345678202611201234[a-z0-9]{11}$/),
    });
    expect([second.totals().received.toString(), second.totals().returned.toString()]).toEqual(['10.00', '4.00']);
    second.onApplicationShutdown();
    second.onApplicationShutdown();
  });

  it('is idempotent by our ids, and never returns more than the payment', async () => {
    const bank = open();
    const request = { txid: 't2', amount: '5.00', expiresAt: '2026-11-20T13:00:00.000Z' };
    expect(await bank.putCharge(request)).toEqual(await bank.putCharge(request));
    await expect(bank.putCharge({ ...request, amount: '6.00' })).rejects.toBeInstanceOf(RailFailed);
    const brcode = codeOf((await bank.putCharge(request)).location);
    const payer = bank.invent('52998224725', null);
    const pay = () => bank.pay({ reference: 'r2', brcode, amount: '5.00', payer });
    const [one, two] = await Promise.all([pay(), pay()]);
    expect(one).toEqual(two);
    await bank.requestReturn(one.endToEndId, 'a', '5.00');
    expect(await bank.requestReturn(one.endToEndId, 'a', '5.00')).toMatchObject({ status: 'returned' });
    await expect(bank.requestReturn(one.endToEndId, 'b', '0.01')).rejects.toBeInstanceOf(RailFailed);
    await expect(bank.requestReturn('E0', 'b', '0.01')).rejects.toBeInstanceOf(RailFailed);
    expect((await bank.removeCharge('t2'))?.status).toBe('paid');
    bank.onApplicationShutdown();
  });

  it('times out before or after processing a request, and refuses, as configured', async () => {
    const bank = open();
    const request = { txid: 't3', amount: '5.00', expiresAt: '2026-11-20T13:00:00.000Z' };
    bank.misbehaviour.fail('put-charge', 'unheard', 'error', 'done');
    await expect(bank.putCharge(request)).rejects.toBeInstanceOf(RailTimedOut);
    await expect(bank.putCharge(request)).rejects.toBeInstanceOf(RailFailed);
    expect(await bank.getCharge('t3')).toBeUndefined();
    await expect(bank.putCharge(request)).rejects.toBeInstanceOf(RailTimedOut);
    expect((await bank.removeCharge('t3'))?.status).toBe('removed-by-receiver');
    bank.onApplicationShutdown();
  });

  it('behaves the same for every process that opens its books, even after one of them shuts down', async () => {
    const [one, other] = [open(), open()];
    const reported: string[] = [];
    other.listen(async (ids) => void reported.push(...ids));
    expect(
      one.behave({
        callbacks: 'held',
        returns: 'processing',
        settlement: 'late',
        faults: [
          { operation: 'get-charge', fault: 'error' },
          { operation: 'get-charge', fault: 'unheard' },
        ],
      }),
    ).toMatchObject({
      callbacks: 'held',
      faults: [
        { operation: 'get-charge', fault: 'error' },
        { operation: 'get-charge', fault: 'unheard' },
      ],
    });
    await expect(other.getCharge('t1')).rejects.toBeInstanceOf(RailFailed);
    await expect(one.getCharge('t1')).rejects.toBeInstanceOf(RailTimedOut);
    expect(await other.getCharge('t1')).toMatchObject({ txid: 't1' });
    const { location } = await one.putCharge({ txid: 't4', amount: '7.00', expiresAt: '2026-11-21T13:00:00.000Z' });
    const paid = await one.pay({
      reference: 'r4',
      brcode: codeOf(location),
      amount: '7.00',
      payer: one.invent('52998224725', null),
    });
    expect(paid.settledAt).toBe('2026-11-21T13:00:01.000Z');
    expect(await other.requestReturn(paid.endToEndId, 'late', '7.00')).toMatchObject({ status: 'processing' });
    one.onApplicationShutdown();
    expect(other.state()).toMatchObject({ callbacks: 'held', returns: 'processing', settlement: 'late', faults: [] });
    // A callback that one process held is sent by the other.
    other.behave({ callbacks: 'prompt', returns: 'prompt', settlement: 'prompt', faults: [] });
    await eventually(() => expect(reported).toEqual([paid.endToEndId]));
    other.behave({ callbacks: 'prompt', returns: null, settlement: null, faults: [] });
    expect(other.state()).toMatchObject({ callbacks: 'prompt', returns: 'prompt', settlement: 'prompt' });
    other.onApplicationShutdown();
  });

  it('drops planned faults on request, before it plans others', async () => {
    const bank = open();
    const unchanged = { callbacks: null, returns: null, settlement: null };
    const refused = { operation: 'get-charge', fault: 'error' } as const;
    bank.behave({ ...unchanged, faults: [refused, { operation: 'put-charge', fault: 'error' }] });
    expect(bank.behave({ ...unchanged, faults: [refused], clearFaults: true }).faults).toEqual([refused]);
    expect(bank.behave({ ...unchanged, faults: [], clearFaults: true }).faults).toEqual([]);
    expect(await bank.getCharge('absent')).toBeUndefined();
    bank.onApplicationShutdown();
  });

  it('lists the payments of a window, oldest first, and reads only codes that lead to it', async () => {
    const bank = open();
    const { ids, lastPage } = await bank.listReceived({
      from: '2026-11-20T12:00:00.000Z',
      to: '2026-11-20T13:00:00.000Z',
      page: 0,
    });
    expect([ids.length, lastPage]).toEqual([2, true]);
    expect(
      await bank.listReceived({ from: '2026-11-20T13:00:00.000Z', to: '2026-11-20T14:00:00.000Z', page: 0 }),
    ).toEqual({ ids: [], lastPage: true });
    expect(bank.read(buildBrCode({ kind: 'static', key: KEY, txid: 'T', amount: '1.00', ...MERCHANT }))).toEqual({
      txid: 'T',
      amount: '1.00',
    });
    expect(
      bank.read(buildBrCode({ kind: 'static', key: 'other@bank.example', txid: 'T', amount: null, ...MERCHANT })),
    ).toBeUndefined();
    expect(bank.read(codeOf('pix.example/qr/v2/elsewhere'))).toBeUndefined();
    expect(bank.read('no code')).toBeUndefined();
    expect(bank.invent('11144477735', null)).toEqual(bank.invent('11144477735', null));
    bank.onApplicationShutdown();
  });
});
