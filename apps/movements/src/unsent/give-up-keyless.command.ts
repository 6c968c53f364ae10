import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { KeyStatement } from '@ponte/contracts';
import type { Chain, Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { PayloadCommand, SYSTEM_CLOCK } from '@ponte/nest';
import type { Hex } from '../chain/chain.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { keyIdOf } from '../signer-key/operator-keys';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import type { PendingTransaction, Unsigned } from '../transactions/pending-transactions.read-model';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';
import type { KeylessEnd, SignedOutlook } from './keyless-end.service';
import { KeylessEnds } from './keyless-end.service';

/** What became of the transactions, or why nothing was done. */
export type GiveUpKeylessOutcome =
  | { readonly outcome: 'key-held' }
  /** `unsigned`: ids that would be given up. `signed`: what would happen to the signed ones if they are included. */
  | {
      readonly outcome: 'preview';
      readonly unsigned: readonly string[];
      readonly signed: readonly SignedOutlook[];
      readonly kept: readonly string[];
    }
  /** `kept`: ids of signed ones that were left alone, because only unsigned ones were to be given up. */
  | { readonly outcome: 'done'; readonly ends: readonly KeylessEnd[]; readonly kept: readonly string[] };

/** Gives up the transactions of a key that will never be available again, as an operator states. */
export class GiveUpKeylessCommand extends PayloadCommand<
  {
    readonly chain: Chain;
    /** Of the key. */
    readonly address: Hex;
    /** Only this transaction; all of the key by default. */
    readonly transactionId?: string;
    /** Whether signed ones are included. They are given up only if their bytes can no longer have any effect. */
    readonly signed?: boolean;
    /** Absent for a preview, which changes nothing. */
    readonly statement?: KeyStatement;
  },
  GiveUpKeylessOutcome
> {}

const AT_ONCE = 500;

@CommandHandler(GiveUpKeylessCommand)
export class GiveUpKeylessHandler implements ICommandHandler<GiveUpKeylessCommand> {
  constructor(
    private readonly pending: PendingTransactions,
    private readonly ends: KeylessEnds,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload, context }: GiveUpKeylessCommand): Promise<GiveUpKeylessOutcome> {
    const { chain, address, transactionId, statement, signed: isSignedMeant = false } = payload;
    if ((await keyIdOf({ signer: this.signer, settings: this.settings }, address)) !== undefined)
      return { outcome: 'key-held' };
    const isMeant = ({ id }: { readonly id: string }) => transactionId === undefined || id === transactionId;
    const unsigned = (await this.unsigned(chain, address)).filter(isMeant);
    const signed = (await this.signed(chain, address)).filter(isMeant);
    const meant = isSignedMeant ? signed : [];
    const kept = isSignedMeant ? [] : signed.map(({ id }) => id);
    if (statement === undefined) {
      const outlooks: SignedOutlook[] = [];
      for (const { id } of meant) outlooks.push(await this.ends.outlook(id, address, context));
      return { outcome: 'preview', unsigned: unsigned.map(({ id }) => id), signed: outlooks, kept };
    }
    const ends: KeylessEnd[] = [];
    for (const { id, correlationId } of unsigned)
      ends.push(await this.ends.end(id, address, statement, { ...context, correlationId }));
    for (const { id, correlationId } of meant)
      ends.push(await this.ends.endSigned(id, address, statement, { ...context, correlationId }));
    return { outcome: 'done', ends, kept };
  }

  private async unsigned(chain: Chain, sender: Hex): Promise<Unsigned[]> {
    const [key, before] = [{ chain, sender, minedCount: 0 }, isoTime(this.clock.now())];
    const all: Unsigned[] = [];
    for (;;) {
      const page = await this.pending.unsigned(key, before, AT_ONCE, all.at(-1));
      all.push(...page);
      if (page.length < AT_ONCE) return all;
    }
  }

  private async signed(chain: Chain, sender: Hex): Promise<PendingTransaction[]> {
    const key = { chain, sender, minedCount: Number.MAX_SAFE_INTEGER };
    const all: PendingTransaction[] = [];
    for (;;) {
      const page = await this.pending.used(key, AT_ONCE, (all.at(-1)?.nonce ?? -1) + 1);
      all.push(...page);
      if (page.length < AT_ONCE) return all;
    }
  }
}
