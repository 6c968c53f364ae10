import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Hold, ScreeningOutcome } from '@ponte/contracts';
import { isBankCoordinates, isTokenCoordinates } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { JudgeSender } from '../address-screening/judge-sender.service';
import type { Deposit, DepositFacts } from './deposit.state';
import { awaitsFinality, belongsToHolder, depositSourceOf, isForRules, isRefusedAsClosed } from './deposit.state';
import { depositPostingId } from '../ledger-account/ledger-account.commands';
import { paymentHoldId } from '../pix-charge/pix-charge.decider';
import { Accounts } from './pix-accounts.service';
import { Charges } from '../pix-charge/charges.repository';
import { Deposits } from './deposits.repository';
import { ValidateDeposit } from './validate-deposit.service';
import { SendReturn } from './send-return.service';
import { SettleTakeBack } from '../take-back/settle-take-back.service';
import { step } from '../steps';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/**
 * Advances a deposit as far as possible: validates, posts, credits or returns it. Each step is a command whose id
 * derives from the deposit, so this may be interrupted at any point, run twice and run concurrently.
 */
export class AdvanceDepositCommand extends PayloadCommand<{ readonly depositId: string }> {}

@CommandHandler(AdvanceDepositCommand)
export class AdvanceDepositHandler implements ICommandHandler<AdvanceDepositCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly charges: Charges,
    private readonly validator: ValidateDeposit,
    private readonly sendReturn: SendReturn,
    private readonly accounts: Accounts,
    private readonly takeBack: SettleTakeBack,
    private readonly sender: JudgeSender,
    private readonly ledgerAccounts: LedgerAccounts,
  ) {}

  async execute({ payload: { depositId }, context }: AdvanceDepositCommand): Promise<void> {
    let state = await this.deposits.load(depositId);
    // Every caller has already seen the deposit, so an absent one means that this process reads an old state.
    if (state.status === 'none') behindEvent(`deposit ${depositId}`, state.status);
    if (state.status === 'created' && isForRules(state.facts)) {
      const validation = await this.validator.validate(state.facts, context);
      state = await this.deposits.execute(
        depositId,
        (now) => ({ kind: 'validate', validation, now }),
        step(context, 'validate', depositId),
      );
    }
    if (state.status === 'confirmed' && !awaitsFinality(state)) {
      const outcome = await this.admit(state, context);
      if (outcome === 'waits') return;
      if (outcome === 'clear') await this.post(state, context);
      const kind = NEXT[outcome];
      state = await this.deposits.execute(depositId, (now) => ({ kind, now }), step(context, kind, depositId));
      if (outcome === 'refused') return;
    }
    if (isRefusedAsClosed(state)) await this.takeBack.keepOut(state, context);
    // The bank took the payment back while it was being posted.
    if (state.status === 'voided' && state.reason === 'taken-back' && state.facts.accountId !== null)
      await this.takeBack.reverse(depositId, state.facts.accountId, context);
    if (state.status === 'credited' && state.facts.orderId !== null && isBankCoordinates(state.facts.coordinates)) {
      const txid = state.facts.coordinates.target;
      const charge = await this.charges.execute(
        txid,
        { kind: 'note-held', depositId },
        step(context, 'note-held', depositId),
      );
      // The money was credited because the charge had accepted it.
      if (charge.status !== 'paid') behindEvent(`charge ${txid}`, charge.status);
    }
    if (state.status !== 'none') await this.sendReturn.once(state.facts, state, context);
  }

  /**
   * A deposit stays confirmed while the account is frozen; the release of the account advances it, and a timer retries.
   * If the account is closed instead, a payment goes back to its payer, and what belongs to the holder goes to
   * suspense. Tokens stay confirmed until staff set them aside.
   * A deposit that was posted before the freeze is credited now: after a month the account no longer remembers the
   * posting.
   */
  private async admit(
    state: Extract<Deposit, { status: 'confirmed' }>,
    context: RequestContext,
  ): Promise<ScreeningOutcome | 'closed'> {
    const { accountId, facts } = state;
    const account = (await this.accounts.get(accountId, context)) ?? behindEvent(`account ${accountId}`, 'absent');
    const isClosed = account.status === 'closed' && isEndedByClosing(facts);
    if (
      account.status === 'frozen' ||
      isClosed ||
      (account.status !== 'active' && isTokenCoordinates(facts.coordinates))
    ) {
      const { taken } = await this.ledgerAccounts.load(accountId);
      if (taken.has(depositPostingId(facts.depositId))) return 'clear';
      if (isClosed) return 'closed';
      if (account.status === 'frozen') return 'waits';
      // Compliance decides about a sender even if the account is closed: only then can staff set the tokens aside.
      return (await this.sender.outcome(state, context)) === 'refused' ? 'refused' : 'waits';
    }
    return this.sender.outcome(state, context);
  }

  /** Posts the deposit. A charge's payment is held for its order in the same event, so nothing else can spend it. */
  private async post(
    { facts, accountId }: Extract<Deposit, { status: 'confirmed' }>,
    context: RequestContext,
  ): Promise<void> {
    const { depositId, orderId, asset, amount, createdAt: since } = facts;
    const from = depositSourceOf(facts);
    const hold: Hold | null =
      orderId === null
        ? null
        : { holdId: paymentHoldId(depositId), owner: { kind: 'order', id: orderId }, asset, amount };
    await this.ledgerAccounts.execute(
      accountId,
      (now) => ({
        kind: 'post-deposit',
        accountId,
        depositId,
        credit: { asset, amount },
        hold,
        from,
        since,
        now,
      }),
      step(context, 'post', depositId),
    );
  }
}

/** How a deposit continues that does not wait. */
const NEXT = { clear: 'credit', refused: 'refuse-sender', closed: 'refuse-closed' } as const;

/**
 * Whether a closed account ends the deposit. Staff set tokens aside. An order's payment ends with it, by its own rules.
 */
const isEndedByClosing = (facts: DepositFacts): boolean =>
  belongsToHolder(facts) || (isForRules(facts) && isBankCoordinates(facts.coordinates) && facts.orderId === null);
