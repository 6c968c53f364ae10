import { Inject, Injectable } from '@nestjs/common';
import { waitUntil } from '@ponte/concurrency';
import type { AmountOf } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Aggregates, behindEvent, commandContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Refusal, addSeconds, fromIso, saoPauloDate } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { step } from '../steps';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { clientReference, clientReferenceId } from './client-reference.decider';
import { allowanceId, dailyAllowance } from '../daily-allowance/daily-allowance.decider';
import type { Withdrawal } from './withdrawal.state';
import { HoldAbandoned, created, isDecided, wasSigned } from './withdrawal.state';
import { limitOf } from '../daily-allowance/daily-limit';
import { Withdrawals } from './withdrawals.repository';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/** What a request has reserved or is about to reserve. */
export interface Reservation extends AmountOf {
  readonly withdrawalId: string;
  readonly accountId: string;
  readonly holdId: string;
  readonly externalId: string | null;
}

type HoldOwner = Pick<Reservation, 'withdrawalId' | 'accountId' | 'holdId'>;

/**
 * How long a request waits for one that runs under the same key with different terms, before it gives that one's hold
 * back.
 */
const CONCURRENT_ATTEMPT_MS = 1_000;
/** A claim on an external id is kept at least this long, because its request may still be running. */
const CLAIM_SECONDS = 120;

/**
 * The funds, daily allowance and external id of a withdrawal. They are reserved before it is created, and given back if
 * it is not created or is rolled back.
 */
