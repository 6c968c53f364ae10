import type { Abi } from 'viem';
import { encodeEventTopics } from 'viem';
import type { Hex, ReferenceTaker } from '../../chain.port';
import { CUSTODY_ABI, MINTER_ABI, SELECTORS } from './abi';
import { CERTIFICATE_ABI, certificatesOf } from './certificates';
import type { Deployment } from '../deployment';

/** How a contract says that it has taken a reference. */
interface TakingContract {
  readonly addressIn: (deployment: Deployment) => Hex;
  /** The function that answers whether it has. */
  readonly selector: Hex;
  readonly abi: Abi;
  /** The events of which one says so; the reference is their first indexed argument. */
  readonly events: readonly string[];
}

const CONTRACTS: Readonly<Record<ReferenceTaker, TakingContract>> = {
  minter: { addressIn: ({ minter }) => minter, selector: SELECTORS.minted, abi: MINTER_ABI, events: ['Minted'] },
  custody: {
    addressIn: ({ custody }) => custody,
    selector: SELECTORS.moved,
    abi: CUSTODY_ABI,
    events: ['TokenMoved', 'NftMoved', 'Redeemed'],
  },
  // The same function as the minter's.
  certificates: { addressIn: certificatesOf, selector: SELECTORS.minted, abi: CERTIFICATE_ABI, events: ['Minted'] },
};

/** The contract to ask whether it has taken a reference, and the first four bytes of that call. */
export function takenQuestion(
  deployment: Deployment,
  by: ReferenceTaker,
): { readonly to: Hex; readonly selector: Hex } {
  const { addressIn, selector } = CONTRACTS[by];
  return { to: addressIn(deployment), selector };
}

/** The filter for the logs that say that the contract took the reference. */
export function takingOf(deployment: Deployment, by: ReferenceTaker, reference: Hex) {
  const { addressIn, abi, events } = CONTRACTS[by];
  const topics = events.map((eventName) => encodeEventTopics({ abi, eventName, args: { ref: reference } }));
  return { address: addressIn(deployment), topics: [topics.map(([signature]) => signature), topics[0]?.[1]] };
}
