import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ScreenedCase } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import type { Person } from '../account-request/screening.domain';
import { peopleOf } from '../account-request/screening.domain';
import { Persons } from '../person/persons';
import { personOf, PersonMatches } from '../screening/person-matches';
import { isScreened, newHits } from './repeated-screening.domain';

/** Screens the people of one case again. Returns the number of new hits. */
export class ScreenAgainCommand extends PayloadCommand<
  { readonly screened: ScreenedCase; readonly roundId: string; readonly listsVersion: string },
  number
> {}

/** Every result has its own command id, so repeating the command in the same round changes nothing. */
@CommandHandler(ScreenAgainCommand)
export class ScreenAgainHandler implements ICommandHandler<ScreenAgainCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly persons: Persons,
    private readonly matches: PersonMatches,
  ) {}

  async execute({ payload, context }: ScreenAgainCommand): Promise<number> {
    const state = await this.requests.load(payload.screened.id);
    if (!isOpenRequest(state) || !isScreened(state)) return 0;
    let raised = 0;
    for (const person of peopleOf(state)) raised += await this.ofRequest(state, person, payload, context);
    return raised;
  }

  private async ofRequest(
    state: OpenRequest,
    person: Person,
    { roundId, listsVersion }: ScreenAgainCommand['payload'],
    context: RequestContext,
  ): Promise<number> {
    const {
      terms: { requestId },
    } = state;
    const { subjectId } = personOf(state, person);
    return this.unlessErased(subjectId, async () => {
      const found = newHits(state, person, await this.matches.ofRequest(state, person, context));
      if (found.length === 0) return 0;
      const hits = await this.matches.sealed(subjectId, found);
      const commandId = derivedId('screen-again', roundId, requestId, person);
      await this.requests.handle(requestId, (at) => ({ kind: 'repeat-screening', person, hits, listsVersion, at }), {
        ...context,
        commandId,
      });
      return hits.length;
    });
  }

  /** Zero for an erased person, also if the erasure happens meanwhile. */
  private async unlessErased(subjectId: string, screen: () => Promise<number>): Promise<number> {
    if ((await this.persons.load(subjectId)).isKeyDestroyed) return 0;
    try {
      return await screen();
    } catch (error) {
      if (error instanceof SubjectErased) return 0;
      throw error;
    }
  }
}