@Injectable()
export class WithdrawalFunds {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly withdrawals: Withdrawals,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
  ) {}

  /**
   * Holds the amount. Refuses `insufficient-balance`, in which case nothing is written. Throws {@link HoldAbandoned} if
   * the hold has ended, or if another request under the same key placed it for another amount. That request may create
   * its withdrawal meanwhile; otherwise the hold is given back. Returns the day on which the hold was placed.
   */
  async hold(reservation: Reservation, context: RequestContext): Promise<string> {
    const { withdrawalId, accountId, holdId, asset, amount } = reservation;
    const hold = { holdId, owner: { kind: 'withdrawal', id: withdrawalId }, asset, amount } as const;
    const state = await this.ledgerAccounts
      .execute(
        accountId,
        (now) => ({ kind: 'place-hold', accountId, hold, now }),
        // The terms are part of the id, so that a repeated step with different terms is compared with the hold.
        stepWithDeadline(context, 'hold', holdId, asset, amount),
      )
      .catch(async (error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== 'hold-not-open') throw error;
        const ended = async () => isDecided(await this.withdrawals.load(withdrawalId), holdId);
        if (!(await waitUntil(ended, CONCURRENT_ATTEMPT_MS))) await this.abandon(reservation, context);
        throw new HoldAbandoned(holdId);
      });
    const placed = state.holds.get(holdId);
    if (!placed) throw new HoldAbandoned(holdId);
    return saoPauloDate(fromIso(placed.placedAt));
  }

  /**
   * Refuses `limit-exceeded` and `external-id-already-used`. Any failure after {@link hold} is undone by {@link
   * abandon}.
   */
  async claim(reservation: Reservation, date: string, context: RequestContext): Promise<void> {
    const { accountId, holdId, asset, amount } = reservation;
    await this.aggregates.handle(
      dailyAllowance,
      allowanceId(accountId, date, asset),
      { kind: 'take', accountId, date, asset, amount, holdId, limit: limitOf(this.settings, asset) },
      commandContext(stepWithDeadline(context, 'take-allowance', holdId), this.clock),
    );
    await this.reserveReference(reservation, stepWithDeadline(context, 'reserve-reference', holdId));
  }

  /**
   * Makes sure that the hold can never belong to a withdrawal, and gives it back. Does nothing if the withdrawal was
   * created with it. `date`: the day of the hold, for the request that may have made a {@link claim} for it. Another
   * request may have given the hold back before that claim, so nothing else would find it.
   */
  async abandon(reservation: Reservation, context: RequestContext, date?: string): Promise<void> {
    const state = await this.markAbandoned(reservation, context);
    if (created(state)?.terms.holdId === reservation.holdId) return;
    if (date !== undefined) await this.releaseClaim(reservation, date, context);
    await this.release(reservation, 'withdrawal-not-created', context);
  }

  /** Gives back what the abandoned attempts of a request still reserve, so that its next attempt is not refused. */
  async releaseAbandoned(
    { withdrawalId, accountId, holdIds }: Omit<HoldOwner, 'holdId'> & { readonly holdIds: ReadonlySet<string> },
    context: RequestContext,
  ): Promise<void> {
    if (holdIds.size === 0) return;
    const { holds } = await this.ledgerAccounts.load(accountId);
    for (const holdId of [...holdIds].filter((id) => holds.has(id)))
      await this.release({ withdrawalId, accountId, holdId, externalId: null }, 'withdrawal-not-created', context);
  }

  /** Gives back the allowance and the external id first: while the hold is open, the sweep finds it and retries. */
  async release(
    { withdrawalId, accountId, holdId, externalId }: Omit<Reservation, keyof AmountOf>,
    reason: string,
    context: RequestContext,
  ): Promise<void> {
    const state = await this.ledgerAccounts.load(accountId);
    const hold = state.holds.get(holdId);
    if (!hold) {
      if (!(await this.ledgerAccounts.hasTaken(accountId, holdId, state))) behindEvent(`hold ${holdId}`, 'not placed');
      return;
    }
    const { asset, amount, placedAt } = hold;
    const reservation = { withdrawalId, accountId, holdId, externalId, asset, amount };
    await this.releaseClaim(reservation, saoPauloDate(fromIso(placedAt)), context);
    await this.ledgerAccounts.execute(
      accountId,
      { kind: 'release-hold', accountId, holdId, reason },
      step(context, 'release', holdId),
    );
  }

  private async releaseClaim(reservation: Reservation, date: string, context: RequestContext): Promise<void> {
    const { withdrawalId, accountId, holdId, externalId, asset, amount } = reservation;
    const withdrawal = created(await this.withdrawals.load(withdrawalId));
    const isAbandoned = withdrawal?.terms.holdId !== holdId;
    const isCounted = withdrawal !== undefined && wasSigned(withdrawal, holdId);
    await this.aggregates.handle(
      dailyAllowance,
      allowanceId(accountId, date, asset),
      { kind: 'return', accountId, date, asset, amount, holdId, isCounted, isAbandoned },
      commandContext(step(context, 'return-allowance', holdId), this.clock),
    );
    if (externalId !== null && withdrawal?.terms.externalId !== externalId) {
      await this.aggregates.handle(
        clientReference,
        clientReferenceId(accountId, externalId),
        { kind: 'release', accountId, withdrawalId, holdId },
        commandContext(step(context, 'release-reference', holdId), this.clock),
      );
    }
  }

  /** Voids an old claim that no withdrawal uses first, so that no withdrawal can be created from it. */
  private async reserveReference(
    { accountId, withdrawalId, holdId, externalId }: Reservation,
    context: RequestContext,
  ): Promise<void> {
    if (externalId === null) return;
    const id = clientReferenceId(accountId, externalId);
    await this.aggregates.handle(
      clientReference,
      id,
      async (now: string) => {
        const { state } = await this.aggregates.load(clientReference, id);
        const isVoid =
          state.status === 'reserved' &&
          state.withdrawalId !== withdrawalId &&
          now >= addSeconds(state.since, CLAIM_SECONDS) &&
          (await this.voided(state, externalId, context));
        return { kind: 'reserve', accountId, withdrawalId, holdId, now, void: isVoid ? state.holdId : null } as const;
      },
      commandContext(context, this.clock),
    );
  }

  /** False if the withdrawal of the claim was created with this external id. */
  private async voided(claim: HoldOwner, externalId: string, context: RequestContext): Promise<boolean> {
    return created(await this.markAbandoned(claim, context))?.terms.externalId !== externalId;
  }

  private markAbandoned({ withdrawalId, accountId, holdId }: HoldOwner, context: RequestContext): Promise<Withdrawal> {
    return this.withdrawals.execute(
      withdrawalId,
      { kind: 'abandon', withdrawalId, accountId, holdId },
      step(context, 'abandon', holdId),
    );
  }
}

/** A step of a request that still waits for its answer, so it keeps the deadline. */
const stepWithDeadline = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...step(context, ...what),
  deadline: context.deadline,
});
