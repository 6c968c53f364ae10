import { Inject, Injectable } from '@nestjs/common';
import { waitUntil } from '@ponte/concurrency';
import { ReleaseHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { Transfers } from '../transfer/transfer.repository';

/** How long a request waits for one that runs under the same key with another amount. */
const CONCURRENT_ATTEMPT_MS = 1_000;

/** Releases a hold that no transfer owns. */
@Injectable()
export class GiveUpHold {
  constructor(
    private readonly transfers: Transfers,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /**
   * Whether the request that placed the hold has come to its end, or does soon: the transfer is created, or the hold is
   * abandoned.
   */
  isDecided(transferId: string, holdId: string): Promise<boolean> {
    return waitUntil(async () => {
      const state = await this.transfers.load(transferId);
      return state.status !== 'absent' || state.abandoned.includes(holdId);
    }, CONCURRENT_ATTEMPT_MS);
  }

  /**
   * First records in the transfer's stream that no transfer can use the hold any more, then releases the hold. `owned`
   * when the transfer was created with it after all; the hold then remains.
   */
  async execute(
    {
      transferId,
      accountId,
      holdId,
    }: { readonly transferId: string; readonly accountId: string; readonly holdId: string },
    context: RequestContext,
  ): Promise<{ readonly owned: boolean }> {
    const step = (name: string) => ({
      ...stepContext(context, 'transfer', name, holdId),
      deadline: undefined,
    });
    const state = await this.transfers.execute(
      transferId,
      (at) => ({ kind: 'abandon', transferId, accountId, holdId, at }),
      step('abandon'),
    );
    if (state.status !== 'absent' && state.terms.holdId === holdId) return { owned: true };
    await this.bus.request(
      ReleaseHold,
      { accountId, holdId, reason: 'transfer-not-created' },
      step('release-abandoned'),
    );
    return { owned: false };
  }
}
