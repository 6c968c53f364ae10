import { Injectable } from '@nestjs/common';
import type { AccountRequested, Identity } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Unavailable, derivedId } from '@ponte/kernel';
import { isFreed, isOpenRequest } from '../account-request/account-request.state';
import type { OpenRequest } from '../account-request/account-request.state';
import {
  accountIdOf,
  identifierReservationId,
  requestIdOf,
  walletReservationId,
} from '../reservation/reservation-ids.domain';
import { mentionsOfRequest } from '../person/mentions.domain';
import { Persons } from '../person/persons.service';
import { AccountRequests } from '../account-request/account-requests.service';
import { Reservations } from '../reservation/reservations.service';

/** The parent that requests an account, and the person that the account is for. */
interface Applicant {
  readonly parentId: string;
  readonly identity: Identity;
  readonly fingerprint: string;
}

type Ids = Pick<AccountRequested['data'], 'requestId' | 'accountId' | 'parentId' | 'attempt'>;
export type RequestedTerms = Omit<AccountRequested['data'], keyof Ids | 'requestedAt'>;

interface Wanted {
  readonly addresses: readonly string[];
  /**
   * Checks rules 3 to 12 against the current state. Throws the refusal, and seals data only after the rules have
   * passed. `accountId` is the id that the account would get.
   */
  readonly checkedTerms: (accountId: string) => Promise<RequestedTerms>;
}

/** Each round fails only because another request made progress; more rounds than this mean a bug. */
const MAX_ROUNDS = 10;

/**
 * Creates a request once per person and parent, even under concurrent attempts. Reservations are made before the
 * request and name it. Concurrent attempts for the same person share the reservations, each under its own claim, until
 * one attempt has appended the request; the others then find it. The request is noted with its people before it is
 * appended, so that an erasure does not miss it.
 */
@Injectable()
export class Placement {
  constructor(
    private readonly requests: AccountRequests,
    private readonly reservations: Reservations,
    private readonly persons: Persons,
  ) {}

  /** The request that prevents another one: pending, approved or active. */
  async existing(applicant: Applicant, context: RequestContext): Promise<OpenRequest | null> {
    const reservationId = idOf(applicant);
    const reservation = await this.reservations.load(reservationId);
    if (reservation.status === 'released') return null;
    const state = await this.requests.load(reservation.holderId);
    if (isFreed(state)) {
      await this.reservations.free(reservationId, reservation.holderId, context);
      return null;
    }
    return isOpenRequest(state) ? state : null;
  }

  async place(
    applicant: Applicant,
    wanted: Wanted,
    context: RequestContext,
  ): Promise<{ readonly created: boolean; readonly request: OpenRequest }> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const found = await this.existing(applicant, context);
      if (found) return { created: false, request: found };
      const terms = await wanted.checkedTerms(accountIdOf(await this.nextRequestId(applicant)));
      const placed = await this.attempt(applicant, wanted.addresses, terms, {
        ...context,
        commandId: derivedId('placement', context.commandId, String(round)),
      });
      if (placed) return placed;
    }
    throw new Unavailable('service-unavailable');
  }

  /** Undefined if another request took a wallet or the identifier meanwhile, so that everything is checked again. */
  private async attempt(
    applicant: Applicant,
    addresses: readonly string[],
    terms: RequestedTerms,
    context: RequestContext,
  ): Promise<{ created: boolean; request: OpenRequest } | undefined> {
    const {
      parentId,
      identity: { country },
      fingerprint,
    } = applicant;
    const claimId = context.commandId;
    const person = { parentId, country, fingerprint };
    const identifier = idOf(applicant);
    const reservation = await this.reservations.claim(
      { reservationId: identifier, of: 'identifier', address: null, holder: person, claimId },
      context,
    );
    if (reservation.status === 'released' || !reservation.claims.includes(claimId)) return undefined;
    const { holderId: requestId, accountId, attempt } = reservation;
    const reserved = await this.reserve(addresses, { holderId: requestId, accountId }, claimId, context);
    if (reserved) {
      const request = (at: string) => ({
        kind: 'request' as const,
        terms: { ...terms, requestId, accountId, parentId, attempt, requestedAt: at },
      });
      for (const mentioned of mentionsOfRequest({ requestId, details: terms.details }))
        await this.persons.announce(mentioned, context);
      const { state, events } = await this.requests.handle(requestId, request, context);
      if (isOpenRequest(state) && events.length > 0) return { created: true, request: state };
      if (isOpenRequest(state)) {
        await this.releaseUnnamed(addresses, state, claimId, context);
        return isFreed(state) ? undefined : { created: false, request: state };
      }
    }
    await this.releaseReservations([identifier, ...addresses.map(walletReservationId)], claimId, context);
    return undefined;
  }

  private async reserve(
    addresses: readonly string[],
    holder: { holderId: string; accountId: string },
    claimId: string,
    context: RequestContext,
  ): Promise<boolean> {
    const claimed = await Promise.all(
      addresses.map((address) =>
        this.reservations.claim(
          { reservationId: walletReservationId(address), of: 'wallet', address, holder, claimId },
          context,
        ),
      ),
    );
    return claimed.every((state) => state.status === 'reserved' && state.accountId === holder.accountId);
  }

  /** The concurrent attempt that created the request may have named fewer wallets. */
  private releaseUnnamed(
    addresses: readonly string[],
    { terms }: OpenRequest,
    claimId: string,
    context: RequestContext,
  ): Promise<void> {
    const named = new Set(terms.externalWallets.map(({ address }) => address));
    return this.releaseReservations(
      addresses.filter((address) => !named.has(address)).map(walletReservationId),
      claimId,
      context,
    );
  }

  private async releaseReservations(
    reservationIds: readonly string[],
    claimId: string,
    context: RequestContext,
  ): Promise<void> {
    await Promise.all(reservationIds.map((id) => this.reservations.releaseClaim(id, claimId, context)));
  }

  private async nextRequestId({ parentId, identity: { country }, fingerprint }: Applicant): Promise<string> {
    const { status, attempt } = await this.reservations.load(identifierReservationId(parentId, country, fingerprint));
    return requestIdOf(parentId, country, fingerprint, status === 'released' ? attempt + 1 : attempt);
  }
}

const idOf = ({ parentId, identity, fingerprint }: Applicant): string =>
  identifierReservationId(parentId, identity.country, fingerprint);
