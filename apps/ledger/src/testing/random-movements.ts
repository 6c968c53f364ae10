import type { AmountOf, Hold, HoldOwner } from '@ponte/contracts';
import { NO_CHARGES, PRICED_TOKENS } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money, assetOf } from '@ponte/kernel';
import fc from 'fast-check';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';

/** The clock reading of every command. */
export const NOW = '2027-03-01T12:00:00.000Z';
const OWNERS = ['order', 'withdrawal', 'transfer'] as const;
const ACCOUNTS = ['a', 'b', 'c'] as const;
const ASSETS: readonly AssetId[] = ['fiat/brl', 'fiat/usd', ...PRICED_TOKENS];

/** An amount in hundredths of an asset's unit. Every asset has at least two decimals. */
const amountOf = (asset: AssetId, hundredths: number): AmountOf => ({
  asset,
  amount: Money.of(asset, BigInt(hundredths) * 10n ** BigInt(assetOf(asset).scale - 2)).toString(),
});

/** Few owners, deposits and amounts, so that movements often interact and holds often fit. */
const on = { account: fc.constantFrom(...ACCOUNTS), id: fc.nat(3) };
const hundredths = fc.constantFrom(1_000, 2_500);
const asset = fc.constantFrom(...ASSETS);
const token = fc.constantFrom(...PRICED_TOKENS);
const kind = <const K extends string>(name: K) => fc.constant(name);
const charges = { spread: fc.nat(700), fee: fc.constantFrom(0, 200), tax: fc.nat(300) };
const exchange = { ...on, asset: token, hundredths, ...charges, delivered: fc.boolean() };
const owner = fc.constantFrom(...OWNERS);
/** Without more holds of these, transfers and exchanges rarely succeed. */
const spent = { owner: fc.constantFrom('order', 'transfer'), asset: fc.constantFrom('fiat/brl', ...PRICED_TOKENS) };
const to = fc.option(fc.constantFrom(...ACCOUNTS));
const lossPath = fc.constantFrom(
  { from: 'loss', to: 'issuance' } as const,
  { from: 'owed', to: 'treasury' } as const,
  { from: 'issuance', to: 'loss' } as const,
  { from: 'owed', to: 'loss' } as const,
);
const by = fc.constantFrom('withdrawal', 'movement', 'release');
/** Any movement of a ledger account, for one of three accounts. The default weight is 1. */
export const movement = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind('deposit'), ...on, asset, hundredths }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('token-deposit'), ...on, asset: token, hundredths }) },
  fc.record({ kind: kind('charge'), ...on, hundredths }),
  { weight: 4, arbitrary: fc.record({ kind: kind('hold'), ...on, owner, asset, hundredths }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('hold'), ...on, ...spent, hundredths }) },
  fc.record({ kind: kind('release'), ...on, owner }),
  { weight: 2, arbitrary: fc.record({ kind: kind('post-withdrawal'), ...on, to }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('transfer'), ...on, asset: token, hundredths, to }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('buy'), ...exchange, custody: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('sell'), ...exchange }) },
  fc.record({ kind: kind('deliver'), ...on, asset, hundredths, by }),
  fc.record({ kind: kind('reverse'), ...on }),
  fc.record({ kind: kind('take-back'), ...on, hundredths }),
  fc.record({ kind: kind('write-off'), ...on, asset, hundredths }),
  // The treasury holds no tokens that we issue.
  fc
    .record({ kind: kind('loss'), ...on, back: fc.boolean(), asset: token, hundredths, path: lossPath })
    .filter(({ asset: lost, path }) => path.to !== 'treasury' || !lost.includes('brl')),
);
type Movement = typeof movement extends fc.Arbitrary<infer T> ? T : never;

const owned = (by: HoldOwner['kind'], id: number, credit: AmountOf, name = `${by}-${id}`): Hold => ({
  holdId: name,
  owner: { kind: by, id: String(id) },
  ...credit,
});
/** The delivery hold of an exchange belongs to the withdrawal that delivers it. */
const delivery = (one: { id: number; delivered: boolean }, credit: AmountOf): Hold | null =>
  one.delivered ? owned('withdrawal', one.id + 100, credit, `delivery-${one.id}`) : null;

