import { assetOf, refuse } from '@ponte/kernel';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { ServedChain, ServedChains } from '../chain/served-chains.port';
import { AnvilOutsideSender } from './anvil.outside-sender.adapter';
import type { OutsideSender, OutsideTransfer } from './outside-sender.port';
import { SimulatedOutsideSender } from './simulated.outside-sender.adapter';

/** The outside sender of every chain that the sandbox runs itself. */
export function outsideSender(chains: ServedChains): OutsideSender {
  const senders = new Map(chains.all.map((served) => [served.evm.chain, senderOn(served)]));
  return {
    send(transfer: OutsideTransfer) {
      const { chain } = assetOf(transfer.asset);
      const sender = chain && senders.get(chain);
      return sender
        ? sender.send(transfer)
        : refuse(
            'asset-not-supported',
            'token deposits are simulated only on the chains that the sandbox runs: send tokens to the wallet instead',
            'asset',
          );
    },
  };
}

function senderOn(served: ServedChain): OutsideSender | null {
  const url = served.url ?? served.outsiderUrl;
  if (url !== undefined) return new AnvilOutsideSender(served, url);
  return served.evm instanceof SimulatedChain ? new SimulatedOutsideSender(served.evm) : null;
}
