import { NO_CHARGES, PostExchange, ReleaseHold, ReturnChargePayment, SettleTokenWithdrawal } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AdvanceDepositCommand } from './deposit/advance-deposit.command';
import { ReturnDepositCommand } from './deposit/return-deposit.command';
import { depositIdOf } from './deposit/deposit.state';
import { CLEAN_ADDRESS, fundTokens } from './testing/fund-tokens';
import { ACCOUNT } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ soleWriter: false });

/**
 * Makes reads of the matching streams return only their first `known` events, until the returned function is called.
 */
function lag(isBehind: (stream: string) => boolean, known = 0): () => void {
  const { store } = ledger;
  const read = store.read.bind(store);
  store.read = async (stream, options): Promise<Recorded[]> => {
    const events = await read(stream, options);
    return isBehind(stream) ? events.filter(({ revision }) => revision < known) : events;
  };
  return () => {
    store.read = read;
  };
}

const unavailable = async (attempt: Promise<unknown>): Promise<void> =>
  expect(attempt).rejects.toBeInstanceOf(Unavailable);

describe('A ledger whose state is behind the event that a policy acts on', () => {
  it('reports a missing deposit as unavailable', async () => {
    const depositId = 'd0000000-0000-8000-8000-000000000001';
    await unavailable(ledger.run(new AdvanceDepositCommand({ depositId }, ledger.context())));
    await unavailable(
      ledger.run(new ReturnDepositCommand({ depositId, reason: 'order-rolled-back' }, ledger.context())),
    );
  });

  it('voids nothing when the account of a deposit is temporarily missing, and credits the money in the end', async () => {
    const brcode = await ledger.fundingCode();
    const { bus } = ledger.engines;
    const request = bus.request.bind(bus);
    // Onboarding knows the account when the payment comes in, but not when the deposit is validated.
    let lags = 1;
    bus.request = (async (definition: { pattern: string }, ...rest: [never, never]) => {
      const lagging =
        definition.pattern.endsWith('get-account') && lags > 0 && (await ledger.types('deposit-')).length > 0;
      if (!lagging) return request(definition as never, ...rest) as unknown;
      lags -= 1;
      return null;
    }) as never;
    const { endToEndId } = await ledger.pay(brcode, '10.00');
    await eventually(async () =>
      expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toEqual([
        'DepositCreated',
        'DepositConfirmed',
        'DepositCredited',
      ]),
    );
    expect(lags).toBe(0);
  });

  it('neither voids a deposit nor returns a payment when a charge is missing', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    const { endToEndId } = await ledger.pay(brcode);
    const depositId = depositIdOf(endToEndId);
    await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
    await ledger.stop();
    await ledger.boot();
    const catchUp = lag((stream) => stream.startsWith('pixCharge-'));
    await unavailable(ledger.run(new AdvanceDepositCommand({ depositId }, ledger.context())));
    await unavailable(ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' }));
    catchUp();
    await ledger.run(new AdvanceDepositCommand({ depositId }, ledger.context()));
    expect(await ledger.types(`deposit-${depositId}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositCredited',
    ]);
  });

  it('ends no token withdrawal that is not started yet, and ends it once it is', async () => {
    await fundTokens(ledger);
    await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
    const target = { destinationWalletAddress: CLEAN_ADDRESS };
    const { id: withdrawalId } = await ledger.withdraw('10', target, { asset: 'eth-base/brlv', method: 'token' });
    await eventually(async () => expect((await ledger.withdrawal(withdrawalId))?.state).toBe('processing'));
    await ledger.stop();
    await ledger.boot();
    const failure = { code: 'withdrawal-reverted', message: 'reverted', retryable: true } as const;
    const outcomes = [
      { state: 'completed', txHash: '0x1', receiverAccountId: null },
      { state: 'failed', failure },
    ] as const;
    const settle = (outcome: (typeof outcomes)[number]) => ledger.ask(SettleTokenWithdrawal, { withdrawalId, outcome });
    const catchUp = lag((stream) => stream.startsWith('withdrawal-'), 1);
    for (const outcome of outcomes) await unavailable(settle(outcome));
    catchUp();
    expect(await settle(outcomes[1])).toEqual({ state: 'rolled-back' });
    expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./);
  });

  it('neither posts a hold that is missing nor treats it as released', async () => {
    const exchange = {
      accountId: ACCOUNT,
      orderId: 'o1',
      holdId: 'h1',
      debit: { asset: 'fiat/brl', amount: '1.00' },
      credit: { asset: 'eth-base/brlv', amount: '1.000000000000000000' },
      custody: true,
      charges: NO_CHARGES,
      deliveryHold: null,
    } as const;
    await unavailable(ledger.ask(PostExchange, exchange));
    await unavailable(
      ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: 'h1', reason: 'order-rolled-back', placed: true }),
    );
    // A hold that may never have been placed needs no release.
    expect(await ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: 'h1', reason: 'acceptance-abandoned' })).toEqual(
      { released: false },
    );
  });
});
