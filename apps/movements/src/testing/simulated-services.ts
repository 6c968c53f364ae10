import { pause } from '@ponte/concurrency';
import type { AccountStatus, Hold, ScreenAddressPayload, ScreeningOutcome } from '@ponte/contracts';
import {
  FreezeAccountAutomatically,
  GetAccount,
  GetRewardTier,
  ListAccountHolds,
  PlaceHold,
  PostTokenMovement,
  ReleaseHold,
  ScreenAddress,
} from '@ponte/contracts';
import type { MessageBus, PayloadOf } from '@ponte/event-sourcing';
import { Unavailable, derivedId, refuse } from '@ponte/kernel';

export const OWNER = derivedId('account', 'owner');
export const OTHER = derivedId('account', 'other');
export const PARENT = derivedId('account', 'parent');

/** The answers of onboarding and the ledger to movements. */
export class SimulatedServices {
  /** Statuses of the accounts, which a test can change. */
  readonly statuses = new Map<string, AccountStatus>([
    [OWNER, 'active'],
    [OTHER, 'active'],
  ]);
  readonly frozen: string[] = [];
  /** Screening outcomes by transfer or address. Everything else is clear. */
  readonly outcomes = new Map<string, ScreeningOutcome>();
  /** Addresses that were screened. */
  readonly screened: string[] = [];
  /** The requests to screen them. */
  readonly screenings: ScreenAddressPayload[] = [];
  /** Open holds. */
  readonly holds = new Set<string>();
  /** The amounts of all holds that were ever placed, by id. */
  readonly heldAmounts = new Map<string, string>();
  /** The requests for holds. */
  readonly holdRequests: PayloadOf<typeof PlaceHold>[] = [];
  /** Holds that other orders, transfers and withdrawals have placed. */
  readonly others: Hold[] = [];
  /** Runs before a hold is placed. It may place another one first, or refuse this one. */
  beforeHold: () => void = () => undefined;
  /** Whether the ledger places holds. If not, it refuses with an insufficient balance. */
  funded = true;
  /** How long the ledger takes to answer that a hold is placed, in milliseconds. */
  placingTakesMs = 0;
  /** How many of the next requests to release a hold the ledger does not answer. */
  unansweredReleases = 0;
  /** Movements that the ledger has posted. */
  readonly posted: PayloadOf<typeof PostTokenMovement>[] = [];

  answer(bus: MessageBus): void {
    bus.handle(GetAccount.pattern, async (payload) => {
      const { accountId } = payload as { accountId: string };
      const status = this.statuses.get(accountId);
      return status === undefined ? null : { accountId, parentId: PARENT, status };
    });
    bus.handle(ScreenAddress.pattern, async (payload) => {
      const screening = payload as ScreenAddressPayload;
      const { subject, address } = screening;
      this.screened.push(address);
      this.screenings.push(screening);
      return { outcome: this.outcomes.get(subject.id) ?? this.outcomes.get(address) ?? 'clear' };
    });
    bus.handle(PlaceHold.pattern, async (payload) => {
      const request = payload as PayloadOf<typeof PlaceHold>;
      this.holdRequests.push(request);
      this.beforeHold();
      const { holdId, amount } = request.hold;
      const before = this.heldAmounts.get(holdId);
      if (before !== undefined && (before !== amount || !this.holds.has(holdId)))
        refuse('hold-not-open', 'another hold has this id');
      if (!this.funded) refuse('insufficient-balance', 'the available balance is not enough', 'amount');
      this.holds.add(holdId);
      this.heldAmounts.set(holdId, amount);
      await pause(this.placingTakesMs);
      return { holdId };
    });
    bus.handle(ListAccountHolds.pattern, async () => ({ holds: this.others }));
    bus.handle(ReleaseHold.pattern, async (payload) => {
      if (this.unansweredReleases > 0) {
        this.unansweredReleases -= 1;
        throw new Unavailable('service-unavailable');
      }
      return { released: this.holds.delete((payload as PayloadOf<typeof ReleaseHold>).holdId) };
    });
    bus.handle(PostTokenMovement.pattern, async (payload) => {
      const movement = payload as PayloadOf<typeof PostTokenMovement>;
      this.posted.push(movement);
      this.holds.delete(movement.holdId);
      return {};
    });
    bus.handle(GetRewardTier.pattern, async () => ({ rewardTier: 90 }));
    bus.handle(FreezeAccountAutomatically.pattern, async (payload) => {
      this.frozen.push((payload as { accountId: string }).accountId);
      return {};
    });
  }
}
