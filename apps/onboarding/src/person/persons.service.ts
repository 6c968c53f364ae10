import { Inject, Injectable } from '@nestjs/common';
import type { PersonalDataViewed, PersonKey, StaffActor, StaffRole, Timestamp, ViewPurpose } from '@ponte/contracts';
import { openInTransit, parseIdentity, personIdOf, unidentifiedPayerIdOf, VIEW_PURPOSES } from '@ponte/contracts';
import type { ClearIdentifier } from '@ponte/contracts';
import type { PersonalData, RequestContext, Sealed, CommandSource } from '@ponte/event-sourcing';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime, refuse, refuseAll } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA } from '@ponte/nest';
import { isOpenRequest, subjectIdOf } from '../account-request/account-request.state';
import type { Person, PersonCommand } from './person.decider';
import { person } from './person.decider';
import type { Mentioned } from './mentions.domain';
import { resealed } from './seal-person';
import { wordViolations } from './texts.domain';
import { AccountRequests } from '../account-request/account-requests.service';

/** Roles that may view personal data, unless {@link VIEWERS_OF} names others. */
const VIEWERS: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver', 'auditor'];
/** Operators decide on USD deposits, and compare them with the bank statement. */
const VIEWERS_OF: Partial<Record<View['what'], readonly StaffRole[]>> = {
  'usd-deposit': ['operator', 'compliance-approver'],
};
/** Roles and purposes that are still allowed after an erasure was requested. */
const LEGAL_VIEWERS: readonly StaffRole[] = ['compliance-approver', 'auditor'];
const LEGAL_PURPOSES: readonly ViewPurpose[] = ['audit', 'legal-request', 'privacy-request'];

interface View {
  readonly staff: StaffActor;
  readonly purpose: ViewPurpose;
  readonly what: PersonalDataViewed['data']['what'];
  readonly requestId: string | null;
  readonly fileId: string | null;
  /** Sealed under the transit subject (`sealRequest`). */
  readonly note: Sealed | null;
}

/** The streams of persons: what is held about them and who viewed it. */
@Injectable()
export class Persons {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly requests: AccountRequests,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async load(subjectId: string): Promise<Person> {
    return (await this.aggregates.load(person, subjectId)).state;
  }

  async handle(subjectId: string, command: CommandSource<PersonCommand>, context: RequestContext): Promise<Person> {
    const commandId = derivedId('person', context.commandId, subjectId);
    return (
      await this.aggregates.handle(person, subjectId, command, commandContext({ ...context, commandId }, this.clock))
    ).state;
  }

  /**
   * Notes a record that is about to be written, so that an erasure never misses it. A record that is never written no
   * longer counts a day later. Refuses `person-erased`: the data was sealed before the erasure.
   */
  async announce({ subjectId, mention }: Mentioned, context: RequestContext): Promise<void> {
    await this.handle(subjectId, (at) => ({ kind: 'mention', subjectId, mention, isComing: true, at }), context);
  }

  /** Records a view before any data is shown. Refuses `role-not-allowed` and `personal-data-restricted`. */
  async view(subjectId: string, view: View, context: RequestContext): Promise<Person> {
    const { staff, purpose, what, requestId, fileId } = view;
    this.mayView(staff, purpose, await this.load(subjectId), VIEWERS_OF[what]);
    const note = await this.resealed(subjectId, view.note);
    return this.handle(
      subjectId,
      (at) => ({
        kind: 'view',
        view: {
          subjectId,
          requestId,
          what,
          fileId,
          staffId: staff.staffId,
          roles: staff.roles,
          purpose,
          note,
          viewedAt: at,
        },
      }),
      context,
    );
  }

  mayView({ roles }: StaffActor, purpose: ViewPurpose, { status }: Person, viewers = VIEWERS): void {
    refuseAll(wordViolations([purpose], VIEW_PURPOSES, 'purpose'));
    if (!roles.some((role) => viewers.includes(role)))
      refuse('role-not-allowed', `only ${viewers.join(', ')} can view this personal data`);
    if (
      status === 'restricted' &&
      !(roles.some((role) => LEGAL_VIEWERS.includes(role)) && LEGAL_PURPOSES.includes(purpose))
    ) {
      refuse(
        'personal-data-restricted',
        'an erasure was requested: only approvers and auditors can view the data, for a legal purpose',
      );
    }
  }

  /** The subject id for a key; null for an unknown key. A number that matches no passport may be a national id. */
  async subjectOf(key: PersonKey): Promise<string | null> {
    if (key.kind === 'identifier') {
      const identifier = await openInTransit<ClearIdentifier>(this.personalData, key.identifier);
      const [usual, other] = [parseIdentity(identifier), parseIdentity(identifier, 'national-id')].map(
        (one) => one && personIdOf(this.personalData, one),
      );
      if (other === undefined || other === usual) return usual ?? null;
      return usual !== undefined && (await this.load(usual)).mentions.size > 0 ? usual : other;
    }
    if (key.kind === 'deposit') return unidentifiedPayerIdOf(key.depositId);
    const state = await this.requests.load(key.requestId);
    return isOpenRequest(state) ? subjectIdOf(state, key.person) : null;
  }

  now(): Timestamp {
    return isoTime(this.clock.now());
  }

  /** Drops the note if the person was erased, because nothing can be sealed for an erased person. */
  private async resealed(subjectId: string, note: Sealed | null): Promise<Sealed | null> {
    if (note === null || (await this.load(subjectId)).isKeyDestroyed) return null;
    return resealed(this.personalData, subjectId, note);
  }
}
