import { type PublicClient, encodeEventTopics } from 'viem';
import type { Hex, ReferenceTaker } from '../../chain.port';
import { CUSTODY_ABI, MINTER_ABI } from './abi';
import { CERTIFICATE_ABI, certificatesOf } from './certificates';
import type { Deployment } from '../deployment';

/** Whether the contract has taken the reference. */
export function readTaken(
  client: PublicClient,
  deployment: Deployment,
  by: ReferenceTaker,
  reference: Hex,
  read: <T>(pending: Promise<T>) => Promise<T>,
): Promise<boolean> {
  const { minter, custody } = deployment;
  switch (by) {
    case 'minter':
      return read(client.readContract({ address: minter, abi: MINTER_ABI, functionName: 'minted', args: [reference] }));
    case 'custody':
      return read(
        client.readContract({ address: custody, abi: CUSTODY_ABI, functionName: 'moved', args: [reference] }),
      );
    case 'certificates':
      return read(
        client.readContract({
          address: certificatesOf(deployment),
          abi: CERTIFICATE_ABI,
          functionName: 'minted',
          args: [reference],
        }),
      );
  }
}

/**
 * The logs that say that the contract took the reference: its address and the topics, of which the first is any of a
 * list.
 */
export function takingOf(deployment: Deployment, by: ReferenceTaker, reference: Hex) {
  const { minter, custody } = deployment;
  switch (by) {
    case 'minter':
      return {
        address: minter,
        topics: topicsOf([encodeEventTopics({ abi: MINTER_ABI, eventName: 'Minted', args: { ref: reference } })]),
      };
    case 'certificates':
      return {
        address: certificatesOf(deployment),
        topics: topicsOf([encodeEventTopics({ abi: CERTIFICATE_ABI, eventName: 'Minted', args: { ref: reference } })]),
      };
    case 'custody':
      return {
        address: custody,
        topics: topicsOf([
          encodeEventTopics({ abi: CUSTODY_ABI, eventName: 'TokenMoved', args: { ref: reference } }),
          encodeEventTopics({ abi: CUSTODY_ABI, eventName: 'NftMoved', args: { ref: reference } }),
          encodeEventTopics({ abi: CUSTODY_ABI, eventName: 'Redeemed', args: { ref: reference } }),
        ]),
      };
  }
}

/** Events with the same indexed reference as one filter. */
const topicsOf = (events: readonly (readonly unknown[])[]) => [events.map(([signature]) => signature), events[0]?.[1]];