/** The command of a movement, as the services send it. */
export function commandOf(one: Movement): LedgerAccountCommand {
  const about = { accountId: one.account, now: NOW };
  const id = String(one.id);
  switch (one.kind) {
    case 'deposit':
      return { kind: 'post-deposit', ...about, depositId: id, credit: amountOf(one.asset, one.hundredths), hold: null };
    case 'token-deposit': {
      const credit = amountOf(one.asset, one.hundredths);
      return { kind: 'post-deposit', ...about, depositId: `t${id}`, credit, hold: null, from: 'external' };
    }
    case 'charge': {
      const credit = amountOf('fiat/brl', one.hundredths);
      return {
        kind: 'post-deposit',
        ...about,
        depositId: `c${id}`,
        credit,
        hold: owned('order', one.id + 200, credit, `charge-${id}`),
      };
    }
    case 'hold':
      return { kind: 'place-hold', ...about, hold: owned(one.owner, one.id, amountOf(one.asset, one.hundredths)) };
    case 'release':
      return { kind: 'release-hold', accountId: one.account, holdId: `${one.owner}-${id}`, reason: 'test' };
    case 'post-withdrawal':
      return {
        ...{ kind: 'post-withdrawal', ...about, withdrawalId: id },
        ...{ holdId: `withdrawal-${id}`, receiverAccountId: one.to },
      };
    case 'transfer':
      return {
        kind: 'post-token-movement',
        ...about,
        movementId: id,
        owner: { kind: 'transfer', id },
        holdId: `transfer-${id}`,
        debit: amountOf(one.asset, one.hundredths),
        receiverAccountId: one.to,
      };
    case 'buy':
    case 'sell': {
      const [debit, credit] = [amountOf('fiat/brl', one.hundredths), amountOf(one.asset, one.hundredths)];
      const [from, to] = one.kind === 'buy' ? [debit, credit] : [credit, debit];
      const foreign = ['USDC', 'USDT'].includes(assetOf(one.asset).symbol);
      const brl = (centavos: number): string => amountOf('fiat/brl', centavos).amount;
      const charges = foreign ? { spread: brl(one.spread), fee: brl(one.fee), tax: brl(one.tax) } : NO_CHARGES;
      const custody = one.kind === 'sell' || one.custody;
      return {
        kind: 'post-exchange',
        ...about,
        orderId: id,
        holdId: `order-${id}`,
        debit: from,
        credit: to,
        custody,
        charges,
        deliveryHold: custody ? delivery(one, to) : null,
      };
    }
    case 'deliver':
      if (one.by === 'release')
        return { kind: 'release-hold', accountId: one.account, holdId: `delivery-${id}`, reason: 'delivery-failed' };
      if (one.by === 'withdrawal')
        return { kind: 'post-withdrawal', ...about, withdrawalId: String(one.id + 100), holdId: `delivery-${id}` };
      return {
        kind: 'post-token-movement',
        ...about,
        movementId: `d${id}`,
        owner: { kind: 'withdrawal', id: String(one.id + 100) },
        holdId: `delivery-${id}`,
        debit: amountOf(one.asset, one.hundredths),
        receiverAccountId: null,
      };
    case 'reverse':
      return {
        kind: 'reverse-deposit',
        ...about,
        depositId: `c${id}`,
        holdId: `charge-${id}`,
        reason: 'order-rolled-back',
      };
    case 'take-back':
      return {
        kind: 'take-back-deposit',
        ...about,
        depositId: id,
        credit: amountOf('fiat/brl', one.hundredths),
        credited: false,
      };
    case 'write-off':
      return { kind: 'write-off', ...about, amounts: [amountOf(one.asset, one.hundredths)], since: NOW };
    case 'loss':
      return {
        kind: one.back ? 'reverse-loss' : 'post-loss',
        ...about,
        transactionId: id,
        causeId: id,
        loss: amountOf(one.asset, one.hundredths),
        path: one.path,
      };
  }
}

/** A conversion of any pair that the account has the money for, which the random mix rarely produces. */
export const conversion = fc.record({
  ...exchange,
  asset: fc.constantFrom(...PRICED_TOKENS),
  buys: fc.boolean(),
  custody: fc.boolean(),
});
type Conversion = typeof conversion extends fc.Arbitrary<infer T> ? T : never;

/** Commands that fund, hold and exchange the amount. `name` makes the ids unique. */
export function conversionCommands(one: Conversion, name: string): LedgerAccountCommand[] {
  const about = { accountId: one.account, now: NOW };
  const movement: Movement = { ...one, kind: one.buys ? 'buy' : 'sell' };
  const posted = commandOf(movement);
  if (posted.kind !== 'post-exchange') throw new Error('a conversion must be posted as an exchange');
  const hold: Hold = { holdId: name, owner: { kind: 'order', id: name }, ...posted.debit };
  const from = one.buys ? 'settlement' : 'external';
  return [
    { kind: 'post-deposit', ...about, depositId: name, credit: posted.debit, hold: null, from },
    { kind: 'place-hold', ...about, hold },
    { ...posted, orderId: name, holdId: name, deliveryHold: null },
  ];
}
