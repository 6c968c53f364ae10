import type { MessageBus } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { NumberedTransaction } from './due-transactions';
import { FrozenAccounts } from './frozen-accounts.service';
import type { GiveUpUnsent } from '../unsent/give-up-unsent.service';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const EARLIER = '2026-01-31T11:59:00.000Z';

const due = (transactionId: string, accountId: string, more: object = {}, numbered = false): NumberedTransaction =>
  ({
    numbered,
    trace: { correlationId: 'c' },
    intent: { transactionId, intendedAt: EARLIER, purpose: { accountId }, ...more },
  }) as NumberedTransaction;
/** The transactions that were given up. */
const ended: string[] = [];
const unsent = {
  giveUp: async ({ intent }: NumberedTransaction, reason: string) =>
    ended.push(`${intent.transactionId} ${reason}`) > 0,
} as unknown as GiveUpUnsent;
const kept = async (
  transactions: readonly NumberedTransaction[],
  request: () => Promise<unknown>,
): Promise<string[]> => {
  ended.length = 0;
  const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger;
  const accounts = new FrozenAccounts({ request } as unknown as MessageBus, unsent, { now: () => NOW }, logger);
  return (await accounts.removeInactive(transactions)).map(({ intent }) => intent.transactionId);
};
const DUES = [
  due('waited', 'a'),
  due('numbered', 'a', {}, true),
  due('fresh', 'a', { intendedAt: new Date(NOW).toISOString() }),
  due('restoring', 'a', { restores: 'lost' }),
];

const OF_SUSPENSE = due('suspense', 'a', {
  purpose: { accountId: 'a', kind: 'token-movement', owner: { kind: 'suspense', id: 'd' } },
});

describe('Transactions of a frozen account', () => {
  it('wait, except one with a nonce, one that was requested just now, and one that restores a lost transaction', async () => {
    expect(await kept(DUES, async () => ({ status: 'frozen' }))).toEqual(['numbered', 'fresh', 'restoring']);
    expect(ended).toEqual([]);
  });

  it('are given up when the account is closed, except the same ones', async () => {
    expect(await kept(DUES, async () => ({ status: 'closed' }))).toEqual(['numbered', 'fresh', 'restoring']);
    expect(ended).toEqual(['waited account-not-active']);
  });

  it('are signed if they move tokens in suspense, also of a closed account', async () => {
    const withdrawal = due('withdrawal', 'a', {
      purpose: { accountId: 'a', kind: 'token-movement', owner: { kind: 'withdrawal', id: 'w' } },
    });
    expect(await kept([OF_SUSPENSE, withdrawal], async () => ({ status: 'closed' }))).toEqual(['suspense']);
    expect(ended).toEqual(['withdrawal account-not-active']);
  });

  it('wait as well while onboarding does not answer', async () => {
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
