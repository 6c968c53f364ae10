import type {
  ClearWithdrawalTarget,
  CreateWithdrawalPayload,
  WithdrawalMethod,
  WithdrawalRecord,
  DepositVoidReason,
} from '@ponte/contracts';
import {
  CreateWithdrawal,
  GetBalance,
  SetBankBehaviour,
  GetTrialBalance,
  GetCharge,
  GetFundingCode,
  GetWithdrawal,
  sealWithdrawalTarget,
  ListDeposits,
  OpenPixCharge,
  SimulatePixPayment,
  NO_CHARGES,
  PostExchange,
} from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import { Money, addSeconds, derivedId, isoTime, txidOf } from '@ponte/kernel';
import { ACCOUNT, HOLDER_CPF, HOLDER_NAME, PARENT, START, STRANGER_CPF } from './people';
import { PollTakenBackPixCommand } from '../take-back/poll-taken-back-pix.command';
import { PollReceivedTedsCommand } from '../ted-deposit/poll-received-teds.command';
import { PollReturnedPaymentsCommand } from '../payouts/poll-returned-payments.command';
import { ResumeWithdrawalsCommand } from '../withdrawal/resume-withdrawals.command';
import type { PixNotices } from '../pix-charge/pix-charges.port';
import { PIX_NOTICES } from '../pix-charge/pix-charges.port';
import { PollReceivedPixCommand } from '../pix-charge/poll-received-pix.command';
import { ResumeDepositsCommand } from '../deposit-retries/resume-deposits.command';
import { ResumeReturnsCommand } from '../deposit-retries/resume-returns.command';
import { sumsOf } from '../ledger-account/postings.domain';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { heldByBank } from './held-by-bank';
import { RunningLedger } from './running-ledger';

export { ACCOUNT, HOLDER_CPF, HOLDER_NAME, PARENT, START, STRANGER_CPF };
const CHARGE_SECONDS = 900;
const NO_TARGET: ClearWithdrawalTarget = {
  pixKey: null,
  bankCode: null,
  branchNumber: null,
  accountNumber: null,
  accountHolderName: null,
  accountHolderTaxId: null,
  destinationWalletAddress: null,
};

/** A ledger with the operations that tests use repeatedly. */
export class LedgerUnderTest<S extends EventStore> extends RunningLedger<S> {
  /** BRL that staff paid at the bank, outside Ponte. */
  paidByHand = Money.zero('fiat/brl');

  get pixNotices(): PixNotices {
    return this.app.get<PixNotices>(PIX_NOTICES, { strict: false });
  }

  /** Runs what the timers run. */
  async tick(): Promise<void> {
    const context = () => systemContext(this.engines.ids, 'test');
    for (const Poll of [PollReceivedPixCommand, PollTakenBackPixCommand])
      await this.run(new Poll({ fence: 0 }, context()));
    this.now += 60_000;
    for (const Resume of [ResumeReturnsCommand, ResumeDepositsCommand, ResumeWithdrawalsCommand])
      await this.run(new Resume(context()));
    for (const Poll of [PollReceivedTedsCommand, PollReturnedPaymentsCommand])
      await this.run(new Poll({ fence: 0 }, context()));
  }

  async fundingCode(accountId = ACCOUNT): Promise<string> {
    return (await this.ask(GetFundingCode, { accountId })).brcode;
  }

  pay(brcode: string, amount: string | null = null, payerTaxId: string | null = null) {
    return this.ask(SimulatePixPayment, { brcode, accountId: null, amount, payerTaxId });
  }

  /** Creates a withdrawal; repeating the same command id returns the same one. */
  async withdraw(
    amount: string,
    target: Partial<ClearWithdrawalTarget>,
    more: Partial<CreateWithdrawalPayload> & { method?: WithdrawalMethod | null } = {},
  ): Promise<WithdrawalRecord> {
    const sealed = await sealWithdrawalTarget(this.engines.personalData, { ...NO_TARGET, ...target });
    const withdrawalId = more.withdrawalId ?? this.freshId();
    return this.ask(CreateWithdrawal, {
      withdrawalId,
      accountId: ACCOUNT,
      callerAccountId: PARENT,
      keyHash: null,
      bodyHash: null,
      asset: 'fiat/brl',
      method: 'pix',
      amount,
      externalId: null,
      target: sealed,
      ...more,
    });
  }

