import type { Refusal } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { OTHER } from '../testing/certificates-under-test';
import { codeOf } from '../testing/simulated-chains';
import { OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();
const LIMIT = 'an account may make 2 transfers of tokens and certificates a day';

beforeEach(async () => {
  const settings = service.movements.part<MovementsSettings>(SETTINGS);
  jest.replaceProperty(settings, 'transfersPerDay', 2);
  service.fund(10);
});

const counted = () => service.movements.ofType('TransferCounted');
const violationsOf = (request: Promise<unknown>): Promise<readonly string[]> =>
  request.then(
    () => [],
    (error: Refusal) => error.violations.map(({ path, message }) => `${path} ${message}`),
  );

describe('The transfers of an account', () => {
  it('are limited to a number per day, which also counts parallel requests and leaves nothing held', async () => {
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(service.send(service.request()))));
    expect(codes.filter((code) => code === 'limit-exceeded')).toHaveLength(4);
    expect(await violationsOf(service.send(service.request()))).toEqual([` ${LIMIT}`]);
    expect(counted()).toHaveLength(2);
    await eventually(() => expect(service.movements.ofType('TransferCompleted')).toHaveLength(2));
    await eventually(() => expect(service.movements.holds.size).toBe(0));
  });

  it('are limited together with those of certificates', async () => {
    const { movements } = service;
    const certificate = await movements.minted();
    await service.send(service.request());
    await movements.ended((await movements.transfer(certificate, OUTSIDE)).id);
    const other = await movements.minted();
    expect(await violationsOf(movements.transfer(other, OUTSIDE, { externalId: 'gift' }))).toEqual([` ${LIMIT}`]);
    expect(movements.ofType('MovementExternalIdTaken')).toEqual([]);
    expect(await codeOf(service.send(service.request()))).toBe('limit-exceeded');
  });

  it('are counted once, however often a request is repeated, and stay counted when they fail', async () => {
    const failing = service.request({ targetAddress: OUTSIDE });
    service.movements.outcomes.set(OUTSIDE, 'refused');
    await service.send(failing);
    await service.send(failing);
    await service.ended(failing.transferId);
    await service.send(service.request());
    expect(counted()).toHaveLength(2);
    expect(await service.send(failing)).toMatchObject({ id: failing.transferId });
  });

  it('are not counted when they are refused', async () => {
    for (const more of [{ amount: '0.5' }, { targetAddress: '0x1' }])
      expect(await violationsOf(service.send(service.request(more)))).toHaveLength(1);
    service.movements.funded = false;
    expect(await codeOf(service.send(service.request()))).toBe('insufficient-balance');
    expect(counted()).toEqual([]);
  });

  it('are limited with the other violations, and separately for each account', async () => {
    await service.send(service.request());
    await service.send(service.request());
    expect(await violationsOf(service.send(service.request({ amount: '0.5' })))).toEqual([
      'amount must be at least 1.000000000000000000 of eth-base/brlv',
      ` ${LIMIT}`,
    ]);
    const ofOther = { accountId: OTHER, callerAccountId: OTHER, sourceAddress: service.target };
    const request = service.request({ ...ofOther, targetAddress: service.source });
    service.chains.base.fund('eth-base/brlv', service.target as `0x${string}`, 10n ** 18n);
    expect(await service.send(request)).toMatchObject({ state: 'created' });
  });

  it('are counted once when a request is repeated that failed after it was counted', async () => {
    const request = service.request();
    service.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'TransferCreated' });
    await expect(service.send(request)).rejects.toBeInstanceOf(Unavailable);
    expect(await service.send(request)).toMatchObject({ id: request.transferId });
    expect(counted()).toHaveLength(1);
  });
});
