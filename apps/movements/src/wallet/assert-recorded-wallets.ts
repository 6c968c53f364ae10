import type { ServedChains } from '../chain/served-chains.port';
import { saltOf } from './wallet.decider';
import type { WalletReadModel } from './wallets.read-model';

/**
 * Rejects with an Error when the custody contract of a chain does not give a recorded wallet its recorded address,
 * which a customer may use: then the configured deployment is not the one of these wallets. Compares one wallet of each
 * chain, because all addresses follow from the same contract. Asks no node.
 */
export async function assertRecordedWallets(chains: ServedChains, wallets: WalletReadModel): Promise<void> {
  for (const { evm, custody } of chains.all) {
    const recorded = await wallets.anyOn(evm.chain);
    if (recorded === undefined) continue;
    const address = evm.walletAddress(saltOf(recorded.id));
    if (address !== recorded.address)
      throw new Error(
        `the custody contract ${custody} on ${evm.chain} gives wallet ${recorded.id} the address ${address}, but its ` +
          `customer has ${recorded.address}: configure the deployment with which the wallets were created`,
      );
  }
}
