import type { Abi } from 'viem';
import { encodeEventTopics, encodeFunctionData } from 'viem';
import type { Hex, ReferenceTaker } from '../../chain.port';
import { CALLS, CERTIFICATE_ABI, CUSTODY_ABI, MINTER_ABI, OPERATOR_ROLE } from './abi';
import { certificatesOf } from './certificates';
import type { Deployment } from '../deployment';

/** How to find out whether a contract has taken a reference. */
interface TakingContract {
  readonly addressIn: (deployment: Deployment) => Hex;
  /** Call data of the view function that answers it. */
  readonly question: (reference: Hex) => Hex;
  readonly abi: Abi;
  /** The events that record that it was taken. The reference is their first indexed argument. */
  readonly events: readonly string[];
}

const minted = (reference: Hex): Hex => encodeFunctionData({ ...CALLS.minted, args: [reference] });

const CONTRACTS: Readonly<Record<ReferenceTaker, TakingContract>> = {
  minter: { addressIn: ({ minter }) => minter, question: minted, abi: MINTER_ABI, events: ['Minted'] },
  custody: {
    addressIn: ({ custody }) => custody,
    question: (reference) => encodeFunctionData({ ...CALLS.moved, args: [reference] }),
    abi: CUSTODY_ABI,
    events: ['TokenMoved', 'NftMoved', 'Redeemed'],
  },
  // The same function as the minter's.
  certificates: { addressIn: certificatesOf, question: minted, abi: CERTIFICATE_ABI, events: ['Minted'] },
};

/** The contract and call data that answer whether it has taken a reference. */
export function takenCall(
  deployment: Deployment,
  by: ReferenceTaker,
  reference: Hex,
): { readonly to: Hex; readonly data: Hex } {
  const { addressIn, question } = CONTRACTS[by];
  return { to: addressIn(deployment), data: question(reference) };
}

/** The contract and call data that answer whether it accepts the address as an operator. */
export function operatorCall(
  deployment: Deployment,
  of: ReferenceTaker,
  address: Hex,
): { readonly to: Hex; readonly data: Hex } {
  const data = encodeFunctionData({ ...CALLS.hasRole, args: [OPERATOR_ROLE, address] });
  return { to: CONTRACTS[of].addressIn(deployment), data };
}

/** The filter for the logs that the contract emits when it takes the reference. */
export function takenLogFilter(deployment: Deployment, by: ReferenceTaker, reference: Hex) {
  const { addressIn, abi, events } = CONTRACTS[by];
  const topics = events.map((eventName) => encodeEventTopics({ abi, eventName, args: { ref: reference } }));
  return { address: addressIn(deployment), topics: [topics.map(([signature]) => signature), topics[0]?.[1]] };
}
