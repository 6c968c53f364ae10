import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCall, EvmChain, Hex, MinedTransaction } from '../chain.port';
import type { Keystore as Signer, SignedTransaction } from '../../signer/signer.port';

export interface ChainUnderTest {
  /** eth-base, with contracts, mining by itself. */
  readonly chain: EvmChain;
  readonly signer: Signer;
  readonly operatorKeyId: string;
  /** Holds USDC. */
  readonly treasuryKeyId: string;
  /** The same adapter with a node that does not answer. */
  readonly unreachable: EvmChain;
}

export const HOLDER: Hex = `0x${'ab'.repeat(20)}`;

export function freshReference(): Hex {
  return `0x${createHash('sha256').update(randomUUID()).digest('hex')}`;
}

export async function signed(
  chain: EvmChain,
  signer: Signer,
  keyId: string,
  call: ContractCall,
  nonce?: number,
): Promise<SignedTransaction> {
  const sender = await signer.addressOf(keyId);
  const next = nonce ?? (await chain.nextNonce(sender, 'latest'));
  return signer.signTransaction(keyId, { chainId: chain.chainId, nonce: next, ...call, ...(await chain.feeQuote()) });
}

/** Polls until the transaction is mined and has that many confirmations. */
export async function untilMined(chain: EvmChain, hash: Hex, confirmations = 1): Promise<MinedTransaction> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const found = await chain.transaction(hash);
    if (found.status === 'mined' && found.confirmations >= confirmations) return found;
    await sleep(10);
  }
  throw new Error(`${hash} was not mined`);
}

/** Signs a call with the key, sends it and waits until it is mined. */
export async function sendAndMine(
  { chain, signer }: Pick<ChainUnderTest, 'chain' | 'signer'>,
  keyId: string,
  call: ContractCall,
): Promise<{ readonly hash: Hex; readonly mined: MinedTransaction }> {
  const { raw, hash } = await signed(chain, signer, keyId, call);
  await chain.broadcast(raw);
  return { hash, mined: await untilMined(chain, hash) };
}
