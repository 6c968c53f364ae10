import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { FreezeAccountAutomatically, ReorgedAfterCompletion } from '@ponte/contracts';
import type { MessageBus, Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { MESSAGE_BUS, Policy } from '@ponte/nest';

/** Freezes the account until staff release it, so that funds that a reorg removed cannot be spent. */
@Policy(ReorgedAfterCompletion)
export class WhenReorgedAfterCompletionFreezeAccount implements IEventHandler<Recorded<ReorgedAfterCompletion>> {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  async handle(event: Recorded<ReorgedAfterCompletion>): Promise<void> {
    const { purpose, chain, txHash } = event.data;
    const freeze = {
      accountId: purpose.accountId,
      reason: 'reorged-after-completion',
      evidence: `${chain} ${txHash}`,
    } as const;
    await this.bus.request(
      FreezeAccountAutomatically,
      freeze,
      causedBy(event, 'freeze-account', 'when-reorged-after-completion'),
    );
  }
}
