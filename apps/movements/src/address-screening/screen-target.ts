import { Inject, Injectable } from '@nestjs/common';
import type { AddressSubject, MovementReceiver, ScreeningOutcome } from '@ponte/contracts';
import { ScreenAddress } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';

/** What a transfer goes to. `receiver` is set when the address is a wallet with us. */
export interface Target {
  readonly accountId: string;
  readonly chain: Chain;
  readonly targetAddress: string;
  readonly receiver: MovementReceiver | null;
}

/** Asks the ledger, which has the list of sanctioned addresses and the reviews. */
@Injectable()
export class ScreenTarget {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  /**
   * Whether the address may be sent to. A wallet with us is not screened: its owner is known, and is frozen instead.
   * Each question has its own command id, because the list may have changed since the last one.
   */
  async outcome(
    subject: AddressSubject,
    { accountId, chain, targetAddress: address, receiver }: Target,
    context: RequestContext,
    commandId: string,
  ): Promise<ScreeningOutcome> {
    if (receiver !== null) return 'clear';
    const asked = withCommandId(commandId, context);
    return (await this.bus.request(ScreenAddress, { subject, accountId, address, chain }, asked)).outcome;
  }
}
