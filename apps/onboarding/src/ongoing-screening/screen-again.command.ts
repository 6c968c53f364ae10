import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ScreenedCase } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts';
import type { OpenedAccount } from '../account/account.state';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import type { Person as Role } from '../account-request/screening.domain';
import { peopleOf } from '../account-request/screening.domain';
import { PersonFindings } from '../screening/person-findings';
import { personOf, PersonMatches } from '../screening/person-matches';
import type { ScreeningMatch } from '../screening/screening.port';
import { withOthers } from './new-findings.domain';
import { RaiseFindings } from './raise-findings';
import { isScreened, newHits, unknownHits } from './repeated-screening.domain';

/**
 * Screens the people of one case again, and carries hits of their other cases into it. Returns the number of new hits.
 */
export class ScreenAgainCommand extends PayloadCommand<
  {
    readonly screened: ScreenedCase;
    readonly roundId: string;
    readonly listsVersion: string;
    /** Whether only hits of other cases are carried, without a search of the lists. Default: false. */
    readonly carriesOnly?: boolean;
  },
  number
> {}

type Round = Pick<ScreenAgainCommand['payload'], 'roundId' | 'listsVersion' | 'carriesOnly'>;

/** Every result has its own command id, so repeating the command in the same round changes nothing. */
@CommandHandler(ScreenAgainCommand)
export class ScreenAgainHandler implements ICommandHandler<ScreenAgainCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly accounts: Accounts,
    private readonly findings: RaiseFindings,
    private readonly matches: PersonMatches,
    private readonly known: PersonFindings,
  ) {}

  async execute({ payload, context }: ScreenAgainCommand): Promise<number> {
    const {
      screened: { kind, id },
    } = payload;
    if (kind === 'account') return this.ofAccount(await this.accounts.find(id), payload, context);
    const state = await this.requests.load(id);
    if (!isOpenRequest(state) || !isScreened(state)) return 0;
    let raised = 0;
    for (const person of peopleOf(state)) raised += await this.ofRequest(state, person, payload, context);
    return raised;
  }

  private async ofRequest(
    state: OpenRequest,
    person: Role,
    { roundId, listsVersion, carriesOnly = false }: Round,
    context: RequestContext,
  ): Promise<number> {
    const { requestId } = state.terms;
    const { subjectId } = personOf(state, person);
    return this.findings.unlessErased(subjectId, async () => {
      const [matches, known] = await Promise.all([
        carriesOnly ? [] : this.matches.ofRequest(state, person, context),
        this.known.uncleared(subjectId, requestId),
      ]);
      const found = newHits(state, person, matches);
      const hits = withOthers(await this.matches.sealed(subjectId, found), unknownHits(state, person, known));
      if (hits.length === 0) return 0;
      const commandId = derivedId('screen-again', roundId, requestId, person);
      const command = { kind: 'repeat-screening', person, hits, listsVersion } as const;
      await this.requests.handle(requestId, (at) => ({ ...command, at }), { ...context, commandId });
      return hits.length;
    });
  }

  /** The people of the request that the account comes from; the holder alone if an operator opened it. */
  private async ofAccount(
    account: OpenedAccount | null,
    { roundId: source, listsVersion, carriesOnly = false }: Round,
    context: RequestContext,
  ): Promise<number> {
    if (!account || account.status === 'closed') return 0;
    const round = { source, listsVersion };
    const search = (find: () => Promise<readonly ScreeningMatch[]>) => (carriesOnly ? async () => [] : find);
    const { accountId, holderId, request } = account.terms;
    const origin = request && (await this.requests.load(request.requestId));
    if (!origin || !isOpenRequest(origin)) {
      const holder = { subjectId: holderId, accountId, person: 'holder' } as const;
      return this.findings.raise(
        holder,
        search(() => this.matches.ofHolder(account.terms)),
        round,
        context,
      );
    }
    let raised = 0;
    for (const person of peopleOf(origin)) {
      const sealed = personOf(origin, person);
      const screened = { subjectId: sealed.subjectId, accountId, person };
      raised += await this.findings.raise(
        screened,
        search(() => this.matches.ofPerson(sealed)),
        round,
        context,
      );
    }
    return raised;
  }
}
