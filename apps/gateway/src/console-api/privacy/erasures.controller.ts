import { Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PersonKey } from '@ponte/contracts';
import { ErasePerson, OpenPrivacyReport, OpenReviewCase, sealRequest } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime, refuse } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import type { Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { signedIn } from '../../staff/call';
import { CONFIRM_WITHIN_MS, readPrepared, typedFingerprint, writePrepared } from '../../staff/erasure-tokens';
import { holderDto, representativeDto } from '../case/person.mapper';
import type { EraseDto, ErasureEnvelopeDto, ErasurePreparationEnvelopeDto, PrepareErasureDto } from './privacy.dto';
import { retainedUntil } from './privacy.mapper';
import { ERASING, PREPARING_ERASURE } from './privacy.operations';

/** Erasure cannot be undone, so a staff member first sees whom it affects, then types that person's name or number. */
@Resource('staff/v1/erasures', 'privacy')
export class ErasuresController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  @StaffOperation('staff-prepare-erasure', PREPARING_ERASURE)
  @Post('preparation')
  async prepare(@Req() { call, body }: FastifyRequest): Promise<ErasurePreparationEnvelopeDto> {
    const { actor } = signedIn(call);
    const { person, confirmWith } = await this.who(body as PrepareErasureDto);
    const view = { person, staff: actor, purpose: 'privacy-request' } as const;
    const report = found(await this.services.request(OpenPrivacyReport, view, call), 'person-not-found');
    if (report.status === 'erased') refuse('person-erased', 'the data of this person was erased before');
    const [typed, until, end] = [
      confirmWith ?? (await this.nameOf(person, call)),
      this.systemClock.now() + CONFIRM_WITHIN_MS,
      retainedUntil(report),
    ];
    const now = isoTime(this.clock.now());
    const outcome = end !== null && now >= end ? 'erased' : 'restricted';
    const token = await writePrepared(this.personalData, {
      person,
      staffId: actor.staffId,
      expected: typedFingerprint(this.personalData, typed),
      outcome,
      until,
    });
    return {
      'erasure-preparation': {
        token,
        'confirm-with': typed,
        'expires-at': isoTime(until),
        'subject-id': report.subjectId,
        status: report.status,
        outcome,
        'retained-until': end,
      },
    };
  }

  @StaffOperation('staff-erase', ERASING)
  @Post()
  async erase(@Req() { call, body }: FastifyRequest): Promise<ErasureEnvelopeDto> {
    const { token, typed } = body as EraseDto;
    const { actor } = signedIn(call);
    const prepared = await readPrepared(this.personalData, token, actor.staffId, this.systemClock.now());
    if (!prepared)
      return refuse(
        'erasure-not-confirmed',
        'the preparation belongs to another staff member or has expired: prepare the erasure again',
        'token',
      );
    if (typedFingerprint(this.personalData, typed) !== prepared.expected)
      refuse('erasure-not-confirmed', 'must be the text that the preparation asked for', 'typed');
    const { person, outcome: expected } = prepared;
    const erasing = { person, staff: actor, expected };
    const erasure = found(await this.services.request(ErasePerson, erasing, call), 'person-not-found');
    return {
      erasure: { 'subject-id': erasure.subjectId, outcome: erasure.outcome, 'retained-until': erasure.retainedUntil },
    };
  }

  /**
   * `confirmWith` is the number of an identifier, the id of a deposit, or null for a person of a request, whose name is
   * looked up.
   */
  private async who(
    body: PrepareErasureDto,
  ): Promise<{ readonly person: PersonKey; readonly confirmWith: string | null }> {
    const { identifier, 'deposit-id': depositId, person = 'holder', 'account-request-id': requestId } = body;
    if (identifier)
      return {
        person: { kind: 'identifier', identifier: await sealRequest(this.personalData, identifier) },
        confirmWith: identifier.value,
      };
    if (depositId !== undefined) return { person: { kind: 'deposit', depositId }, confirmWith: depositId };
    if (requestId === undefined) throw new TypeError('the body names no person');
    return { person: { kind: 'request', requestId, person }, confirmWith: null };
  }

  /**
   * Opening the case counts and is recorded as a separate view. In reliance mode no name is stored, so the number takes
   * its place.
   */
  private async nameOf(key: PersonKey, call: Call): Promise<string> {
    if (key.kind !== 'request') throw new TypeError(`a person given by ${key.kind} has no name to look up`);
    const request = {
      requestId: key.requestId,
      staff: signedIn(call).actor,
      purpose: 'privacy-request',
      note: null,
    } as const;
    const look = derivedId('erasure-look', call.commandId);
    const opened = await this.services.request(OpenReviewCase, request, call, look);
    const { details } = found(opened, 'account-request-not-found');
    const person =
      key.person === 'holder' || details.mode === 'reliance'
        ? await holderDto(this.personalData, details)
        : await representativeDto(this.personalData, details);
    const shown = found(person, 'person-not-found');
    const name = [shown['first-name'], shown['last-name']]
      .filter((one) => one !== undefined)
      .join(' ')
      .trim();
    return name === '' ? shown.identifier.value : name;
  }
}