  /** Funds the account with a payment by its own holder. */
  async fund(amount: string): Promise<void> {
    const before = (await this.balance()).running;
    await this.pay(await this.fundingCode(), amount);
    while ((await this.balance()).running === before) await this.tick();
  }

  withdrawal(withdrawalId: string): Promise<WithdrawalRecord | null> {
    return this.ask(GetWithdrawal, { accountId: ACCOUNT, withdrawalId });
  }

  async charge(orderId: string, amount = '50.00', accountId = ACCOUNT) {
    const txid = txidOf(derivedId('test charge', orderId));
    const expiration = addSeconds(isoTime(this.now), CHARGE_SECONDS);
    const commandId = derivedId('open', txid);
    return {
      txid,
      expiration,
      commandId,
      open: () => this.ask(OpenPixCharge, { txid, accountId, orderId, amount, expiration }, commandId),
    };
  }

  async balance(asset: 'fiat/brl' | 'eth-base/brlv' = 'fiat/brl') {
    const { running, available, held } = await this.ask(GetBalance, { accountId: ACCOUNT, assets: [asset] });
    return { running, available, held };
  }

  /** Makes the bank take a payment back (MED), and polls so that the ledger notices. */
  async takeBack(endToEndId: string): Promise<void> {
    const unchanged = { callbacks: null, returns: null, settlement: null, faults: [] };
    await this.ask(SetBankBehaviour, { ...unchanged, takeBack: endToEndId });
    await this.tick();
  }

  outcome(txid: string) {
    return this.ask(GetCharge, { txid });
  }

  async deposits() {
    const filters = { assets: ['fiat/brl'] as const, status: null, type: null, endToEndId: null, txHash: null };
    const page = { limit: 200, cursor: null, createdFrom: null, createdTo: null };
    return (await this.ask(ListDeposits, { accountId: ACCOUNT, filters, page })).items;
  }

  /** The holder pays the account's own code; resolves once the deposit is credited. */
  async payIn(amount: string): Promise<void> {
    await this.credited((await this.pay(await this.fundingCode(), amount)).endToEndId);
  }

  /** Resolves once the deposit of a payment is credited and has no other events. */
  async credited(endToEndId: string): Promise<void> {
    const types = ['DepositCreated', 'DepositConfirmed', 'DepositCredited'];
    await eventually(async () => expect(await this.types(`deposit-${depositIdOf(endToEndId)}`)).toEqual(types));
  }

  /** Resolves once the deposit of a payment is voided for this reason and its money was sent back. */
  async voided(endToEndId: string, reason: DepositVoidReason): Promise<void> {
    await eventually(async () => {
      const events = await this.events(`deposit-${depositIdOf(endToEndId)}`);
      expect(events.map(({ type }) => type)).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned']);
      expect(events[1]?.data).toMatchObject({ reason });
    });
  }

  /** Exchanges held BRL for the same amount of BRLV. */
  exchange(orderId: string, holdId: string, amount: string) {
    return this.ask(PostExchange, {
      ...{ accountId: ACCOUNT, orderId, holdId, custody: true, charges: NO_CHARGES, deliveryHold: null },
      debit: { asset: 'fiat/brl', amount },
      credit: { asset: 'eth-base/brlv', amount: `${amount}${'0'.repeat(16)}` },
    });
  }

  /** Throws unless every entry balances, the books sum to zero, and our claim on the bank equals the bank's total. */
  async assertTrialBalance(): Promise<void> {
    const streams = ['ledgerAccount-', 'deposit-', 'withdrawal-'].map((one) => this.events(one));
    for (const event of (await Promise.all(streams)).flat()) {
      if (!('postings' in event.data)) continue;
      for (const sum of sumsOf(event.data.postings as never).values())
        if (sum !== 0n) throw new Error('an entry does not balance');
    }
    const { lines, sums } = await this.ask(GetTrialBalance, { customers: false });
    for (const { amount, asset } of sums)
      if (!Money.stored(asset, amount).isZero()) throw new Error(`the books do not add up in ${asset}: ${amount}`);
    const claim = Money.stored(
      'fiat/brl',
      lines.find(({ account, asset }) => account === 'house:settlement' && asset === 'fiat/brl')?.amount ?? '0.00',
    ).negate();
    const has = heldByBank(this).minus(this.paidByHand);
    if (!claim.equals(has)) throw new Error(`our claim on the bank is ${claim}, its books have ${has}`);
  }
}
