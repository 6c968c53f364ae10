import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ResolvedPixKey, ResolvePixKey } from '@ponte/contracts';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { pixKeyOf } from '@ponte/kernel';
import { PERSONAL_DATA, RequestQuery } from '@ponte/nest';
import { Accounts, openHolderOf } from '../deposit/pix-accounts.service';
import { PersonSealing } from '../person/person-sealing.service';
import { KeyLookUps } from './key-look-ups.service';

/** Whether a Pix key belongs to the holder of an account, compared by the fingerprints of the tax ids. */
export class ResolvePixKeyQuery extends RequestQuery<typeof ResolvePixKey> {}

@QueryHandler(ResolvePixKeyQuery)
export class ResolvePixKeyHandler implements IQueryHandler<ResolvePixKeyQuery> {
  constructor(
    private readonly accounts: Accounts,
    private readonly sealing: PersonSealing,
    private readonly lookUps: KeyLookUps,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  /**
   * Null if the key is not registered. Refuses `too-many-pix-key-look-ups`. Throws `rail-unavailable` if the directory
   * does not answer.
   */
  async execute({ payload: { accountId, key }, context }: ResolvePixKeyQuery): Promise<ResolvedPixKey | null> {
    const pixKey = pixKeyOf(await this.personalData.open(key));
    if (!pixKey) return null;
    const account = await this.accounts.get(accountId, context);
    const payer = { accountId, parentId: account?.parentId ?? null };
    const owner = await this.lookUps.lookUp(pixKey, payer, context);
    if (!owner) return null;
    // No data of an owner other than the holder may leave this query.
    if (account?.taxIdFingerprint !== this.sealing.fingerprint(owner.taxId)) return { ownedByHolder: false };
    const sealed = isInTransit(key)
      ? await this.sealing.payeeInTransit(owner, pixKey.value)
      : await this.sealing.payee(owner, pixKey.value, accountId, openHolderOf(account));
    if (sealed.pixKey === null) throw new Error('sealing the payee returned no Pix key');
    return { ownedByHolder: true, target: { pixKey: sealed.pixKey, payee: sealed.payee } };
  }
}

/** The gateway seals the key of a dry run under the transit subject; see `PixKeys`. */
const isInTransit = (key: Sealed): boolean => key.startsWith(`sealed:v1:${LEDGER_TRANSIT_SUBJECT}:`);
