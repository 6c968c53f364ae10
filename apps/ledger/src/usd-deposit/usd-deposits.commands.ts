import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import type { DepositRecord, ListUsdDeposits, Page, RecordUsdDepositPayload, UsdCoordinates } from '@ponte/contracts';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { Money, derivedId, refuse } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { Accounts } from '../deposit/pix-accounts';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import type { Deposit } from '../deposit/deposit.state';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { depositRecord } from '../deposit/deposit.record';

/** The id of what was recorded with a reference of the bank after it had been rejected so many times. */
const usdDepositIdOf = (bankReference: string, rejections: number): string =>
  rejections === 0
    ? derivedId('deposit', 'manual-fx', bankReference)
    : derivedId('deposit', 'manual-fx', bankReference, String(rejections));

const recordOf = (state: Deposit): DepositRecord =>
  (state.status === 'none' ? null : depositRecord(state)) ??
  refuse('deposit-not-found', 'staff recorded no such deposit');

/** A member of staff records USD that arrived. */
export class RecordUsdDepositCommand extends Command<DepositRecord> {
  constructor(
    readonly payload: RecordUsdDepositPayload,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RecordUsdDepositCommand)
export class RecordUsdDepositHandler implements ICommandHandler<RecordUsdDepositCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly accounts: Accounts,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context }: RecordUsdDepositCommand): Promise<DepositRecord> {
    const { accountId, evidence, staffId } = payload;
    const depositId = await this.idOf(evidence.bankReference);
    const amount = Money.parse('fiat/usd', payload.amount).toString();
    const [account, holder] = [
      await this.accounts.get(accountId, context),
      await this.accounts.holder(accountId, context),
    ];
    if (!account || !holder) return refuse('account-not-found', 'there is no such account', 'account-id');
    const coordinates = await this.sealed(payload, holder.holderId);
    const state = await this.deposits.execute(
      depositId,
      (now) => ({
        kind: 'create',
        facts: {
          depositId,
          accountId,
          parentId: account.parentId,
          type: 'manual-fx',
          asset: 'fiat/usd',
          amount,
          endToEndId: evidence.bankReference,
          orderId: null,
          recorded: { staffId, evidence },
          coordinates,
          settledAt: now,
          createdAt: now,
        },
      }),
      step(context, 'record', depositId),
    );
    const record = recordOf(state);
    if (record.accountId !== accountId || record.amount !== amount)
      refuse(
        'external-id-already-used',
        'another deposit was recorded with this reference of the bank',
        'bank-reference',
      );
    return record;
  }

  /** One reference of the bank is one deposit, also when two staff members record it, unless that was rejected. */
  private async idOf(bankReference: string): Promise<string> {
    for (let rejections = 0; ; rejections += 1) {
      const depositId = usdDepositIdOf(bankReference, rejections);
      if ((await this.deposits.load(depositId)).status !== 'voided') return depositId;
    }
  }

  private async sealed({ coordinates }: RecordUsdDepositPayload, holderId: string): Promise<UsdCoordinates> {
    if (!coordinates.startsWith(`sealed:v1:${LEDGER_TRANSIT_SUBJECT}:`))
      throw new TypeError('coordinates are sealed under the transit subject of the ledger');
    const { source, target } = JSON.parse(await this.personalData.open(coordinates)) as {
      source: string | null;
      target: string | null;
    };
    const seal = async (text: string | null) => (text === null ? null : this.personalData.seal(holderId, text));
    return { source: await seal(source), target: await seal(target) };
  }
}

/** Another member of staff confirms or rejects it. */
export class DecideUsdDepositCommand extends Command<DepositRecord> {
  constructor(
    readonly decision: 'confirm' | 'reject',
    readonly depositId: string,
    readonly staffId: string,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DecideUsdDepositCommand)
export class DecideUsdDepositHandler implements ICommandHandler<DecideUsdDepositCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly commands: CommandBus,
  ) {}

  async execute({ decision, depositId, staffId, context }: DecideUsdDepositCommand): Promise<DepositRecord> {
    await this.deposits.execute(depositId, (now) => ({ kind: decision, staffId, now }), context);
    await this.commands.execute(new AdvanceDepositCommand(depositId, context));
    return recordOf(await this.deposits.load(depositId));
  }
}

/** USD deposits of every account, newest first. */
export class ListUsdDepositsQuery extends Query<Page<DepositRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListUsdDeposits>) {
    super();
  }
}

@QueryHandler(ListUsdDepositsQuery)
export class ListUsdDepositsHandler implements IQueryHandler<ListUsdDepositsQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  execute({ payload: { status, page } }: ListUsdDepositsQuery): Promise<Page<DepositRecord>> {
    return this.readModel.pageOfType('manual-fx', status, page);
  }
}
