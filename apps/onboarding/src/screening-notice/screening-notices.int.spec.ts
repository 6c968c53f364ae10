import { holderIdOf, identityFingerprint } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { identityOf } from '../person/seal-person';
import { findingsUnderTest, HIT } from '../testing/findings';
import type { WithPartner } from '../testing/requests';
import { requestsOf, startWithPartner } from '../testing/requests';

let current: WithPartner;
let cpf: string;
beforeEach(async () => {
  // No round screens anyone here: only notices do.
  current = await startWithPartner({ environment: 'production', dueEveryMs: 50 });
  cpf = nextCpf();
});
afterEach(() => current.onboarding.stop());

const { nextCpf, made, until } = requestsOf(() => current);
const { account, findings, findingOf } = findingsUnderTest(() => current);
const screening = () => current.onboarding.vendors.screening;
const subjectOf = (value: string) =>
  holderIdOf(identityFingerprint(current.onboarding.engines.personalData, identityOf({ value, country: 'BRA' })));

describe("A vendor's notice about a person", () => {
  it('screens the accounts of the person at once, and a repeated one changes nothing', async () => {
    const accountId = await account(cpf);
    screening().hits = [HIT];
    await screening().notify(subjectOf(cpf));
    await findingOf(accountId, { status: 'open', version: 1 });
    await screening().notify(subjectOf(cpf));
    await findingOf(accountId, { status: 'open', version: 1 });
    expect(await findings({ accountId })).toHaveLength(1);
  });

  it('screens the pending requests of the person at once', async () => {
    const { requestId } = await made({}, cpf);
    await until(requestId, 'manual-review');
    screening().hits = [HIT];
    await screening().notify(subjectOf(cpf));
    expect((await current.onboarding.events()).map(({ type }) => type)).toContain('ScreeningRepeated');
  });

  it('is not trusted: what it says matters only as far as the screening confirms it', async () => {
    const accountId = await account(cpf);
    const before = screening().screened.length;
    await screening().notify(subjectOf(nextCpf()));
    await screening().notify('../not-a-subject');
    expect(screening().screened).toHaveLength(before);
    await screening().notify(subjectOf(cpf));
    expect([screening().screened.length > before, await findings({ accountId })]).toEqual([true, []]);
  });

  it('is sent again by the vendor if the person cannot be screened, or was screened too often', async () => {
    const accountId = await account(cpf);
    screening().down = true;
    await expect(screening().notify(subjectOf(cpf))).rejects.toBeInstanceOf(Unavailable);
    screening().down = false;
    const outcomes: string[] = [];
    for (let sent = 0; sent < 5; sent += 1)
      outcomes.push(
        await screening()
          .notify(subjectOf(cpf))
          .then(
            () => 'screened',
            (error: unknown) => (error instanceof Unavailable ? 'later' : 'failed'),
          ),
      );
    expect(outcomes).toEqual(['screened', 'screened', 'later', 'later', 'later']);
    screening().hits = [HIT];
    current.onboarding.advance(60_000);
    await screening().notify(subjectOf(cpf));
    await findingOf(accountId, { status: 'open' });
  });
});
