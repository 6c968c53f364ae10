import { logged } from '@ponte/event-sourcing';
import type { EvmChain, FeeQuote } from '../chain/chain.port';
import { SigningRefused } from '../signer-policy/signing-policy';
import type { SignedTransaction } from '../signer/signer.port';
import { callOf } from './contract-calls';
import { capped } from './fees';
import type { AuthorizedTransaction, DueTransaction, NumberedTransaction, Ready } from './due-transactions';
import type { SenderParts } from './sender-parts';
import { inParallel } from './in-parallel';
import type { Signed, UnsentReason } from '../transactions/chain-transaction.state';

/** Takes the transactions of one key and chain from intent to durable bytes. */
export class IntentSigner {
  private readonly evm: EvmChain;

  constructor(private readonly parts: SenderParts) {
    this.evm = parts.served.evm;
  }

  /** Signs the transactions that may be signed now. The next round tries the others again. */
  async sign(intended: readonly DueTransaction[]): Promise<Ready[]> {
    const { signer, keyId, nonces, feeLimits, logger } = this.parts;
    const address = await signer.addressOf(keyId);
    const ours = intended.filter(({ intent }) => intent.from === address);
    if (ours.length < intended.length)
      logger.error(
        { chain: this.evm.chain, address },
        'transactions wait for a key that this process does not have: was the keystore replaced?',
      );
    const [fees, minedCount, signable] = await Promise.all([
      this.evm.feeQuote(),
      this.evm.nextNonce(address, 'latest'),
      this.signable(address, ours),
    ]);
    // Checked again, because the answers above may have taken a long time.
    const toSign = await this.parts.frozen.removeInactive(signable);
    if (toSign.length === 0) return [];
    const transactionIds = toSign.map(({ intent }) => intent.transactionId);
    const nonceOf = await nonces.allocate({ chain: this.evm.chain, keyId, address, transactionIds, minedCount });
    return inParallel(this.parts, toSign, async (due) => {
      const { transactionId } = due.intent;
      const nonce = nonceOf.get(transactionId);
      if (nonce === undefined) return this.endWithheld(due);
      const fee = capped(fees, feeLimits, due.call.gas);
      const signed = recordOf(await signer.signTransaction(keyId, { ...due.call, nonce, ...fee }), nonce, fee);
      const state = await this.parts.transactions.execute(transactionId, { kind: 'sign', signed }, 'sign', due.trace);
      // Another process may have ended it, or signed it first: the state then has the bytes to send.
      if (state.status !== 'signed') return [];
      return [{ ...due, signed: state.signed }];
    });
  }

  /**
   * Removes the transactions whose effect is on the chain already, whose account is not active, whose target is held,
   * that the treasury cannot pay now, or that the signer's policy refuses.
   */
  private async signable(address: string, transactions: readonly DueTransaction[]): Promise<AuthorizedTransaction[]> {
    const { treasury, frozen, targets } = this.parts;
    // Targets first, so that a refused target ends a transaction even while the account is frozen.
    const clear = await targets.removeUncleared(await this.withoutEffect(address, transactions));
    return this.authorized(await treasury.payable(await frozen.removeInactive(clear)));
  }

  /**
   * Removes the transactions that the signer's policy refuses, before they get a nonce: a gap would block all later
   * ones. The next round tries them again, except those above the limit of one transaction, which are given up. Those
   * that have a nonce come first, so that others do not use up their limit.
   */
  private async authorized(transactions: readonly NumberedTransaction[]): Promise<AuthorizedTransaction[]> {
    const { signer, keyId, signedAmounts, logger } = this.parts;
    if (transactions.length > 0) await signedAmounts.refresh();
    const inOrder = [...transactions].sort((a, b) => Number(b.numbered) - Number(a.numbered));
    return inParallel(this.parts, inOrder, async (due) => {
      const call = { chainId: this.evm.chainId, ...callOf(this.evm, due.intent.purpose) };
      try {
        await signer.authorize(keyId, call, due.numbered);
        signedAmounts.noteOwn(due.intent.transactionId);
        return [{ ...due, call }];
      } catch (error) {
        if (!(error instanceof SigningRefused)) throw error;
        if (error.rule === 'amount' && (await this.giveUp(due, 'amount-above-maximum'))) return [];
        logger.error(
          { ...logged(due.trace), transactionId: due.intent.transactionId, rule: error.rule, reason: error.message },
          'the policy of the signer refuses a transaction; it waits',
        );
        return [];
      }
    });
  }

  /** Gives up a transaction that is never signed. Returns whether it was given up. */
  private async giveUp(due: NumberedTransaction, reason: UnsentReason): Promise<boolean> {
    const isGivenUp = await this.parts.unsent.giveUp(due, reason);
    const about = { ...logged(due.trace), transactionId: due.intent.transactionId, reason };
    if (isGivenUp) this.parts.logger.error(about, 'a transaction that is never signed is given up');
    return isGivenUp;
  }

  /**
   * Ends a transaction whose nonce is withheld. It has been given up in the meantime, unless the process that withheld
   * the nonce ended in between: then it would never be signed, and nothing would return its funds.
   */
  private async endWithheld(due: NumberedTransaction): Promise<[]> {
    const { transactions, nonces, targets, keyless, logger } = this.parts;
    const { transactionId } = due.intent;
    if ((await transactions.load(transactionId)).status !== 'intended') return [];
    const recorded = await nonces.reasonWithheld(due.intent);
    // Old events have no reason. The nonce may be withheld because staff have just refused the target.
    if (recorded === null && (await targets.removeUncleared([due])).length === 0) return [];
    // The statement about the key was not recorded. For the owner, both reasons mean the same.
    const reason = recorded === 'key-unavailable' ? 'refused' : (recorded ?? 'amount-above-maximum');
    if (await this.giveUp(due, reason)) return [];
    // Only an operator's command ends one that restores another, or mints a certificate. It was not completed.
    if (recorded === 'key-unavailable') {
      const { outcome } = await keyless.complete(due.intent, due.trace);
      if (outcome === 'given-up' || outcome === 'lost') return [];
    }
    logger.error({ ...logged(due.trace), transactionId }, 'the nonce of a transaction is withheld; it waits');
    return [];
  }

  /**
   * Removes the transactions whose effect is on the chain already. One that has a nonce is sent in any case, because a
   * gap would block all later ones.
   */
  private async withoutEffect(
    address: string,
    transactions: readonly DueTransaction[],
  ): Promise<NumberedTransaction[]> {
    const { served, nonces, finality } = this.parts;
    const allocated = await nonces.known(
      served.evm.chain,
      address,
      transactions.map(({ intent }) => intent.transactionId),
    );
    return inParallel(this.parts, transactions, async (due): Promise<NumberedTransaction[]> => {
      if (allocated.has(due.intent.transactionId)) return [{ ...due, numbered: true }];
      const ended = await finality.endIfEffective(served, due.intent, due.trace);
      return ended === undefined ? [{ ...due, numbered: false }] : [];
    });
  }
}

/** Signed bytes as the log records them. */
export const recordOf = ({ raw, hash: txHash }: SignedTransaction, nonce: number, fee: FeeQuote): Signed => ({
  nonce,
  raw,
  txHash,
  maxFeePerGas: String(fee.maxFeePerGas),
  maxPriorityFeePerGas: String(fee.maxPriorityFeePerGas),
});
