import { Inject, Injectable } from '@nestjs/common';
import type { ClearAddress, DuplicatesFound, RequestDuplicate, TraitKind } from '@ponte/contracts';
import type { PersonalData, RequestContext, Sealed } from '@ponte/event-sourcing';
import { Aggregates, behindEvent, commandContext, ERASED } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA } from '@ponte/nest';
import { AccountRequests } from '../account-request/account-requests.service';
import { Accounts } from '../account/accounts.service';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { othersNaming } from '../liveness/liveness-session.decider';
import { LivenessSessions } from '../liveness/liveness-sessions.service';
import { fileIdsOf } from '../account-request/files.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import type { TraitBearer } from './request-trait.decider';
import { requestTrait } from './request-trait.decider';

interface Trait {
  readonly kind: TraitKind;
  readonly fingerprint: string;
}

const normal = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What requests have in common. Personal values are opened here only to compute their fingerprints. */
@Injectable()
export class RequestTraits {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly requests: AccountRequests,
    private readonly accounts: Accounts,
    private readonly files: EvidenceFiles,
    private readonly sessions: LivenessSessions,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Records every trait that the request has, at the revision `atLeast` or later. Repeating it changes nothing. */
  async record(requestId: string, atLeast: number, context: RequestContext): Promise<void> {
    const { state, revision } = await this.requests.loadWithRevision(requestId);
    if (!isOpenRequest(state) || revision < atLeast)
      return behindEvent(`account request ${requestId}`, `revision ${revision}`);
    const { subjectId } = state.terms.details.holder;
    for (const { kind, fingerprint } of await this.traitsOf(state)) {
      const own = { ...context, commandId: derivedId('request-trait', requestId, fingerprint) };
      await this.aggregates.handle(
        requestTrait,
        fingerprint,
        (at) => ({ kind: 'note', trait: kind, fingerprint, requestId, subjectId, at }),
        commandContext(own, this.clock),
      );
    }
  }

  /** Other requests that share a trait, by kind. Other requests of the same person are included and marked. */
  async duplicatesOf(state: OpenRequest): Promise<RequestDuplicate[]> {
    const found = await this.bearersOf(state);
    return Promise.all(
      [...found].map(async ([kind, bearers]) => ({ kind, requests: await this.shown(state, [...bearers.values()]) })),
    );
  }

  /** The ids of the same requests. Those of other people that share the liveness session are recorded as sharing. */
  async duplicateIdsOf(state: OpenRequest): Promise<DuplicatesFound['data']['duplicates']> {
    const { subjectId } = state.terms.details.holder;
    return [...(await this.bearersOf(state))].map(([kind, bearers]) => ({
      kind,
      requestIds: [...bearers.values()]
        .filter((one) => kind !== 'liveness' || one.subjectId === subjectId)
        .map(({ requestId }) => requestId),
    }));
  }

  private async bearersOf(state: OpenRequest): Promise<Map<TraitKind, Map<string, TraitBearer>>> {
    const own = state.terms.details.holder.subjectId;
    const found = new Map<TraitKind, Map<string, TraitBearer>>();
    const add = (kind: TraitKind, bearers: readonly TraitBearer[]): void => {
      const others = bearers.filter(({ requestId }) => requestId !== state.terms.requestId);
      if (others.length > 0)
        found.set(kind, new Map([...(found.get(kind) ?? []), ...others.map((one) => [one.requestId, one] as const)]));
    };
    for (const { kind, fingerprint } of await this.traitsOf(state))
      add(kind, (await this.aggregates.load(requestTrait, fingerprint)).state.bearers);
    if (state.parts.liveness) {
      const session = await this.sessions.load(state.parts.liveness.fingerprint);
      add('liveness', othersNaming(session, { requestId: state.terms.requestId, subjectId: own }));
    }
    return found;
  }

  private async shown(state: OpenRequest, bearers: readonly TraitBearer[]): Promise<RequestDuplicate['requests']> {
    const rows = await Promise.all(
      bearers.map(async ({ requestId, subjectId }) => {
        const other = await this.requests.load(requestId);
        if (!isOpenRequest(other)) return [];
        const parent = await this.accounts.load(other.terms.parentId);
        const parentAlias = parent.status === 'absent' ? '' : parent.terms.alias;
        return [
          {
            requestId,
            status: other.status,
            parentAlias,
            samePerson: subjectId === state.terms.details.holder.subjectId,
          },
        ];
      }),
    );
    return rows.flat();
  }

  /** The traits of the request. Sealed values of an erased person cannot be opened, so they give no traits. */
  private async traitsOf(state: OpenRequest): Promise<Trait[]> {
    const { details, externalWallets } = state.terms;
    const traits: Trait[] = externalWallets.map(({ address }) => this.trait('wallet', address));
    for (const fileId of [...new Set([...fileIdsOf(state, 'holder'), ...fileIdsOf(state, 'representative')])]) {
      const file = await this.files.load(fileId);
      if (file.status === 'kept') traits.push(this.trait('document-file', file.terms.sha256));
    }
    if (details.mode === 'reliance') return traits;
    traits.push(...(await this.opened('email', details.email, (text) => text.trim().toLowerCase())));
    traits.push(...(await this.opened('phone', details.phone, (text) => text.replace(/\D/g, ''))));
    for (const sealed of [state.parts.holder.address, state.parts.representative.address]) {
      if (sealed !== null) traits.push(...(await this.opened('address', sealed, addressText)));
    }
    return traits.filter((one, at) => traits.findIndex(({ fingerprint }) => fingerprint === one.fingerprint) === at);
  }

  private async opened(kind: TraitKind, sealed: Sealed, normalise: (text: string) => string): Promise<Trait[]> {
    const clear = await this.personalData.open(sealed);
    const text = clear === ERASED ? '' : normalise(clear);
    return text === '' ? [] : [this.trait(kind, text)];
  }

  private trait(kind: TraitKind, value: string): Trait {
    return { kind, fingerprint: this.personalData.fingerprint(`request-trait-${kind}`, value) };
  }
}

/** Ignores case, accents and punctuation. The city is left out because it follows from the postal code. */
function addressText(json: string): string {
  const { postalCode, line1, line2, country } = JSON.parse(json) as ClearAddress;
  return normal([country, postalCode.replace(/\D/g, '') || postalCode, line1, line2].join(' '));
}
