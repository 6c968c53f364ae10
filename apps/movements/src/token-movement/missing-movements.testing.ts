import type { PayloadOf, Recorded } from '@ponte/event-sourcing';
import type { StartedSuspenseSending, TransactionConfirmed, WithdrawalRecord } from '@ponte/contracts';
import {
  GetAnyWithdrawal,
  HandleTransactionEnd,
  HasSuspenseSendingEnded,
  ListStartedSuspenseSendings,
  ListStartedWithdrawals,
} from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime, Unavailable } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { OWNER, uuid } from '../testing/certificates-under-test';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { RequestMissingMovements } from './request-missing-movements.job';

const MINUTE = 60_000;

/** The movements service, new for each test, with a ledger that has at most one withdrawal and one suspense sending. */
export class SweepsUnderTest {
  readonly service = TransfersUnderTest.forEachTest();
  /** The token withdrawal that is processing, if any. */
  withdrawal: WithdrawalRecord | null = null;
  /** The tokens in suspense that are being sent, if any, and since when. */
  sending: (StartedSuspenseSending & { readonly startedAt: string }) | null = null;
  /** Whether the ledger answers requests about one withdrawal. */
  answers = true;
  /** Whether the ledger lists withdrawals. */
  lists = true;
  /** Whether the ledger gets the ends of the transactions. */
  learnsEnds = true;
  /** The ends of transactions that the ledger was asked to handle again. */
  handled: PayloadOf<typeof HandleTransactionEnd>[] = [];
  /** The kinds of resources whose last sweep has failed. */
  failed: string[] = [];

  static forEachTest(): SweepsUnderTest {
    const sweeps = new SweepsUnderTest();
    beforeEach(() => sweeps.answer());
    return sweeps;
  }

  startWithdrawal(): void {
    this.withdrawal = {
      ...{ id: uuid(), accountId: OWNER, asset: ASSET, amount: '1', method: 'token', state: 'processing' },
      stateUpdatedAt: isoTime(this.clock.now()),
      target: { method: 'token', destinationWalletAddress: OUTSIDE },
    } as WithdrawalRecord;
  }

  startSending(): void {
    const movement = { movementId: uuid(), accountId: OWNER, asset: ASSET, amount: '1', destination: OUTSIDE } as const;
    this.sending = { depositId: uuid(), proposal: 1, ...movement, startedAt: isoTime(this.clock.now()) };
  }

  /** Runs the sweeps some minutes from now, and returns how many movements lacked their transaction or its end. */
  async sweep(minutes = 3): Promise<number | undefined> {
    const { movements } = this.service;
    const later = this.clock.now() + minutes * MINUTE;
    const now = jest.spyOn(this.clock, 'now').mockReturnValue(later);
    this.failed = [];
    const job = movements.part(RequestMissingMovements);
    for (const one of job.sweeps) await job.sweep(one, movements.context()).catch(() => void this.failed.push(one.of));
    now.mockRestore();
    return movements.value('ponte_movements_without_transaction');
  }

  private get clock(): Clock {
    return this.service.movements.part<Clock>(CLOCK);
  }

  private answer(): void {
    Object.assign(this, { withdrawal: null, sending: null, answers: true, lists: true, learnsEnds: true, handled: [] });
    const { bus } = this.service.movements;
    bus.handle(ListStartedWithdrawals.pattern, async (payload) => {
      if (!this.lists) throw new Unavailable('service-unavailable');
      const { startedBefore, after } = payload as PayloadOf<typeof ListStartedWithdrawals>;
      const { withdrawal } = this;
      if (!withdrawal || after || withdrawal.stateUpdatedAt > startedBefore || this.isEnded(withdrawal.id))
        return { withdrawals: [] };
      return { withdrawals: [{ withdrawalId: withdrawal.id, startedAt: withdrawal.stateUpdatedAt }] };
    });
    bus.handle(GetAnyWithdrawal.pattern, async () => {
      if (!this.answers) throw new Unavailable('service-unavailable');
      return this.withdrawal;
    });
    bus.handle(ListStartedSuspenseSendings.pattern, async (payload) => {
      const { startedBefore } = payload as PayloadOf<typeof ListStartedSuspenseSendings>;
      const { sending } = this;
      const isOpen = sending && sending.startedAt <= startedBefore && !this.isEnded(sending.movementId);
      return { items: isOpen ? [sending] : [], next: null };
    });
    bus.handle(HasSuspenseSendingEnded.pattern, async () => ({ ended: false }));
    bus.handle(HandleTransactionEnd.pattern, async (payload) => {
      if (!this.answers) throw new Unavailable('service-unavailable');
      this.handled.push(payload as PayloadOf<typeof HandleTransactionEnd>);
      return {};
    });
  }

  /** Whether the ledger knows that the movement has ended. */
  private isEnded(movementId: string): boolean {
    if (!this.learnsEnds) return this.handled.some((one) => one.movementId === movementId);
    const ends = this.service.movements.ofType('TransactionConfirmed') as Recorded<TransactionConfirmed>[];
    return ends.some(({ data }) => data.purpose.id === movementId);
  }
}
