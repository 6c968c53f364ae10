import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Checkpoints, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Money, Unavailable, fromIso, isoTime, uuidFromCompact } from '@ponte/kernel';
import { CHECKPOINTS, CLOCK, LOGGER, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { Accounts } from '../deposit/pix-accounts';
import { Deposits } from '../deposit/deposits.repository';
import { each } from '../each';
import { asked } from '../payouts/rail';
import { SealPayer } from '../deposit/seal-payer';
import { step } from '../steps';
import { depositIdOf } from '../deposit/deposit.state';
import { INCOMING_TEDS } from './incoming-teds.port';
import type { IncomingTeds } from './incoming-teds.port';

/** Asks the bank which TEDs came since the last look, and makes each a deposit. From there it goes on as a Pix does. */
export class PollReceivedTedsCommand extends PayloadCommand<{ readonly fence: number }> {}

/** Keeps the time up to which the bank was asked. */
export const RECEIVED_TEDS_READER = 'ledger-received-teds';
const OVERLAP_MS = 10 * 60_000;
const AHEAD_MS = 60_000;
const FIRST_LOOK_BACK_MS = 24 * 60 * 60 * 1000;
const MAX_PAGES = 1_000;

@CommandHandler(PollReceivedTedsCommand)
export class PollReceivedTedsHandler implements ICommandHandler<PollReceivedTedsCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly accounts: Accounts,
    private readonly payers: SealPayer,
    @Inject(INCOMING_TEDS) private readonly bank: IncomingTeds,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The mark moves only after every TED of the window is a deposit. */
  async execute({ payload: { fence }, context }: PollReceivedTedsCommand): Promise<void> {
    const now = this.clock.now();
    const mark = await this.checkpoints.load(RECEIVED_TEDS_READER);
    const since = mark === undefined ? now - FIRST_LOOK_BACK_MS : Math.min(fromIso(mark), now) - OVERLAP_MS;
    let failed = 0;
    let failure: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { tedIds, lastPage } = await asked(() =>
        this.bank.list({ from: isoTime(since), to: isoTime(now + AHEAD_MS), page }),
      );
      try {
        await each(tedIds, async (tedId) => {
          if (!(await this.receivedOrPoison(tedId, context))) failed += 1;
        });
      } catch (error) {
        // A TED that the bank does not give now does not keep those of later pages back.
        failure ??= error;
      }
      if (!lastPage) continue;
      if (failure !== undefined) throw failure;
      if (failed === 0) await this.checkpoints.save(RECEIVED_TEDS_READER, isoTime(now), fence);
      return;
    }
    throw new Error('the list of received TEDs does not end');
  }

  /** False when this one cannot be taken in: a person has to look, and the others go on. */
  private async receivedOrPoison(tedId: string, context: RequestContext): Promise<boolean> {
    try {
      await this.receive(tedId, context);
      return true;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      this.logger.error(
        { ...logged(context), failure: error instanceof Error ? error.name : typeof error },
        'a received TED cannot be taken in; it is tried again at each look',
      );
      return false;
    }
  }

  /** The identifier names the account; the payer is judged as that of a Pix. */
  private async receive(tedId: string, context: RequestContext): Promise<void> {
    const depositId = depositIdOf(tedId);
    if ((await this.deposits.load(depositId)).status !== 'none') return;
    const ted = await asked(() => this.bank.get(tedId));
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
      coordinates: await this.payers.coordinates(depositId, ted.payer, ted.identifier ?? ''),
    } as const;
    await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'create', facts: { ...facts, createdAt: now } }),
      step(context, 'receive', depositId),
    );
  }
}
