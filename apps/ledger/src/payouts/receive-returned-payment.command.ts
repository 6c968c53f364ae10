import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { UnallocatedReason } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { isBankCoordinates } from '@ponte/contracts';
import { logged } from '@ponte/event-sourcing';
import { Money, Unavailable } from '@ponte/kernel';
import { LOGGER, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { Deposits } from '../deposit/deposits.repository';
import { Accounts } from '../deposit/pix-accounts.service';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { PersonSealing } from '../person/person-sealing.service';
import { callRepeatable } from './rail';
import { step } from '../steps';
import type { DepositFacts } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { AdvanceWithdrawalCommand } from '../withdrawal/advance-withdrawal.command';
import type { CreatedWithdrawal, Withdrawal, WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { created, withdrawalIdOf } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import type { CountedReturns } from '../payout-returns/payout-returns.decider';
import { PayoutReturns } from '../payout-returns/payout-returns.repository';
import { PayoutContradictions } from './payout-contradictions.service';
import { PAYOUTS } from './payouts.port';
import type { PayoutReturn, Payouts } from './payouts.port';

/**
 * Handles a payment that the bank returned, in whole or in parts. Creates a deposit for each return, for the account of
 * the withdrawal that made the payment. If no account may receive the money, the deposit is posted to suspense.
 */
export class ReceiveReturnedPaymentCommand extends PayloadCommand<{
  readonly paymentId: string;
  /** The bank lists the payment as returned. Otherwise only a notice says so, which may be early or forged. */
  readonly isListed?: boolean;
}> {}

@CommandHandler(ReceiveReturnedPaymentCommand)
export class ReceiveReturnedPaymentHandler implements ICommandHandler<ReceiveReturnedPaymentCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly deposits: Deposits,
    private readonly accounts: Accounts,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly sealing: PersonSealing,
    private readonly returns: PayoutReturns,
    private readonly contradictions: PayoutContradictions,
    private readonly commands: CommandBus,
    @Inject(PAYOUTS) private readonly bank: Payouts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Only the id of the notice is used: the returns are read from the bank. */
  async execute({ payload: { paymentId, isListed = false }, context }: ReceiveReturnedPaymentCommand): Promise<void> {
    const withdrawalId = withdrawalIdOf(paymentId);
    const payment = withdrawalId === undefined ? undefined : await callRepeatable(() => this.bank.get(paymentId));
    if (withdrawalId === undefined || !payment || payment.returns.length === 0) {
      if (withdrawalId !== undefined && payment?.status === 'refused')
        await this.reportIfCompleted(withdrawalId, paymentId, context);
      // The entry of the list fails until the bank shows the returns, so that no money is lost.
      if (isListed) throw new Unavailable('rail-unavailable');
      return;
    }
    const state = created(await this.completed(withdrawalId, context));
    // The withdrawal is not completed here yet, because the bank's completion could not be read. The next poll retries.
    if (state && state.status !== 'completed' && state.status !== 'rolled-back')
      throw new Unavailable('rail-unavailable');
    // A withdrawal that was rolled back may have debited its account, which then paid, not the house.
    const isPaid = state?.status === 'completed' || (!!state && (await this.ledgerAccounts.wasDebited(state.terms)));
    const counted = state && isPaid ? await this.returns.count(state.terms, payment.returns, context) : NONE;
    const unallocated = unallocatedReason(state, isPaid) ?? (await this.closedReason(state, context));
    for (const one of payment.returns) {
      const facts = state ? factsOf(state.terms, one) : await this.unknownFacts(one, withdrawalId);
      const before = counted.get(one.returnId);
      if (before && before.amount !== facts.amount) {
        this.contradictions.reportOnce('return-amount', subjectOf(facts, withdrawalId), context);
        continue;
      }
      const reason = before?.exceeds ? 'exceeds-payment' : unallocated;
      if (reason === null) await this.create(facts, withdrawalId, context);
      else if (
        await this.create({ ...facts, accountId: null, parentId: null, unallocated: reason }, withdrawalId, context)
      )
        this.logger.error(
          { ...logged(context), paymentId, depositId: facts.depositId, unallocated: reason },
          'the bank returned a payment that no account may receive: staff must handle it',
        );
    }
  }

  /** The bank had made the payment, and refuses it now. Only the bank can say what is true. */
  private async reportIfCompleted(withdrawalId: string, paymentId: string, context: RequestContext): Promise<void> {
    if ((await this.withdrawals.load(withdrawalId)).status === 'completed')
      this.contradictions.reportOnce('payment-posted', { withdrawalId, paymentId }, context);
  }

  /** A closed account could not spend the money, so it goes to the holder outside of Ponte. */
  private async closedReason(
    state: CreatedWithdrawal | undefined,
    context: RequestContext,
  ): Promise<UnallocatedReason | null> {
    const account = state && (await this.accounts.get(state.terms.accountId, context));
    return account?.status === 'closed' ? 'account-closed' : null;
  }

  private async completed(withdrawalId: string, context: RequestContext): Promise<Withdrawal> {
    const state = await this.withdrawals.load(withdrawalId);
    if (state.status !== 'processing') return state;
    await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context));
    return this.withdrawals.load(withdrawalId);
  }

  /**
   * Returns false if a deposit with this id already exists. That deposit stays, even if it belongs to another account
   * or payment.
   */
  private async create(facts: ReturnFacts, withdrawalId: string, context: RequestContext): Promise<boolean> {
    const { depositId } = facts;
    const { state, events, replayed } = await this.deposits.handle(
      depositId,
      (now) => ({ kind: 'create', facts: { ...facts, createdAt: now } }),
      step(context, 'receive', depositId),
    );
    if (state.status !== 'none' && !isSameReturn(state.facts, facts))
      this.contradictions.reportOnce('return-id', subjectOf(facts, withdrawalId), context);
    return events.length > 0 && !replayed;
  }

  /** The payee of the payment is unknown, so nothing of it is stored. */
  private async unknownFacts({ returnId, amount, returnedAt }: PayoutReturn, target: string): Promise<ReturnFacts> {
    const depositId = depositIdOf(returnId);
    const payer = { taxId: null, legalName: '', bankCode: '', branchCode: '', accountNumber: '', accountType: '' };
    return {
      ...{ depositId, accountId: null, parentId: null, orderId: null },
      type: returnId.startsWith('D') ? 'pix' : 'ted',
      asset: 'fiat/brl',
      amount: Money.parse('fiat/brl', amount).toString(),
      endToEndId: returnId,
      settledAt: returnedAt,
      coordinates: await this.sealing.payer(depositId, payer, target, null),
    };
  }
}

