import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type {
  DepositRecord,
  AccountRecord,
  RecordUsdDepositPayload,
  UsdCoordinates,
  ConfirmUsdDeposit,
  RecordUsdDeposit,
  RejectUsdDeposit,
} from '@ponte/contracts';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { Money, derivedId, refuse } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { Accounts } from '../deposit/pix-accounts.service';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { comparableReference } from '../suspense/settlement-reference.decider';
import { isInSuspense } from '../suspense/suspense.domain';
import type { Deposit } from '../deposit/deposit.state';
import { depositRecord } from '../deposit/deposit.record';

/** The deposit id for a bank reference that staff have rejected `rejections` times before. */
const usdDepositIdOf = (bankReference: string, rejections: number): string =>
  rejections === 0
    ? derivedId('deposit', 'manual-fx', bankReference)
    : derivedId('deposit', 'manual-fx', bankReference, String(rejections));

/** No one could use the money of a closed account, so it is not credited. */
function refuseClosed({ status }: AccountRecord): void {
  if (status === 'closed') refuse('account-not-active', 'the account is closed', 'account-id');
}

const recordOf = (state: Deposit): DepositRecord =>
  (state.status === 'none' ? null : depositRecord(state)) ??
  refuse('deposit-not-found', 'staff have recorded no such deposit');

/** Where the money came from and where it went, as the staff member typed it. */
interface Named {
  readonly source: string | null;
  readonly target: string | null;
}

/** A staff member records USD that arrived. */
export class RecordUsdDepositCommand extends RequestCommand<typeof RecordUsdDeposit> {}

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
    refuseClosed(account);
    const named = await this.named(payload);
    const coordinates = await this.sealed(named, holder.holderId);
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
    const document = state.status === 'none' ? null : state.facts.recorded?.evidence.documentSha256;
    const isSame =
      record.accountId === accountId &&
      record.amount === amount &&
      document === evidence.documentSha256 &&
      (await this.isNamed(record.coordinates as UsdCoordinates, named));
    if (!isSame)
      refuse('external-id-already-used', 'a different deposit was recorded with this bank reference', 'bank-reference');
    return record;
  }

  /**
   * The id for a bank reference: one deposit per reference, however it is typed, unless it was rejected. Earlier
   * releases recorded a reference as it was typed.
   */
  private async idOf(bankReference: string): Promise<string> {
    const typed = await this.openId(bankReference);
    const isRecorded = (await this.deposits.load(typed)).status !== 'none';
    return isRecorded ? typed : this.openId(comparableReference(bankReference));
  }

  private async openId(reference: string): Promise<string> {
    for (let rejections = 0; ; rejections += 1) {
      const depositId = usdDepositIdOf(reference, rejections);
      const state = await this.deposits.load(depositId);
      // Money in suspense is not recorded a second time: its account was closed after the confirmation.
      if (state.status !== 'voided' || isInSuspense(state)) return depositId;
    }
  }

  private async named({ coordinates }: RecordUsdDepositPayload): Promise<Named> {
    if (!coordinates.startsWith(`sealed:v1:${LEDGER_TRANSIT_SUBJECT}:`))
      throw new TypeError('coordinates must be sealed under the transit subject of the ledger');
    return JSON.parse(await this.personalData.open(coordinates)) as Named;
  }

  /** Whether the recorded source and target are these. What was erased cannot be compared, so it counts as the same. */
  private async isNamed(recorded: UsdCoordinates, named: Named): Promise<boolean> {
    const same = await Promise.all(
      (['source', 'target'] as const).map(async (member) => {
        const sealed = recorded[member];
        const text = sealed === null ? null : await this.personalData.open(sealed);
        return text === ERASED || text === named[member];
      }),
    );
    return !same.includes(false);
  }

  private async sealed({ source, target }: Named, holderId: string): Promise<UsdCoordinates> {
    const seal = async (text: string | null) => (text === null ? null : this.personalData.seal(holderId, text));
    return { source: await seal(source), target: await seal(target) };
  }
}

/** A second staff member confirms the deposit. */
export class ConfirmUsdDepositCommand extends RequestCommand<typeof ConfirmUsdDeposit> {}

/** A staff member rejects the deposit. The one who recorded it may do so too. */
export class RejectUsdDepositCommand extends RequestCommand<typeof RejectUsdDeposit> {}

@Injectable()
abstract class DecideUsdDeposit {
  constructor(
    protected readonly deposits: Deposits,
    private readonly commands: CommandBus,
  ) {}

  protected async decide(
    kind: 'confirm' | 'reject',
    { payload: { depositId, staffId }, context }: ConfirmUsdDepositCommand | RejectUsdDepositCommand,
  ): Promise<DepositRecord> {
    await this.deposits.execute(depositId, (now) => ({ kind, staffId, now }), context);
    await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
    return recordOf(await this.deposits.load(depositId));
  }
}

@CommandHandler(ConfirmUsdDepositCommand)
export class ConfirmUsdDepositHandler extends DecideUsdDeposit implements ICommandHandler<ConfirmUsdDepositCommand> {
  constructor(
    deposits: Deposits,
    commands: CommandBus,
    private readonly accounts: Accounts,
  ) {
    super(deposits, commands);
  }

  async execute(command: ConfirmUsdDepositCommand): Promise<DepositRecord> {
    const { status, accountId } = recordOf(await this.deposits.load(command.payload.depositId));
    const account = status === 'created' ? await this.accounts.get(accountId, command.context) : null;
    if (account) refuseClosed(account);
    return this.decide('confirm', command);
  }
}

@CommandHandler(RejectUsdDepositCommand)
export class RejectUsdDepositHandler extends DecideUsdDeposit implements ICommandHandler<RejectUsdDepositCommand> {
  execute(command: RejectUsdDepositCommand): Promise<DepositRecord> {
    return this.decide('reject', command);
  }
}
