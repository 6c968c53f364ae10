import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { Money, Unavailable } from '@ponte/kernel';
import { LOGGER, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { Deposits } from '../deposit/deposits.repository';
import { asked } from './rail';
import { step } from '../steps';
import type { DepositFacts } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { AdvanceWithdrawalCommand } from '../withdrawal/advance-withdrawal.command';
import type { Withdrawal, WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { withdrawalIdOf } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { PAYOUTS } from './payouts.port';
import type { Payout, PayoutReturn, Payouts } from './payouts.port';

/** Money of a completed withdrawal came back. Creates a deposit, which names the withdrawal, for each return. */
export class ReceiveReturnedPaymentCommand extends PayloadCommand<{ readonly paymentId: string }> {}

@CommandHandler(ReceiveReturnedPaymentCommand)
export class ReceiveReturnedPaymentHandler implements ICommandHandler<ReceiveReturnedPaymentCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly deposits: Deposits,
    private readonly commands: CommandBus,
    @Inject(PAYOUTS) private readonly bank: Payouts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Only the id of the notice is used: the returns are read from the bank. */
  async execute({ payload: { paymentId }, context }: ReceiveReturnedPaymentCommand): Promise<void> {
    const withdrawalId = withdrawalIdOf(paymentId);
    const payment = withdrawalId === undefined ? undefined : await asked(() => this.bank.get(paymentId));
    if (withdrawalId === undefined || !payment || payment.returns.length === 0) return;
    const state = await this.completed(withdrawalId, context);
    if (state.status === 'absent' || state.status === 'abandoned') {
      this.logger.error({ ...logged(context), paymentId }, 'the bank returned a payment that no withdrawal made');
      return;
    }
    if (state.status === 'rolled-back') {
      this.logger.error(
        { ...logged(context), withdrawalId },
        'the bank returned a payment that it had refused: staff must handle it',
      );
      return;
    }
    // The withdrawal is not completed here yet, because the bank's completion could not be read. The next poll retries.
    if (state.status !== 'completed') throw new Unavailable('rail-unavailable');
    if (!covers(state.terms, payment)) {
      this.logger.error(
        { ...logged(context), withdrawalId },
        'the bank returned more than was paid: staff must handle it',
      );
      return;
    }
    for (const one of payment.returns) await this.receive(state.terms, one, context);
  }

  private async completed(withdrawalId: string, context: RequestContext): Promise<Withdrawal> {
    const state = await this.withdrawals.load(withdrawalId);
    if (state.status !== 'processing') return state;
    await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context));
    return this.withdrawals.load(withdrawalId);
  }

  private async receive(
    { withdrawalId, accountId, parentId, asset, target }: WithdrawalTerms,
    { returnId, amount, returnedAt }: PayoutReturn,
    context: RequestContext,
  ): Promise<void> {
    if (target.method === 'token') throw new TypeError('a bank cannot return tokens');
    const depositId = depositIdOf(returnId);
    const {
      payee: { legalName, taxId, taxIdFingerprint, bankCode, branchCode, accountNumber },
    } = target;
    const facts: Omit<DepositFacts, 'createdAt'> = {
      depositId,
      accountId,
      parentId,
      orderId: null,
      withdrawalId,
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
    await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'create', facts: { ...facts, createdAt: now } }),
      step(context, 'receive', depositId),
    );
  }
}

/** Returns must never add up to more than the payment. */
function covers({ asset, amount }: WithdrawalTerms, { returns }: Payout): boolean {
  const returned = returns.reduce((sum, one) => sum.plus(Money.parse(asset, one.amount)), Money.zero(asset));
  return returned.compare(Money.stored(asset, amount)) <= 0;
}
