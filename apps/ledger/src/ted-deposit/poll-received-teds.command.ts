import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { Money, Unavailable, uuidFromCompact } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { Accounts, openHolderOf } from '../deposit/pix-accounts.service';
import { Deposits } from '../deposit/deposits.repository';
import type { PollRun } from '../payouts/bank-polls.service';
import { BankPolls } from '../payouts/bank-polls.service';
import type { BankList } from '../payouts/bank-reading';
import { PayoutContradictions } from '../payouts/payout-contradictions.service';
import { callRepeatable } from '../payouts/rail';
import { PersonSealing } from '../person/person-sealing.service';
import { step } from '../steps';
import type { DepositFacts } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { INCOMING_TEDS } from './incoming-teds.port';
import type { IncomingTeds } from './incoming-teds.port';

/** Polls the bank for TEDs since the last poll and creates a deposit for each, which is processed like a Pix. */
export class PollReceivedTedsCommand extends PayloadCommand<PollRun> {}

/** Stores the time up to which the bank was polled. */
export const RECEIVED_TEDS_READER = 'ledger-received-teds';

@CommandHandler(PollReceivedTedsCommand)
export class PollReceivedTedsHandler implements ICommandHandler<PollReceivedTedsCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly accounts: Accounts,
    private readonly sealing: PersonSealing,
    private readonly polls: BankPolls,
    private readonly contradictions: PayoutContradictions,
    @Inject(INCOMING_TEDS) private readonly bank: IncomingTeds,
  ) {}

  async execute({ payload, context }: PollReceivedTedsCommand): Promise<void> {
    const list: BankList = {
      page: (window) => this.bank.list(window),
      record: (tedId) => this.receive(tedId, context),
    };
    await this.polls.poll({ ...payload, reader: RECEIVED_TEDS_READER, lists: [list] }, context);
  }

  /** The identifier names the account. The payer is validated like that of a Pix. */
  private async receive(tedId: string, context: RequestContext): Promise<void> {
    const depositId = depositIdOf(tedId);
    const known = await this.deposits.load(depositId);
    if (known.status !== 'none') return this.compare(tedId, known.facts, context);
    const ted = await callRepeatable(() => this.bank.get(tedId));
    if (!ted) throw new Unavailable('rail-unavailable');
    const named = ted.identifier === null ? undefined : uuidFromCompact(ted.identifier.toUpperCase());
    const account = named === undefined ? null : await this.accounts.get(named, context);
    const facts = {
      depositId,
      accountId: account?.accountId ?? null,
      parentId: account?.parentId ?? null,
      orderId: null,
      type: 'ted',
      asset: 'fiat/brl',
      amount: Money.parse('fiat/brl', ted.amount).toString(),
      endToEndId: tedId,
      settledAt: ted.settledAt,
      coordinates: await this.sealing.payer(depositId, ted.payer, ted.identifier ?? '', openHolderOf(account)),
    } as const;
    await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'create', facts: { ...facts, createdAt: now } }),
      step(context, 'receive', depositId),
    );
  }

  /**
   * The deposit stays. But one of our payments that was returned must not be listed among received TEDs: Ponte sends
   * most of those back.
   */
  private compare(tedId: string, { depositId, withdrawalId }: DepositFacts, context: RequestContext): void {
    if (withdrawalId !== undefined)
      this.contradictions.reportOnce('return-received', { withdrawalId, depositId, endToEndId: tedId }, context);
  }
}
