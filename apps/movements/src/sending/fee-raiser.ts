import { logged } from '@ponte/event-sourcing';
import type { EvmChain, FeeQuote, Hex } from '../chain/chain.port';
import { broadcast } from './broadcast';
import type { Trace } from '../transactions/chain-transactions.service';
import { recordOf } from './intent-signer';
import { capped, isMarketHigher, replacementFee } from './fees';
import type { SenderParts } from './sender-parts';

/** The result of an attempt to raise the fees of a transaction. */
export type FeeRaise =
  | { readonly outcome: 'raised'; readonly txHash: string }
  /** The transaction is mined, ended, not signed yet, or belongs to another key. */
  | { readonly outcome: 'not-waiting' }
  /** Current fees are not higher than those that it offers. */
  | { readonly outcome: 'high-enough' }
  | { readonly outcome: 'cap-reached' }
  /** The key has too few coins to pay the raised fees. */
  | { readonly outcome: 'no-gas-money' };

/** Raises the fees of transactions of one key and chain. */
export class FeeRaiser {
  private readonly evm: EvmChain;

  constructor(private readonly parts: SenderParts) {
    this.evm = parts.served.evm;
  }

  /**
   * Signs the transaction again with the same nonce and both fees raised, and broadcasts it. The new bytes are durable
   * before they are sent. Earlier bytes remain valid, and whichever is mined first counts. Unless `always` is set, fees
   * are raised only when the current ones are higher than those that the transaction offers.
   */
  async raise(transactionId: string, trace: Trace, always: boolean): Promise<FeeRaise> {
    const { signer, keyId, transactions, feeLimits, logger } = this.parts;
    const state = await transactions.load(transactionId);
    if (state.status !== 'signed' && state.status !== 'reorged') return { outcome: 'not-waiting' };
    const { intent, signed: before } = state;
    if (intent.from !== (await signer.addressOf(keyId))) return { outcome: 'not-waiting' };
    const market = await this.evm.feeQuote();
    const offered = {
      maxFeePerGas: BigInt(before.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(before.maxPriorityFeePerGas),
    };
    // Replacements keep the gas limit, which may be from before the limit of their call was changed.
    const gas = this.evm.gasLimitOf(before.raw as Hex);
    if (!always && !isMarketHigher(capped(market, feeLimits, gas), offered)) return { outcome: 'high-enough' };
    const fee = replacementFee(offered, market, feeLimits, gas);
    if (fee === null) {
      logger.error(
        { ...logged(trace), transactionId, chain: this.evm.chain, gas: String(gas) },
        'the fees of a transaction cannot be raised any more: the cap is reached',
      );
      return { outcome: 'cap-reached' };
    }
    if (!(await this.canPay(intent.from as Hex, gas, fee))) {
      logger.error(
        { ...logged(trace), transactionId, chain: this.evm.chain },
        'the fees of a transaction are not raised: its key has too few coins to pay them',
      );
      return { outcome: 'no-gas-money' };
    }
    const signed = recordOf(await signer.signReplacement(keyId, before.raw as Hex, fee), before.nonce, fee);
    const after = await transactions.execute(
      transactionId,
      { kind: 'raise-fee', signed, replaces: before.txHash },
      `raise-fee ${before.txHash}`,
      trace,
    );
    if (after.status !== 'signed' && after.status !== 'reorged') return { outcome: 'not-waiting' };
    logger.warn(
      {
        ...logged(trace),
        transactionId,
        chain: this.evm.chain,
        nonce: before.nonce,
        replaces: before.txHash,
        txHash: after.signed.txHash,
      },
      'the fees of a transaction were raised',
    );
    await broadcast(this.parts, [{ intent, signed: after.signed, trace }]);
    return { outcome: 'raised', txHash: after.signed.txHash };
  }

  /**
   * A node refuses bytes that the key cannot pay for. If they replaced cheaper ones, the key would need more and more
   * coins until its queue moves again.
   */
  private async canPay(from: Hex, gas: bigint, { maxFeePerGas }: FeeQuote): Promise<boolean> {
    return (await this.evm.gasBalance(from)) >= gas * maxFeePerGas;
  }
}
