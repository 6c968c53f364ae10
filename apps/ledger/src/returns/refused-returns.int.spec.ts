import type { IncomingMessage } from 'node:http';
import { eventually } from '@ponte/testing';
import { MAX_RETURNS, depositIdOf, returnIdOf } from '../deposit/deposit.state';
import { problem } from '../testing/api-pix-callbacks';
import { apiPixLedgerForEachTest } from '../testing/api-pix-ledger-for-each-test';
import { reply } from '../testing/bank-under-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';

const HOUR_MS = 3_600_000;
const { ledger, https, pix } = apiPixLedgerForEachTest();

interface Answered {
  readonly status: number;
  readonly body: unknown;
}
/** Lets the bank answer these requests so, and all others as usual. */
function bankAnswers(answerOf: (request: IncomingMessage, isReturn: boolean) => Answered | undefined): void {
  https.answer = (request, response, body) => {
    const answer = answerOf(request, request.url?.includes('/devolucao/') ?? false);
    return answer ? reply(response, answer.status, answer.body) : pix().api.answer(request, response, body);
  };
}
const invalid = problem(400, 'PixDevolucaoInvalida');
const refusesReturns = (answer: Answered) =>
  bankAnswers(({ method }, isReturn) => (isReturn && method === 'PUT' ? answer : undefined));

/** A payment of someone else, which Ponte returns. */
async function received(): Promise<{ depositId: string; endToEndId: string; types: () => Promise<readonly string[]> }> {
  pix().now = ledger.now;
  const endToEndId = await pix().simulated.payCode(await ledger.fundingCode(), '30.00', STRANGER_CPF);
  const depositId = depositIdOf(endToEndId);
  const types = () => ledger.types(`deposit-${depositId}`);
  await eventually(async () => {
    await ledger.tick();
    expect(await types()).toContain('DepositVoided');
  });
  return { depositId, endToEndId, types };
}
const failures = (types: readonly string[]) => types.filter((type) => type === 'DepositReturnFailed').length;
const later = async (hours: number): Promise<void> => {
  ledger.now += hours * HOUR_MS;
  for (let round = 0; round < 2; round += 1) await ledger.tick();
};

describe('A return that the bank refuses', () => {
  it('for an hour gets another id, and is in suspense after five of them', async () => {
    refusesReturns(invalid);
    const { types } = await received();
    await later(0.9);
    expect(failures(await types())).toBe(0);
    for (let attempt = 1; attempt <= MAX_RETURNS; attempt += 1) {
      await later(1);
      expect(failures(await types())).toBe(attempt);
    }
    expect((await types()).at(-1)).toBe('SuspensePosted');
    expect(ledger.lines.join()).toContain('the bank refused a return permanently: staff must handle it');
  });

  it('for less than an hour is executed once, under its first id', async () => {
    refusesReturns(invalid);
    const { types } = await received();
    https.answer = pix().api.answer;
    await later(0.5);
    await eventually(async () => expect((await types()).at(-1)).toBe('DepositReturned'));
    expect(failures(await types())).toBe(0);
    expect(pix().simulated.bank.totals().returned.toString()).toBe('30.00');
  });

  it.each([
    ['without saying that the return is the reason', { status: 400, body: {} }],
    ['as a request that it does not understand', problem(400, 'RequisicaoInvalida')],
    ['because a token is wrong', problem(401, 'NaoAutorizado')],
    ['because we have no access', problem(403, 'AcessoNegado')],
    ['because it finds nothing there', problem(404, 'NaoEncontrado')],
    ['because of too many requests', problem(429, 'PixDevolucaoInvalida')],
    ['because of a fault of its own', problem(503, 'PixDevolucaoInvalida')],
  ])('%s stays due', async (_reason, answer) => {
    refusesReturns(answer);
    const { types } = await received();
    for (let round = 0; round < MAX_RETURNS; round += 1) await later(24);
    expect((await types()).at(-1)).toBe('DepositVoided');
  });

  it('stays due while the bank does not show us the payment, as with the access of another account', async () => {
    const { endToEndId, types } = await (async () => {
      refusesReturns(problem(503, 'ServicoIndisponivel'));
      return received();
    })();
    bankAnswers(({ method, url }, isReturn) => {
      if (isReturn && method === 'PUT') return invalid;
      return url === `/pix/${endToEndId}` ? problem(404, 'PixNaoEncontrado') : undefined;
    });
    for (let round = 0; round < MAX_RETURNS; round += 1) await later(24);
    expect((await types()).at(-1)).toBe('DepositVoided');
  });

  it('in its answer only ends as executed', async () => {
    refusesReturns(problem(503, 'ServicoIndisponivel'));
    const { depositId, endToEndId, types } = await received();
    await pix().simulated.bank.requestReturn(endToEndId, returnIdOf(depositId, 1), '30.00');
    refusesReturns(invalid);
    await later(2);
    await eventually(async () => expect((await types()).at(-1)).toBe('DepositReturned'));
    expect(failures(await types())).toBe(0);
  });

  it.each(['refuses', 'does not execute'])(
    'and executed later under its first id ends as executed, when the bank %s the next one',
    async (how) => {
      refusesReturns(invalid);
      const { depositId, endToEndId, types } = await received();
      await later(1);
      expect(failures(await types())).toBe(1);
      const first = returnIdOf(depositId, 1);
      await pix().simulated.bank.requestReturn(endToEndId, first, '30.00');
      if (how !== 'refuses')
        bankAnswers(({ method, url }, isReturn) =>
          isReturn && method === 'PUT'
            ? { status: 201, body: { id: url?.split('/').at(-1), valor: '30.00', status: 'NAO_REALIZADO' } }
            : undefined,
        );
      await later(1);
      await eventually(async () => expect((await types()).at(-1)).toBe('DepositReturned'));
      expect(failures(await types())).toBe(1);
      const events = await ledger.events(`deposit-${depositId}`);
      expect(events.at(-1)?.data).toMatchObject({ returnId: first, bankReturnId: expect.stringMatching(/^D/) });
      expect(pix().simulated.bank.totals().returned.toString()).toBe('30.00');
    },
  );

  it('is a double return if the bank executes it and takes the payment back', async () => {
    refusesReturns(invalid);
    const { depositId, endToEndId, types } = await received();
    await later(1);
    expect(failures(await types())).toBe(1);
    await pix().simulated.bank.requestReturn(endToEndId, returnIdOf(depositId, 1), '30.00');
    refusesReturns(problem(503, 'ServicoIndisponivel'));
    pix().now = ledger.now;
    await pix().takeBack(endToEndId);
    await later(0.1);
    await eventually(async () => expect((await types()).slice(-2)).toEqual(['DepositReturned', 'DoubleReturnPosted']));
  });
});
