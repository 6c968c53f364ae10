import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { QueueItem, RequestDetails, StaffActor } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import { openRequest } from '../account-request/account-request.decider';
import type { ReviewCommand } from '../account-request/review-command.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { QueueItems } from './queue-items';
import { AccountRequests } from '../account-request/account-requests';
import { LivenessSessions } from '../liveness/liveness-sessions';
import { Persons } from '../person/persons';
import { resealed } from '../person/seal-person';

type Distributed<C> = C extends ReviewCommand ? Omit<C, 'at'> : never;
/** As it comes over the bus: a note is sealed for the way. */
export type StaffCommand = Distributed<ReviewCommand>;

/** One member of staff does one thing with one case. */
export class ReviewRequestCommand extends PayloadCommand<
  { readonly requestId: string; readonly command: StaffCommand },
  QueueItem
> {}

@CommandHandler(ReviewRequestCommand)
export class ReviewRequestHandler implements ICommandHandler<ReviewRequestCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly items: QueueItems,
    private readonly persons: Persons,
    private readonly sessions: LivenessSessions,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload: { requestId, command }, context }: ReviewRequestCommand): Promise<QueueItem> {
    const before = openRequest(await this.requests.load(requestId));
    const { details } = before.terms;
    if (command.kind === 'approve') await this.mayApprove(command.staff, details);
    const facts = command.kind === 'approve' ? await this.livenessOf(before) : {};
    // What staff write about a person belongs to the person, and is erased with them.
    const sealing = (note: Sealed | null) => resealed(this.personalData, details.holder.subjectId, note);
    const step = 'note' in command ? { ...command, note: await sealing(command.note) } : command;
    const state = await this.requests.move(
      requestId,
      (at) => ({ kind: 'review', command: { ...step, ...facts, at } }),
      context,
    );
    return this.items.of(state);
  }

  /**
   * No one approves a person whom they may not look at for any reason: after an erasure was asked for, approvers alone
   * look.
   */
  private async mayApprove({ roles }: StaffActor, details: RequestDetails): Promise<void> {
    if (roles.includes('compliance-approver')) return;
    const people = [
      details.holder,
      ...(details.mode === 'kyc' && details.representative ? [details.representative] : []),
    ];
    const known = await Promise.all(people.map(({ subjectId }) => this.persons.load(subjectId)));
    if (known.some(({ status }) => status === 'restricted'))
      refuse('personal-data-restricted', 'an erasure was asked for: approvers alone look, and approve');
  }

  /** Read at the moment of the approval, because the policy that tells the request may be behind. */
  private async livenessOf(state: OpenRequest): Promise<Pick<Extract<ReviewCommand, { kind: 'approve' }>, 'liveness'>> {
    const session = state.parts.liveness;
    return session === null
      ? {}
      : { liveness: { sessionFingerprint: session.fingerprint, sharedWith: await this.sessions.sharersOf(state) } };
  }
}
