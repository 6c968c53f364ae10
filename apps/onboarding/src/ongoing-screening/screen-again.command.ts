import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ScreenedCase } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { Occasion, PersonOfCases } from './screen-person.service';
import { isScreenedAgain, ScreenPerson } from './screen-person.service';

/**
 * Screens the people of one case again in a round. A person of several cases is screened in all of them with the first
 * one, so that the requests of the person are read once a round. Returns the number of new hits.
 */
export class ScreenAgainCommand extends PayloadCommand<Occasion & { readonly screened: ScreenedCase }, number> {}

@CommandHandler(ScreenAgainCommand)
export class ScreenAgainHandler implements ICommandHandler<ScreenAgainCommand> {
  private roundId = '';
  /**
   * The people and cases of the present round that were screened before their turn. Only this process knows them: the
   * next one screens them again, which changes nothing.
   */
  private readonly early = new Set<string>();

  constructor(private readonly people: ScreenPerson) {}

  async execute({ payload: { screened, ...round }, context }: ScreenAgainCommand): Promise<number> {
    if (this.roundId !== round.roundId) {
      this.roundId = round.roundId;
      this.early.clear();
    }
    let raised = 0;
    for (const subjectId of await this.people.peopleIn(screened)) {
      if (this.early.has(keyOf(subjectId, screened))) continue;
      const person = await this.people.read(subjectId);
      raised += await this.people.inCase(person, screened, round, context);
      raised += await this.inOthers(person, screened, round, context);
    }
    return raised;
  }

  /** A case that fails, and those after it, are left for their turn: then a failure is reported as theirs. */
  private async inOthers(
    person: PersonOfCases,
    screened: ScreenedCase,
    round: Occasion,
    context: RequestContext,
  ): Promise<number> {
    const open = new Set(
      person.requests.flatMap(({ state }) => (isScreenedAgain(state) ? [state.terms.requestId] : [])),
    );
    const others = person.cases.filter(
      (one) => canonicalJson(one) !== canonicalJson(screened) && (one.kind === 'account' || open.has(one.id)),
    );
    let raised = 0;
    try {
      for (const other of others) {
        if (this.early.has(keyOf(person.subjectId, other))) continue;
        raised += await this.people.inCase(person, other, round, context);
        if (this.roundId === round.roundId) this.early.add(keyOf(person.subjectId, other));
      }
    } catch {
      // Tried again in its turn.
    }
    return raised;
  }
}

const keyOf = (subjectId: string, screened: ScreenedCase): string => `${subjectId} ${screened.kind} ${screened.id}`;
