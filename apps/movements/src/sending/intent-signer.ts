import { logged } from '@ponte/event-sourcing';
import type { TransactionPurpose } from '@ponte/contracts';
import type { EvmChain, FeeQuote } from '../chain/chain.port';
import { SigningRefused } from '../signer-policy/signing-policy';
import { callOf } from './contract-calls';
import { affordable } from './fees';
import type { Due, NumberedDue, Ready, SenderParts } from './sender-parts';
import { sideBySide } from './side-by-side';
import type { Signed } from '../transactions/chain-transaction.state';

/** Takes the transactions of one key and chain from intent to durable bytes. */
export class IntentSigner {
  private readonly evm: EvmChain;

  constructor(private readonly parts: SenderParts) {
    this.evm = parts.served.evm;
  }

  /** Signs those that may be signed now; the others are asked for again by the next round. */
  async sign(intended: readonly Due[]): Promise<Ready[]> {
    const { signer, keyId, nonces, maxFeePerGas: cap, logger } = this.parts;
    const address = await signer.addressOf(keyId);
    const ours = intended.filter(({ intent }) => intent.from === address);
    if (ours.length < intended.length)
      logger.error(
        { chain: this.evm.chain, address },
        'transactions wait for a key that is not here: was the key store replaced?',
      );
    const [fees, minedCount, signable] = await Promise.all([
      this.evm.feeQuote(),
      this.evm.nextNonce(address, 'latest'),
      this.signable(address, ours),
    ]);
    // Once more, because the answers may have taken long.
    const unserved = await this.parts.frozen.without(signable);
    if (unserved.length === 0) return [];
    const transactionIds = unserved.map(({ intent }) => intent.transactionId);
    const nonceOf = await nonces.allocate({ chain: this.evm.chain, address, transactionIds, minedCount });
    const fee = affordable(fees, cap);
    return sideBySide(this.parts, unserved, async (due) => {
      const { transactionId, purpose } = due.intent;
      const nonce = nonceOf.get(transactionId);
      // It was given up meanwhile.
      if (nonce === undefined) return [];
      const signed = await signedBytes(this.parts, purpose, nonce, fee);
      const state = await this.parts.transactions.carryOut(transactionId, { kind: 'sign', signed }, 'sign', due.trace);
      // Someone else may have been first: then the bytes to send are theirs.
      if (state.status !== 'signed') return [];
      return [{ ...due, signed: state.signed }];
    });
  }

  /**
   * Without those that the chain has already, whose account is frozen, whose target is held, that the treasury cannot
   * pay now, or that the signer's policy refuses.
   */
  private async signable(address: string, dues: readonly Due[]): Promise<NumberedDue[]> {
    const { treasury, frozen, targets } = this.parts;
    // Targets first: what is refused is given up during a freeze, too.
    const clear = await targets.without(await this.unserved(address, dues));
    return this.authorized(await treasury.payable(await frozen.without(clear)));
  }

  /**
   * Without those that the signer's policy refuses, before they have a nonce: a gap would hold up all others. They are
   * asked for again.
   */
  private async authorized(dues: readonly NumberedDue[]): Promise<NumberedDue[]> {
    const { signer, keyId, logger } = this.parts;
    return sideBySide(this.parts, dues, async (due) => {
      try {
        await signer.authorize(keyId, { chainId: this.evm.chainId, ...callOf(this.evm, due.intent.purpose) });
        return [due];
      } catch (error) {
        if (!(error instanceof SigningRefused)) throw error;
        logger.error(
          { ...logged(due.trace), transactionId: due.intent.transactionId, rule: error.rule, reason: error.message },
          'the policy of the signer refuses a transaction; it waits',
        );
        return [];
      }
    });
  }

  /**
   * Without those whose effect the chain has already. One that has its nonce is sent in any case, since a gap would
   * hold up all others.
   */
  private async unserved(address: string, dues: readonly Due[]): Promise<NumberedDue[]> {
    const { served, nonces, finality } = this.parts;
    const allocated = await nonces.known(
      served.evm.chain,
      address,
      dues.map(({ intent }) => intent.transactionId),
    );
    return sideBySide(this.parts, dues, async (due): Promise<NumberedDue[]> => {
      if (allocated.has(due.intent.transactionId)) return [{ ...due, numbered: true }];
      const elsewhere = await finality.servedElsewhere(served, due.intent, due.trace);
      return elsewhere === undefined ? [{ ...due, numbered: false }] : [];
    });
  }
}

/** Signs what a purpose calls, under a nonce and with these fees. */
export async function signedBytes(
  { served: { evm }, signer, keyId }: Pick<SenderParts, 'served' | 'signer' | 'keyId'>,
  purpose: TransactionPurpose,
  nonce: number,
  fee: FeeQuote,
): Promise<Signed> {
  const { raw, hash: txHash } = await signer.signTransaction(keyId, {
    chainId: evm.chainId,
    nonce,
    ...callOf(evm, purpose),
    ...fee,
  });
  return {
    nonce,
    raw,
    txHash,
    maxFeePerGas: String(fee.maxFeePerGas),
    maxPriorityFeePerGas: String(fee.maxPriorityFeePerGas),
  };
}
