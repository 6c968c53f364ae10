import { HouseLossPosted, HouseLossReversed } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';

const [accountId, transactionId, now] = ['account', 'transaction', '2026-03-01T12:00:00.000Z'];
const loss = { asset: 'eth-base/brlv', amount: '2.500000000000000000' } as const;
const less = '-2.500000000000000000';
const command = (kind: 'post-loss' | 'reverse-loss', causeId: string) =>
  ({ kind, accountId, transactionId, causeId, loss, path: { from: 'loss', to: 'issuance' }, now }) as const;
const legs = (lossLeg: string, issuanceLeg: string) => [
  { account: 'house:loss', asset: loss.asset, amount: lossLeg },
  { account: 'house:issuance', asset: loss.asset, amount: issuanceLeg },
];
const posted = new HouseLossPosted({
  accountId,
  postingId: 'post-loss:e1',
  transactionId,
  loss,
  postings: legs(less, loss.amount),
  postedAt: now,
});
const reversed = new HouseLossReversed({
  accountId,
  postingId: 'reverse-loss:e2',
  transactionId,
  loss,
  postings: [...legs(loss.amount, less)].reverse(),
  postedAt: now,
});

describe('Tokens that a reorg removed', () => {
  it('count as no longer issued and as a loss of the house, once per reorg, while the account keeps its balance', () => {
    scenario(ledgerAccount).given().when(command('post-loss', 'e1')).then(posted);
    scenario(ledgerAccount).given(posted).when(command('post-loss', 'e1')).then();
    expect(scenario(ledgerAccount).given(posted).state().balances).toEqual({});
    expect(scenario(ledgerAccount).given(posted, reversed).when(command('post-loss', 'e3')).events()).toHaveLength(1);
  });

  it('count as issued again, once, when they are on the chain again', () => {
    scenario(ledgerAccount).given(posted).when(command('reverse-loss', 'e2')).then(reversed);
    scenario(ledgerAccount).given(posted, reversed).when(command('reverse-loss', 'e2')).then();
  });
});
