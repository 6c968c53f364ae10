import { Inject, Injectable } from '@nestjs/common';
import type { ClearPep, ScreeningHit, SealedKycPerson, SealedPerson } from '@ponte/contracts';
import { BRAZIL, FindAddressHits } from '@ponte/contracts';
import type { MessageBus, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PERSONAL_DATA } from '@ponte/nest';
import type { AccountTerms } from '../account/account.state';
import type { OpenRequest } from '../account-request/account-request.state';
import type { Person } from '../account-request/screening.domain';
import type { Screening, ScreeningMatch, ScreeningSubject } from './screening.port';
import { SCREENING } from './screening.port';

/** The score of an address hit. Addresses match exactly or not at all. */
const SURE = 100;

/** Screens the people of a request. Personal data is decrypted only for this. */
@Injectable()
export class PersonMatches {
  constructor(
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SCREENING) private readonly screening: Screening,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** What the lists say about one person of a request and, for the holder, about the external wallets. */
  async ofRequest(state: OpenRequest, person: Person, context: RequestContext): Promise<readonly ScreeningMatch[]> {
    const [named, wallets] = await Promise.all([
      this.ofPerson(personOf(state, person)),
      person === 'holder' ? this.walletHits(state, context) : [],
    ]);
    return [...named, ...wallets];
  }

  async ofPerson(sealed: SealedPerson | SealedKycPerson): Promise<readonly ScreeningMatch[]> {
    return (await this.screening.screen(await this.subjectOf(sealed))).hits;
  }

  /** What the lists say about the holder of an account that an operator opened, of whom only the name is known. */
  async ofHolder({ holderId, legalName }: AccountTerms): Promise<readonly ScreeningMatch[]> {
    const names = [await this.personalData.open(legalName)];
    const subject = { subjectRef: holderId, names, dateOfBirth: null, country: BRAZIL };
    return (await this.screening.screen(subject)).hits;
  }

  /** The matches as hits: what was compared is sealed under the person. */
  sealed(subjectId: string, matches: readonly ScreeningMatch[]): Promise<ScreeningHit[]> {
    return Promise.all(
      matches.map(async ({ matchedOn, ...hit }) => ({
        ...hit,
        match: await this.personalData.seal(subjectId, matchedOn),
      })),
    );
  }

  /** Hits on external wallets count as hits of the holder: each needs a verdict and four eyes like any other. */
  private async walletHits(
    { terms: { externalWallets } }: OpenRequest,
    context: RequestContext,
  ): Promise<readonly ScreeningMatch[]> {
    if (externalWallets.length === 0) return [];
    const addresses = externalWallets.map(({ address }) => address);
    const { found } = await this.bus.request(FindAddressHits, { addresses }, context);
    return found.flatMap(({ address, hits }) =>
      hits.map(({ list, entryId }) => ({ list, entryId, score: SURE, matchedOn: `external wallet ${address}` })),
    );
  }

  /** A reliance request has no name, so lists find nothing. A vendor is asked, because it may know the pseudonym. */
  private async subjectOf(sealed: SealedPerson | SealedKycPerson): Promise<ScreeningSubject> {
    const { subjectId: subjectRef, country } = sealed;
    if (!('firstName' in sealed)) return { subjectRef, names: [], dateOfBirth: null, country };
    const [first, last, birth, pep] = await Promise.all(
      [sealed.firstName, sealed.lastName, sealed.dateOfBirth, sealed.pep].map((one) => this.personalData.open(one)),
    );
    const declared = pep === ERASED ? null : (JSON.parse(pep as string) as ClearPep);
    const own = `${first} ${last}`;
    // A politically exposed person may be listed under another spelling of the name.
    const names =
      declared?.relationship === 'self' && declared.fullName !== null && declared.fullName !== own
        ? [own, declared.fullName]
        : [own];
    return { subjectRef, names, dateOfBirth: birth ?? null, country };
  }
}

/** The encrypted data of the holder or the representative. Throws if the request has no representative. */
export function personOf({ terms: { details } }: OpenRequest, person: Person): SealedPerson | SealedKycPerson {
  if (person === 'holder') return details.holder;
  if (details.mode === 'reliance' || !details.representative) throw new Error('there is no representative to screen');
  return details.representative;
}
