import { ReturnChargePayment, SimulatePixPayment } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { STRANGER_CPF } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest();

/** A scenario and the events it must leave behind in each category, in log order, whatever faults occur. */
interface Story {
  readonly name: string;
  readonly begin: () => Promise<void>;
  readonly deposit: readonly string[];
  readonly charge: readonly string[];
  readonly account: readonly string[];
  readonly running: string;
  /** The event types whose appends are hit by a fault; the others are covered by an earlier story. */
  readonly struck: readonly string[];
}

const CREDITED = ['DepositCreated', 'DepositConfirmed', 'DepositCredited'];
const SENT_BACK = ['DepositCreated', 'DepositVoided', 'DepositReturned'];
const OPENED = ['PixChargeRequested', 'PixChargeOpened'];

/** A caller that retries with the same command id, against whichever process is running. */
async function retryUntilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  return eventually(async () => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Unavailable || (error as Error).name === 'ProcessCrashed') throw error;
      // Any other error is a refusal, which a fault must never cause for a valid command.
      throw new Error(`not a fault but an answer: ${String(error)}`, { cause: error });
    }
  });
}

async function paidCharge(payerTaxId: string | null = null): Promise<string> {
  const { txid, open } = await ledger.charge('o1');
  const { brcode } = await retryUntilAnswered(open);
  const commandId = ledger.freshId();
  await retryUntilAnswered(() =>
    ledger.ask(SimulatePixPayment, { brcode, accountId: null, amount: null, payerTaxId }, commandId),
  );
  return txid;
}

const STORIES: readonly Story[] = [
  {
    name: 'a deposit',
    begin: async () => void (await ledger.pay(await ledger.fundingCode(), '10.00')),
    deposit: CREDITED,
    charge: [],
    account: ['DepositPosted'],
    running: '10.00',
    struck: [...CREDITED, 'DepositPosted'],
  },
  {
    name: 'a deposit by a stranger',
    begin: async () => void (await ledger.pay(await ledger.fundingCode(), '10.00', STRANGER_CPF)),
    deposit: SENT_BACK,
    charge: [],
    account: [],
    running: '0.00',
    struck: ['DepositVoided', 'DepositReturned'],
  },
  {
    name: 'a paid charge',
    begin: async () => void (await paidCharge()),
    deposit: CREDITED,
    charge: [...OPENED, 'PixChargePaymentAccepted', 'PixChargePaid'],
    account: ['DepositPostedAndHeld'],
    running: '50.00',
    struck: [...CREDITED, ...OPENED, 'PixChargePaymentAccepted', 'PixChargePaid', 'DepositPostedAndHeld'],
  },
  {
    name: 'a wrongly paid charge',
    begin: async () => void (await paidCharge(STRANGER_CPF)),
    deposit: SENT_BACK,
    charge: [...OPENED, 'PixChargeMispaid'],
    account: [],
    running: '0.00',
    struck: ['PixChargeMispaid', 'DepositVoided'],
  },
  {
    name: 'a paid charge whose order rolls back',
    begin: async () => {
      const txid = await paidCharge();
      await eventually(async () => {
        await ledger.tick();
        expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' });
      });
      await retryUntilAnswered(() => ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' }));
    },
    deposit: [...CREDITED, 'DepositReturnRequested', 'DepositReturned'],
    charge: [...OPENED, 'PixChargePaymentAccepted', 'PixChargePaid'],
    account: ['DepositPostedAndHeld', 'DepositReversed'],
    running: '0.00',
    struck: ['DepositReversed', 'DepositReturnRequested', 'DepositReturned'],
  },
];

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const CASES = STORIES.flatMap((story) =>
  story.struck.flatMap((type) => KINDS.map((kind) => [story.name, kind, type, story] as const)),
);

describe('After a fault at any append', () => {
  it.each(CASES)(
    '%s with fault %s at %s ends exactly once, and the books are correct',
    async (_name, kind, type, story) => {
      const { struck } = ledger.store.faults.next({
        kind,
        match: (_stream, events) => events.some((event) => event.type === type),
      });
      const restarted = struck.then(async () => {
        if (kind === 'crash-after-append') await ledger.restart();
      });
      await story.begin();
      await restarted;
      // The only help is that the clock advances and the timers run.
      await eventually(async () => {
        await ledger.tick();
        expect(await ledger.types('deposit-')).toEqual(story.deposit);
        expect(await ledger.types('pixCharge-')).toEqual(story.charge);
      });
      expect(await ledger.types('ledgerAccount-')).toEqual(story.account);
      expect((await ledger.balance()).running).toBe(story.running);
      await eventually(() => ledger.assertTrialBalance());
    },
  );
});
