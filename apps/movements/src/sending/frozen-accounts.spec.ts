import type { MessageBus } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { NumberedDue } from './due-transactions';
import { FrozenAccounts } from './frozen-accounts';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const EARLIER = '2026-01-31T11:59:00.000Z';

const due = (transactionId: string, accountId: string, more: object = {}, numbered = false): NumberedDue =>
  ({ numbered, intent: { transactionId, intendedAt: EARLIER, purpose: { accountId }, ...more } }) as NumberedDue;
const kept = async (dues: readonly NumberedDue[], request: () => Promise<unknown>): Promise<string[]> => {
  const accounts = new FrozenAccounts({ request } as unknown as MessageBus, { now: () => NOW }, {
    warn: () => undefined,
  } as unknown as Logger);
  return (await accounts.without(dues)).map(({ intent }) => intent.transactionId);
};
const DUES = [
  due('waited', 'a'),
  due('numbered', 'a', {}, true),
  due('fresh', 'a', { intendedAt: new Date(NOW).toISOString() }),
  due('restoring', 'a', { restores: 'lost' }),
];

describe('Transactions of a frozen account', () => {
  it('wait, except one with a nonce, one that was requested just now, and one that restores a lost transaction', async () => {
    expect(await kept(DUES, async () => ({ status: 'frozen' }))).toEqual(['numbered', 'fresh', 'restoring']);
  });

  it('also wait while onboarding does not answer', async () => {
    const unavailable = async () => {
      throw new Unavailable('service-unavailable');
    };
    expect(await kept(DUES, unavailable)).toEqual(['numbered', 'fresh', 'restoring']);
  });

  it('do not wait when the account is active, or unknown to onboarding', async () => {
    for (const account of [{ status: 'active' }, null])
      expect(await kept(DUES, async () => account)).toEqual(['waited', 'numbered', 'fresh', 'restoring']);
  });
});
