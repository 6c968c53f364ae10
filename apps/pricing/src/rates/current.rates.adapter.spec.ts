import type { SharePriceRecord } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { Rate, Unavailable, fromIso } from '@ponte/kernel';
import { createLogger } from '@ponte/nest';
import type { Market } from '../market/market.domain';
import { CurrentRates } from './current.rates.adapter';

const NOON = fromIso('2026-05-13T15:00:00.000Z');
/** The business time of a sandbox that was advanced by a day. */
const TOMORROW = NOON + 86_400_000;
const configured: Market = {
  reference: { rate: Rate.parse('USD', 'BRL', '5.34'), observedAt: NOON },
  sharePrice: { rate: Rate.parse('wBRLY', 'BRL', '1.05'), observedAt: NOON, source: 'configuration' },
};
const ofVault = (more: Partial<SharePriceRecord> = {}): SharePriceRecord => ({
  asset: 'eth-base/wbrly',
  price: '1.0712345678',
  cost: '1.0712345679',
  blockNumber: '4711',
  minedAt: '2026-05-13T14:59:00.000Z',
  ...more,
});

let answer: () => Promise<SharePriceRecord | null>;
let rates: CurrentRates;
const read = () =>
  rates.read({
    bus: { request: () => answer() } as unknown as MessageBus,
    clock: { now: () => TOMORROW },
    systemClock: { now: () => NOON },
    logger: createLogger('pricing', 'silent'),
    context: () => ({ commandId: 'c', correlationId: 'c' }),
  });
const unavailable = () => Promise.reject(new Unavailable('chain-unavailable'));

beforeEach(() => {
  rates = new CurrentRates({ market: () => configured });
});

describe('the price of a vault share', () => {
  it('is unknown before the first read of the vault, even if the source of rates has one', async () => {
    expect(rates.market(NOON)).toEqual({ reference: configured.reference });
    answer = unavailable;
    await read();
    expect(rates.market(NOON)).toEqual({ reference: configured.reference });
  });

  it('comes from the source of rates only if the chain has no vault', async () => {
    answer = async () => null;
    await read();
    expect(rates.market(NOON)).toEqual(configured);
    answer = unavailable;
    await read();
    expect(rates.market(NOON)).toEqual(configured);
  });

  it('is as old as its block, in business time, and names the block', async () => {
    answer = async () => ofVault();
    await read();
    const observed = { observedAt: TOMORROW - 60_000, source: 'vault', blockNumber: '4711' };
    expect(rates.market(TOMORROW)).toEqual({
      ...configured,
      sharePrice: { rate: Rate.parse('wBRLY', 'BRL', '1.0712345678'), ...observed },
      shareCost: { rate: Rate.parse('wBRLY', 'BRL', '1.0712345679'), ...observed },
    });
  });

  it('ages while the chain stands still, and is kept when the vault cannot be read', async () => {
    answer = async () => ofVault({ minedAt: '2026-05-10T15:00:00.000Z' });
    await read();
    const old = rates.market(TOMORROW);
    expect(old.sharePrice?.observedAt).toBe(TOMORROW - 3 * 86_400_000);
    answer = unavailable;
    await read();
    expect(rates.market(TOMORROW)).toEqual(old);
  });

  it('is not in the future when the clock of the chain runs ahead', async () => {
    answer = async () => ofVault({ minedAt: '2026-05-13T15:00:30.000Z' });
    await read();
    expect(rates.market(TOMORROW).sharePrice?.observedAt).toBe(TOMORROW);
  });
});

describe('the settings of the sandbox', () => {
  it('override the rates until they are removed', () => {
    const usdBrl = { rate: Rate.parse('USD', 'BRL', '6'), observedAt: NOON + 5, source: 'sandbox' };
    const without = rates.market(NOON);
    rates.set(usdBrl.rate, null);
    expect(rates.market(NOON + 5)).toEqual({ ...without, usdBrl });
    rates.set(null, true);
    expect(rates.market(NOON)).toEqual({ ...without, offMarket: true });
    rates.set(null, null);
    expect(rates.market(NOON)).toEqual(without);
  });
});
