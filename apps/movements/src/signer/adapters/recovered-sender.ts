import { recoverTransactionAddress } from 'viem';
import type { Hex } from '../../chain/chain.port';

/** The address, lower-case, that the signature of a dynamic-fee transaction recovers to. */
export const recoveredSender = async (raw: Hex): Promise<Hex> =>
  (await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toLowerCase() as Hex;