type ReturnFacts = Omit<DepositFacts, 'createdAt'>;

const NONE: CountedReturns = new Map();

function factsOf(
  { withdrawalId, accountId, parentId, orderId, asset, target }: WithdrawalTerms,
  { returnId, amount, returnedAt }: PayoutReturn,
): ReturnFacts {
  if (target.method === 'token') throw new TypeError('a bank cannot return tokens');
  const {
    payee: { legalName, taxId, taxIdFingerprint, bankCode, branchCode, accountNumber },
  } = target;
  return {
    depositId: depositIdOf(returnId),
    accountId,
    parentId,
    orderId: null,
    withdrawalId,
    ...(orderId === undefined ? {} : { returnedOrderId: orderId }),
    type: target.method,
    asset,
    amount: Money.parse(asset, amount).toString(),
    endToEndId: returnId,
    settledAt: returnedAt,
    coordinates: {
      sourceTaxId: taxId,
      sourceTaxIdFingerprint: taxIdFingerprint,
      sourceLegalName: legalName,
      sourceBankCode: bankCode,
      sourceType: target.method,
      sourceAccountNumber: accountNumber,
      sourceBranchCode: branchCode,
      target: withdrawalId,
    },
  };
}

/** The reason, according to the withdrawal, why no account may receive the returns, or null. */
const unallocatedReason = (state: CreatedWithdrawal | undefined, isPaid: boolean): UnallocatedReason | null =>
  state ? (isPaid ? null : 'payment-refused') : 'unknown-payment';

/** Whether the deposit belongs to this return, not to another payment for which the bank uses the same id. */
const isSameReturn = (deposit: ReturnFacts, facts: ReturnFacts): boolean =>
  deposit.amount === facts.amount && targetOf(deposit) === targetOf(facts);

/** The id of the withdrawal whose payment came back, even if no such withdrawal exists. */
const targetOf = ({ coordinates }: ReturnFacts): string | null =>
  isBankCoordinates(coordinates) ? coordinates.target : null;

const subjectOf = ({ depositId, endToEndId }: ReturnFacts, withdrawalId: string) => ({
  withdrawalId,
  depositId,
  endToEndId: endToEndId ?? undefined,
});
