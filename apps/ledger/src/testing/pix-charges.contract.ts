import { isoTime } from '@ponte/kernel';
import type { PixCharges } from '../pix-charge/pix-charges.port';
import { RailFailed } from '../pix-charge/pix-charges.port';
import { HOLDER_CPF } from './people';

export interface PixChargesUnderTest {
  readonly charges: PixCharges;
  /** Business time in epoch milliseconds. */
  now: number;
  /** Pays a charge at the bank and returns the end-to-end id. */
  pay(location: string, amount: string, payerTaxId?: string): Promise<string>;
  /** Makes the bank take a payment back now. */
  takeBack(endToEndId: string): Promise<void>;
  /** Makes the bank process the next returns for a while. */
  returnsSlowly(): void;
}

const MINUTE_MS = 60_000;
const UNKNOWN = 'E1234567820261120123400000000000';

/** What every adapter of the receiving side of Pix does. */
export function describePixCharges(name: string, bank: () => PixChargesUnderTest): void {
  describe(name, () => {
    let made = 0;
    const freshId = (): string => `${(made += 1)}`.padStart(32, 'a');
    const put = (txid = freshId(), amount = '10.00') =>
      bank().charges.putCharge({ txid, amount, expiresAt: isoTime(bank().now + 15 * MINUTE_MS) });
    const paid = async (): Promise<string> => bank().pay((await put()).location, '10.00');
    const around = (minutes: number) => ({
      from: isoTime(bank().now - minutes * MINUTE_MS),
      to: isoTime(bank().now + minutes * MINUTE_MS),
      page: 0,
    });

    it('opens a charge once, whatever is repeated, and refuses another amount for its txid', async () => {
      const charge = await put();
      expect(charge).toMatchObject({ status: 'active', amount: '10.00', endToEndIds: [] });
      expect(charge.location).toMatch(/^[a-z0-9.-]+\/\S+$/);
      expect(await put(charge.txid)).toEqual(charge);
      await expect(put(charge.txid, '11.00')).rejects.toBeInstanceOf(RailFailed);
      expect(await bank().charges.getCharge(charge.txid)).toEqual(charge);
      expect(await bank().charges.getCharge(freshId())).toBeUndefined();
    });

    it('removes an active charge, and returns one that is paid or removed unchanged', async () => {
      const { txid } = await put();
      expect((await bank().charges.removeCharge(txid))?.status).toBe('removed-by-receiver');
      expect((await bank().charges.removeCharge(txid))?.status).toBe('removed-by-receiver');
      const other = await put();
      const endToEndId = await bank().pay(other.location, '10.00');
      expect(await bank().charges.removeCharge(other.txid)).toEqual({
        ...other,
        status: 'paid',
        endToEndIds: [endToEndId],
      });
      expect(await bank().charges.removeCharge(freshId())).toBeUndefined();
    });

    it('returns a payment with its payer, and nothing for an unknown id', async () => {
      const { txid, location } = await put();
      const endToEndId = await bank().pay(location, '10.00', HOLDER_CPF);
      const pix = await bank().charges.getReceived(endToEndId);
      expect(pix).toMatchObject({ endToEndId, txid, amount: '10.00', settledAt: isoTime(bank().now) });
      expect(pix?.payer).toMatchObject({ taxId: HOLDER_CPF, bankCode: endToEndId.slice(1, 9) });
      expect(await bank().charges.getReceived(UNKNOWN)).toBeUndefined();
    });

    it('lists the payments of a window', async () => {
      const before = await paid();
      bank().now += 10 * MINUTE_MS;
      const [first, second] = [await paid(), await paid()];
      const { ids, lastPage } = await bank().charges.listReceived(around(5));
      expect([[...ids].sort(), lastPage]).toEqual([[first, second].sort(), true]);
      expect(ids).not.toContain(before);
      bank().now += 60 * MINUTE_MS;
      expect(await bank().charges.listReceived(around(5))).toEqual({ ids: [], lastPage: true });
    });

    it('lists what the bank took back once it did so, by its time or by the time of the payment', async () => {
      const endToEndId = await paid();
      const before = around(5);
      bank().now += 40 * 24 * 60 * MINUTE_MS;
      const after = around(5);
      const [listing, other] = bank().charges.takeBackLookBackMs === undefined ? [after, before] : [before, after];
      expect((await bank().charges.listTakenBack(listing)).ids).toEqual([]);
      await bank().takeBack(endToEndId);
      expect(await bank().charges.listTakenBack(listing)).toMatchObject({ ids: [endToEndId], lastPage: true });
      expect(await bank().charges.listTakenBack(other)).toMatchObject({ ids: [], lastPage: true });
    });

    it('returns money once for each return id, and never more than the payment', async () => {
      const endToEndId = await paid();
      const returnId = freshId();
      const returned = await bank().charges.requestReturn(endToEndId, returnId, '10.00');
      expect(returned).toMatchObject({ returnId, status: 'returned', amount: '10.00' });
      expect(returned.bankReturnId).toMatch(/^D/);
      expect(await bank().charges.requestReturn(endToEndId, returnId, '10.00')).toEqual(returned);
      expect(await bank().charges.getReturn(endToEndId, returnId)).toEqual(returned);
      await expect(bank().charges.requestReturn(endToEndId, freshId(), '0.01')).rejects.toBeInstanceOf(RailFailed);
      await expect(bank().charges.requestReturn(UNKNOWN, freshId(), '0.01')).rejects.toBeInstanceOf(RailFailed);
      expect(await bank().charges.getReturn(endToEndId, freshId())).toBeUndefined();
    });

    it('reports a return that the bank still processes', async () => {
      bank().returnsSlowly();
      const [endToEndId, returnId] = [await paid(), freshId()];
      expect(await bank().charges.requestReturn(endToEndId, returnId, '4.00')).toEqual({
        returnId,
        status: 'processing',
        amount: '4.00',
        bankReturnId: null,
      });
      expect((await bank().charges.getReturn(endToEndId, returnId))?.status).toBe('returned');
    });
  });
}
