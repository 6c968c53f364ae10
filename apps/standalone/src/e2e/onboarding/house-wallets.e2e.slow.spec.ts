import { GetChains } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { Client, codeOf, codesOf } from '../testing/client';
import type { InProcessCluster } from '../testing/in-process';
import { startInProcess } from '../testing/in-process';
import { SUITE_MS } from '../testing/program';
import { REQUESTS, applicant, person } from './testing/applicant';

jest.setTimeout(SUITE_MS);

let cluster: InProcessCluster;
let partner: Client;
beforeAll(async () => {
  cluster = await startInProcess({});
  partner = Client.bearer(cluster.sandbox['base-url'], cluster.sandbox['api-key']);
});
afterAll(async () => {
  await partner.close();
  await cluster.close();
});

/** The contracts and tokens of every chain. */
async function contracts(): Promise<string[]> {
  const bus = cluster.app.get<MessageBus>(MESSAGE_BUS, { strict: false });
  const context = { commandId: 'test', correlationId: 'test', actor: 'test' };
  const { chains } = await bus.request(GetChains, {}, context);
  return chains.flatMap(({ minter, custody, tokens }) => [minter, custody, ...tokens.map(({ address }) => address)]);
}

it('An account request is refused for each contract and token among its external wallets', async () => {
  const house = [...new Set((await contracts()).map((address) => address.toLowerCase()))];
  expect(house.length).toBeGreaterThan(4);
  const body = await person(partner, applicant(0));
  const own = body['external-wallets'] as string[];
  const refused = await partner.send('POST', REQUESTS, { ...body, 'external-wallets': [...own, ...house] });
  expect([codeOf(refused), ...codesOf(refused)]).toEqual([
    '422 invalid-address',
    ...house.map((_, at) => `external-wallets[${own.length + at}].address invalid-address`),
  ]);
  expect(codeOf(await partner.send('POST', REQUESTS, body))).toBe('201');
});
