import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';

/** Why one of them is refused as a target. */
export const IS_OF_THE_HOUSE =
  'is a token, a contract, the treasury or an operator of the service, where nothing would be credited';

/** The addresses of the house on a chain. Customers cannot send there: no account would be credited. */
@Injectable()
export class HouseAddresses {
  constructor(
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  /**
   * Our contracts, the known tokens, the treasury's wallet and the operators, in lower case. Rejects with
   * `Unavailable` when the key store does not answer.
   */
  async on(chain: Chain): Promise<ReadonlySet<string>> {
    const { evm } = this.chains.of(chain);
    const operators = await Promise.all(this.settings.operatorKeyIds.map((keyId) => this.signer.addressOf(keyId)));
    return new Set<string>([...evm.contracts, evm.walletAddress(saltOf(treasuryWalletId(chain))), ...operators]);
  }
}
