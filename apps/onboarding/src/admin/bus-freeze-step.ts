import * as contracts from '@ponte/contracts';
import type { PersonalData, RequestDefinition } from '@ponte/event-sourcing';
import type { FreezeStepInput } from './operations';

export interface StepTools {
  readonly personalData: Pick<PersonalData, 'seal'>;
  readonly request: <P, R>(definition: RequestDefinition<P, R>, payload: P) => Promise<R>;
}

/** One step about the freeze of an account, for a member of staff who has signed in. */
export async function freezeStepOf(
  input: FreezeStepInput,
  staff: contracts.StaffActor,
  { personalData, request }: StepTools,
): Promise<contracts.AccountStanding> {
  const { accountId } = input;
  const evidence = (text: string) => contracts.sealRequest(personalData, { secret: text });
  switch (input.step) {
    case 'freeze':
      return request(contracts.RequestAccountFreeze, {
        accountId,
        staff,
        reason: input.reason as contracts.FreezeReason,
        evidence: await evidence(input.evidence),
      });
    case 'release':
      return request(contracts.RequestAccountRelease, {
        accountId,
        staff,
        reason: input.reason as contracts.ReleaseReason,
        evidence: await evidence(input.evidence),
      });
    case 'confirm-freeze':
      return request(contracts.ConfirmAccountFreeze, { accountId, staff });
    case 'confirm-release':
      return request(contracts.ConfirmAccountRelease, { accountId, staff });
    case 'close':
      return request(contracts.CloseFreezeRequest, { accountId, staff });
  }
}
