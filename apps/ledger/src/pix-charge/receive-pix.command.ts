import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { Money } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { DepositFacts } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { isEndToEndId } from './end-to-end-id.domain';
import type { PixCharges, ReceivedPix } from './pix-charges.port';
import { PIX_CHARGES } from './pix-charges.port';
import { Accounts } from '../deposit/pix-accounts.service';
import { Deposits } from '../deposit/deposits.repository';
import { callRepeatable } from '../payouts/rail';
import { PersonSealing } from '../person/person-sealing.service';
import { step } from '../steps';

/**
 * Records a reported Pix. Only its endToEndId is used: everything else is read from the bank, so a forged notice has no
 * effect. Returns null if the bank knows no such payment.
 */
export class ReceivePixCommand extends PayloadCommand<{ readonly endToEndId: string }, { depositId: string | null }> {}

@CommandHandler(ReceivePixCommand)
export class ReceivePixHandler implements ICommandHandler<ReceivePixCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly accounts: Accounts,
    private readonly sealing: PersonSealing,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
  ) {}

  async execute({ payload: { endToEndId }, context }: ReceivePixCommand): Promise<{ depositId: string | null }> {
    if (!isEndToEndId(endToEndId)) return { depositId: null };
    const depositId = depositIdOf(endToEndId);
    if ((await this.deposits.load(depositId)).status !== 'none') return { depositId };
    const pix = await callRepeatable(() => this.rail.getReceived(endToEndId));
    if (pix?.endToEndId !== endToEndId) return { depositId: null };
    const facts = await this.facts(depositId, pix, context);
    await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'create', facts: { ...facts, createdAt: now } }),
      step(context, 'receive', depositId),
    );
    return { depositId };
  }

  private async facts(
    depositId: string,
    pix: ReceivedPix,
    context: RequestContext,
  ): Promise<Omit<DepositFacts, 'createdAt'>> {
    const target = await this.accounts.targetOf(pix.txid, context);
    return {
      depositId,
      accountId: target?.accountId ?? null,
      parentId: target?.parentId ?? null,
      orderId: target?.orderId ?? null,
      type: 'pix',
      asset: 'fiat/brl',
      amount: Money.parse('fiat/brl', pix.amount).toString(),
      endToEndId: pix.endToEndId,
      coordinates: await this.sealing.payer(depositId, pix.payer, pix.txid ?? '', target?.holder ?? null),
      settledAt: pix.settledAt,
    };
  }
}
