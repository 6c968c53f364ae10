import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { CaseItem, RequestDetails, StaffActor } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import { openRequest } from '../account-request/account-request.decider';
import { subjectIdOf } from '../account-request/account-request.state';
import type { ReviewCommand } from '../account-request/review-command.domain';
import { RelatedFindingsReader } from './related-findings-reader.service';
import { QueueItems } from './queue-items.service';
import { AccountRequests } from '../account-request/account-requests.service';
import { Persons } from '../person/persons.service';
import { resealed } from '../person/seal-person';

type Distributed<C> = C extends ReviewCommand ? Omit<C, 'at'> : never;
/** The command as sent over the bus, with the note sealed under the transit subject. */
export type StaffCommand = Distributed<ReviewCommand>;

/** A step by one staff member in one case. */
export class ReviewRequestCommand extends PayloadCommand<
  { readonly requestId: string; readonly command: StaffCommand },
  CaseItem
> {}

@CommandHandler(ReviewRequestCommand)
export class ReviewRequestHandler implements ICommandHandler<ReviewRequestCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly items: QueueItems,
    private readonly persons: Persons,
    private readonly related: RelatedFindingsReader,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload: { requestId, command }, context }: ReviewRequestCommand): Promise<CaseItem> {
    const before = openRequest(await this.requests.load(requestId));
    const { details } = before.terms;
    if (command.kind === 'approve') await this.mayApprove(command.staff, details);
    // Read at the moment of the decision: it may not be recorded in the request yet.
    const facts = 'version' in command ? { found: await this.related.find(before) } : {};
    // Notes of staff about a person are sealed under that person, so that they are erased with the person.
    const about = command.kind === 'judge-hit' ? subjectIdOf(before, command.person) : null;
    const sealing = (note: Sealed | null) => resealed(this.personalData, about ?? details.holder.subjectId, note);
    const step = 'note' in command ? { ...command, note: await sealing(command.note) } : command;
    const state = await this.requests.move(
      requestId,
      (at) => ({ kind: 'review', command: { ...step, ...facts, at } }),
      context,
    );
    return this.items.of(state);
  }

  /** Staff may only approve people whose data they may view: after an erasure request, only approvers may. */
  private async mayApprove({ roles }: StaffActor, details: RequestDetails): Promise<void> {
    if (roles.includes('compliance-approver')) return;
    const people = [
      details.holder,
      ...(details.mode === 'kyc' && details.representative ? [details.representative] : []),
    ];
    const known = await Promise.all(people.map(({ subjectId }) => this.persons.load(subjectId)));
    if (known.some(({ status }) => status === 'restricted'))
      refuse('personal-data-restricted', 'an erasure was requested: only approvers can view the data and approve');
  }
}
