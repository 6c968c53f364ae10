import { Inject, Injectable } from '@nestjs/common';
import type {
  AddressSubject,
  DecimalText,
  MovementReceiver,
  ScreeningOutcome,
  TokenMovementPurpose,
} from '@ponte/contracts';
import { FindAddressHits, ScreenAddress } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';

/** The target of a transfer. `receiver` is set when the address is one of our wallets. */
interface Target {
  readonly accountId: string;
  readonly chain: Chain;
  /** What is sent; null for an NFT. */
  readonly asset: AssetId | null;
  readonly amount: DecimalText | null;
  readonly targetAddress: string;
  readonly receiver: MovementReceiver | null;
}

/** Screens targets with the ledger, which has the list of sanctioned addresses and the reviews. */
@Injectable()
export class ScreenTarget {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  /**
   * Whether tokens may be sent to the address. Our own wallets are not screened: their holders are known, and are
   * frozen instead. Each request has its own command id, because the list may have changed since the last one.
   */
  async outcome(
    subject: AddressSubject,
    { accountId, chain, asset, amount, targetAddress: address, receiver }: Target,
    context: RequestContext,
    commandId: string,
  ): Promise<ScreeningOutcome> {
    if (receiver !== null) return 'clear';
    const stepContext = withCommandId(commandId, context);
    const screened = { subject, accountId, address, chain, asset, amount };
    return (await this.bus.request(ScreenAddress, screened, stepContext)).outcome;
  }

  /** Whether a sanctions list names the target of a movement. Opens no review. */
  async isListed({ to, receiver }: TokenMovementPurpose, context: RequestContext): Promise<boolean> {
    if (receiver !== null) return false;
    return (await this.bus.request(FindAddressHits, { addresses: [to] }, context)).found.length > 0;
  }
}
