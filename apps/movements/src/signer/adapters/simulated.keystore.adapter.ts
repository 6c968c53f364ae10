import { createHash } from 'node:crypto';
import { type TransactionSerializableEIP1559, keccak256, parseTransaction, serializeTransaction } from 'viem';
import { lruCache } from '@ponte/kernel';
import type { Hex } from '../../chain/chain.port';
import type { Keystore, SignedTransaction, UnsignedTransaction } from '../signer.port';

/**
 * Makes transactions of the right form without elliptic curves, for tests and for measuring the service without the
 * cost of signing. The signature's `r` is the sender's address, which the simulated chain reads back. A real node would
 * recover some other sender, which owns nothing.
 */
export class SimulatedSigner implements Keystore {
  private readonly addresses = new Map<string, Hex>();

  /** @param seed determines the addresses of all keys */
  constructor(private readonly seed = 'simulated') {}

  createKey(keyId: string): Promise<Hex> {
    return this.addressOf(keyId);
  }

  async addressOf(keyId: string): Promise<Hex> {
    const known = this.addresses.get(keyId);
    if (known !== undefined) return known;
    const digest = createHash('sha256').update(`${this.seed}/${keyId}`).digest('hex');
    const address: Hex = `0x${digest.slice(0, 40)}`;
    this.addresses.set(keyId, address);
    return address;
  }

  async signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const sender = await this.addressOf(keyId);
    const unsigned: TransactionSerializableEIP1559 = { type: 'eip1559', ...transaction };
    const raw = serializeTransaction(unsigned, { r: `0x${sender.slice(2).padStart(64, '0')}`, s: ONE, yParity: 0 });
    // Hashes bytes: given the hex text, viem would first parse it in JavaScript.
    const hash = keccak256(Buffer.from(raw.slice(2), 'hex'));
    const { nonce, to, data = '0x', chainId, maxFeePerGas, maxPriorityFeePerGas } = transaction;
    MADE.set(raw, {
      hash,
      sender,
      nonce,
      to: to?.toLowerCase() as Hex | undefined,
      data,
      chainId,
      maxFeePerGas,
      maxPriorityFeePerGas,
    });
    return { raw, hash };
  }

  async senderOf(raw: Hex): Promise<Hex> {
    const { r, s } = parseTransaction(raw as `0x02${string}`);
    const sender = simulatedSenderOf(r, s);
    if (sender === undefined) throw new Error('the bytes have no simulated signature');
    return sender;
  }
}

/** The content of a transaction signed by this signer. */
interface SimulatedContent {
  readonly hash: Hex;
  readonly sender: Hex;
  readonly nonce: number;
  readonly to: Hex | undefined;
  readonly data: Hex;
  readonly chainId: number;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Number of transactions remembered on their way from a simulated signer to a simulated chain in this process. */
const ON_THEIR_WAY = 1_024;
const MADE = lruCache<Hex, SimulatedContent>(ON_THEIR_WAY);

/** The content of bytes just signed here, which saves parsing and hashing; undefined for other bytes. */
export const simulatedContentOf = (raw: Hex): SimulatedContent | undefined => MADE.get(raw);

const ONE: Hex = `0x${'1'.padStart(64, '0')}`;

/** The sender in a simulated signature; undefined for a real signature. */
export function simulatedSenderOf(r: Hex | undefined, s: Hex | undefined): Hex | undefined {
  if (r === undefined || s === undefined || BigInt(s) !== 1n || BigInt(r) >> 160n !== 0n) return undefined;
  return `0x${BigInt(r).toString(16).padStart(40, '0')}`;
}
