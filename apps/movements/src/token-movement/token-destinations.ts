import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import type { MovementReceiver } from '@ponte/contracts';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { AccountWallets } from '../wallet/account-wallets';

/** The message with which a house address is refused as a target. */
export const IS_OF_THE_HOUSE =
  'is a token, a contract, the treasury or an operator of the service, where nothing would be credited';

/** The house addresses on a chain. Customers cannot send there: no account would be credited. */
@Injectable()
export class HouseAddresses {
  constructor(
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  /**
   * Our contracts, the known tokens, the treasury's wallet and the operators, in lower case. Rejects with
   * `Unavailable` when the keystore does not answer.
   */
  async on(chain: Chain): Promise<ReadonlySet<string>> {
    const { evm } = this.chains.of(chain);
    const operators = await Promise.all(this.settings.operatorKeyIds.map((keyId) => this.signer.addressOf(keyId)));
    return new Set<string>([...evm.contracts, evm.walletAddress(saltOf(treasuryWalletId(chain))), ...operators]);
  }
}

/** A destination of tokens. */
export interface WantedDestination {
  readonly accountId: string;
  readonly chain: Chain;
  /** In lower case. */
  readonly address: string;
  /** The addresses that the tokens come from; null for all wallets of the account. */
  readonly sources: readonly string[] | null;
}

/** Checks to which addresses tokens of an account can be sent. */
@Injectable()
export class TokenDestinations {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly house: HouseAddresses,
  ) {}

  /**
   * The account whose wallet the address is; null when it is outside our custody. Refuses with `invalid-address` for a
   * house address, and `same-source-and-target` for a wallet that the tokens come from, both at `destination`.
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
