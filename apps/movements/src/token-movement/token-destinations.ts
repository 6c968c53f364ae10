import { Injectable } from '@nestjs/common';
import type { MovementReceiver } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { AccountWallets } from '../wallet/account-wallets';
import { HouseAddresses, IS_OF_THE_HOUSE } from './house-addresses';

/** Where tokens are to go. */
export interface WantedDestination {
  readonly accountId: string;
  readonly chain: Chain;
  /** In lower case. */
  readonly address: string;
  /** The addresses that they come from; null for all wallets of the account. */
  readonly sources: readonly string[] | null;
}

/** Which addresses tokens of an account can go to. */
@Injectable()
export class TokenDestinations {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly house: HouseAddresses,
  ) {}

  /**
   * Whose wallet with us the address is; null when it is outside our custody. Refuses `invalid-address` for an address
   * of the house, and `same-source-and-target` for a wallet that the tokens come from, both at `destination`.
   */
  async receiverAt({ accountId, chain, address, sources }: WantedDestination): Promise<MovementReceiver | null> {
    if ((await this.house.on(chain)).has(address)) refuse('invalid-address', IS_OF_THE_HOUSE, 'destination');
    const receiver = await this.wallets.receiverAt(chain, address);
    // When all wallets of the account are sources, nothing would leave the account.
    const isSource = sources === null ? receiver?.accountId === accountId : sources.includes(address);
    if (isSource) refuse('same-source-and-target', 'is a wallet that the tokens come from', 'destination');
    return receiver;
  }
}
