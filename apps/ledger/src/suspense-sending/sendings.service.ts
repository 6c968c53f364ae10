import { Inject, Injectable } from '@nestjs/common';
import type { DecideSuspenseSettlementPayload, FailedReturn, ProposeSuspenseSendingPayload } from '@ponte/contracts';
import { CheckTokenMovement } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import type { AddressScreening } from '../address-screening/address-screening.port';
import { ADDRESS_SCREENING } from '../address-screening/address-screening.port';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { failedReturnOf } from '../suspense/failed-return.mapper';
import type { DepositInSuspense } from '../suspense/suspense.domain';
import { inSuspense } from '../suspense/suspense.domain';
import { isOfTokens, isStarted } from './sending.domain';

/** Two staff members say where tokens in suspense go. */
@Injectable()
export class SuspenseSendings {
  constructor(
    private readonly deposits: Deposits,
    @Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async propose(
    { depositId, destination: typed, reference, staffId }: ProposeSuspenseSendingPayload,
    context: RequestContext,
  ): Promise<FailedReturn> {
    const known = inSuspense(await this.deposits.load(depositId));
    if (!isOfTokens(known)) refuse('method-asset-mismatch', 'the money is at the bank', 'id');
    await this.assertSendable(known, typed, context);
    const terms = { destination: typed.toLowerCase(), reference, staffId };
    const proposing = (now: string) => ({ kind: 'propose-sending', ...terms, now }) as const;
    return failedReturnOf(inSuspense(await this.deposits.execute(depositId, proposing, context)));
  }

  /** Checks the address again: since the proposal, a list may name it, or the account that has it may be closed. */
  async confirm(payload: DecideSuspenseSettlementPayload, context: RequestContext): Promise<FailedReturn> {
    const { depositId, proposal, staffId } = payload;
    const known = inSuspense(await this.deposits.load(depositId));
    const { sending } = known.suspense;
    if (sending?.confirmedBy === null) await this.assertSendable(known, sending.destination, context);
    const confirming = (now: string) => ({ kind: 'confirm-sending', proposal, staffId, now }) as const;
    const after = isStarted(known, proposal) ? known : await this.deposits.execute(depositId, confirming, context);
    return failedReturnOf(inSuspense(after));
  }

  async reject(payload: DecideSuspenseSettlementPayload, context: RequestContext): Promise<FailedReturn> {
    const { depositId, proposal, staffId } = payload;
    const rejecting = (now: string) => ({ kind: 'reject-sending', proposal, staffId, now }) as const;
    return failedReturnOf(inSuspense(await this.deposits.execute(depositId, rejecting, context)));
  }

  private async assertSendable(
    { facts: { depositId, accountId, asset, amount } }: DepositInSuspense,
    destination: string,
    context: RequestContext,
  ): Promise<void> {
    if (accountId === null) throw new Error(`deposit ${depositId} is of tokens and of no account`);
    const movement = { accountId, asset, amount, destination };
    const asking = step(context, 'check-movement', depositId);
    const { violations } = await this.bus.request(CheckTokenMovement, movement, asking);
    refuseAll(violations.map((one) => (one.path === 'destination' ? { ...one, path: 'destination-address' } : one)));
    // Staff can name another address, so there is no review of this one.
    if (this.screening.screen(destination.toLowerCase()).length > 0)
      refuse('address-refused', 'a sanctions list names the address', 'destination-address');
  }
}
