import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { OnModuleInit } from '@nestjs/common';
import type { KeyStatement } from '@ponte/contracts';
import { CHAINS, parseEvmAddress } from '@ponte/kernel';
import type { Chain, Ids } from '@ponte/kernel';
import type { OperatorDuty } from '@ponte/operator';
import { IDS, OPERATOR_DUTIES } from '@ponte/nest';
import { OperatorError } from '@ponte/operator';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { ReconciliationJob } from '../reconciliation/reconcile.job';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { RestoreLostCommand } from '../reorg/restore-lost.command';
import { GiveUpKeylessCommand } from '../unsent/give-up-keyless.command';
import { giveUpText } from './give-up-text';
import { reconciliationText } from './reconciliation-text';
import { NonceGaps } from '../signer-key/nonce-gaps.service';
import { Sender } from '../sending/sender.service';

const SAID = {
  'not-waiting':
    'the transaction does not wait to be mined: it is not signed yet, has ended, or has a key that movements does not have',
  'high-enough': 'its fees are already as high as the current ones',
  'cap-reached':
    'its fees cannot be raised by an eighth within the highest fee of the chain (CHAIN_MAX_FEE_GWEI, CHAIN_MAX_TRANSACTION_FEE_GWEI)',
  'no-gas-money': 'its key has too few coins to pay raised fees: send coins to the key first',
} as const;

const NOT_SENT = {
  'unknown-transaction':
    'the chain has no such transaction; give the id in the stream chainTransaction-<transaction-id>',
  'not-lost': 'the transaction is not lost; only a transaction whose last event is TransactionLost is sent again',
} as const;

function chainOf(name: string): Chain {
  const chain = CHAINS.find((one) => one === name);
  if (chain === undefined) throw new OperatorError(`${name} is not a chain: use one of ${CHAINS.join(', ')}`);
  return chain;
}

@Injectable()
export class ChainDuties implements OnModuleInit {
  constructor(
    @Inject(OPERATOR_DUTIES) private readonly duties: Map<string, OperatorDuty>,
    @Inject(IDS) private readonly ids: Ids,
    private readonly sender: Sender,
    private readonly commands: CommandBus,
    private readonly reconciliation: ReconciliationJob,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    private readonly gaps: NonceGaps,
  ) {}

  onModuleInit(): void {
    this.duties.set('chain raise-fee', { can: () => true, carryOut: (subject) => this.raiseFee(subject) });
    this.duties.set('chain fill-nonce-gap', { can: () => true, carryOut: (subject) => this.fillNonceGap(subject) });
    this.duties.set('chain restore-lost', { can: () => true, carryOut: (subject) => this.restoreLost(subject) });
    this.duties.set('chain give-up', {
      can: () => true,
      carryOut: (subject, _, by) => this.giveUp(subject, by),
    });
    this.duties.set('chain reconcile', { can: () => this.reconciliation.holds(), carryOut: () => this.reconcile() });
  }

  private async raiseFee({ chain: name = '', transaction = '' }: Readonly<Record<string, string>>): Promise<string> {
    const chain = chainOf(name);
    const raise = await this.sender.raiseFee(
      chain,
      this.settings.heldKeyIds,
      transaction,
      { correlationId: this.ids.next(), actor: 'operator' },
      true,
    );
    if (raise.outcome !== 'raised') throw new OperatorError(SAID[raise.outcome]);
    return `${transaction} was sent with raised fees as ${raise.txHash}`;
  }

  private async fillNonceGap({ chain: name = '' }: Readonly<Record<string, string>>): Promise<string> {
    const served = this.chains.of(chainOf(name));
    const lines: string[] = [];
    for (const keyId of this.settings.heldKeyIds) {
      const { filled, left } = await this.gaps.fill(served, keyId);
      if (filled.length > 0) lines.push(`${keyId}: sent ${filled.join(', ')}; ${left} are left`);
    }
    if (lines.length === 0) throw new OperatorError(`no operator key has a nonce gap on ${name}`);
    return lines.join('\n');
  }

  private async restoreLost({ chain: name = '', transaction = '' }: Readonly<Record<string, string>>): Promise<string> {
    const chain = chainOf(name);
    const context = { commandId: this.ids.next(), correlationId: this.ids.next(), actor: 'operator' };
    const sent = await this.commands.execute(new RestoreLostCommand({ chain, transactionId: transaction }, context));
    if (sent.outcome !== 'sent') throw new OperatorError(NOT_SENT[sent.outcome]);
    return `${transaction} is sent again as transaction ${sent.transactionId}`;
  }

  /** Without `confirm`, only says what would be given up. */
  private async giveUp(
    { chain: name = '', address = '', transaction, signed, confirm }: Readonly<Record<string, string>>,
    statement: KeyStatement = { actor: 'operator', reason: '' },
  ): Promise<string> {
    const parsed = parseEvmAddress(address);
    if (!parsed.ok) throw new OperatorError(`${address} is not the address of a key`);
    if (transaction === '') throw new OperatorError('the id of the transaction must not be empty');
    const outcome = await this.commands.execute(
      new GiveUpKeylessCommand(
        {
          chain: chainOf(name),
          address: parsed.address.toLowerCase() as Hex,
          ...(transaction !== undefined && { transactionId: transaction }),
          ...(signed !== undefined && { signed: true }),
          ...(confirm !== undefined && { statement }),
        },
        { commandId: this.ids.next(), correlationId: this.ids.next(), actor: 'operator' },
      ),
    );
    return giveUpText(outcome);
  }

  private async reconcile(): Promise<string> {
    return reconciliationText(await this.reconciliation.run());
  }
}
