import { MovementExternalIdReleased, MovementExternalIdTaken } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { externalIdStream, movementExternalId } from './external-id.decider';

const AT = '2026-03-01T12:00:00.000Z';

describe('an external id of a transfer', () => {
  const taken = new MovementExternalIdTaken({ accountId: 'a', resourceId: 't1', takenAt: AT });
  const take = (resourceId: string, at = AT, unused: string | null = null) =>
    ({ kind: 'take', accountId: 'a', resourceId, unused, at }) as const;

  it('belongs to one transfer of the account, and can be taken over if that was never created', () => {
    scenario(movementExternalId).given().when(take('t1')).then(taken);
    scenario(movementExternalId).given(taken).when(take('t1')).then();
    const later = '2026-03-01T12:03:00.000Z';
    for (const command of [take('t2'), take('t2', later), take('t2', AT, 't1')]) {
      expect(scenario(movementExternalId).given(taken).when(command).refusal()).toMatchObject({
        code: 'external-id-already-used',
      });
    }
    scenario(movementExternalId)
      .given(taken)
      .when(take('t2', later, 't1'))
      .then(new MovementExternalIdTaken({ accountId: 'a', resourceId: 't2', takenAt: later }));
    scenario(movementExternalId)
      .given(taken)
      .when({ kind: 'release', accountId: 'a', resourceId: 't1' })
      .then(new MovementExternalIdReleased({ accountId: 'a', resourceId: 't1' }));
    scenario(movementExternalId).given(taken).when({ kind: 'release', accountId: 'a', resourceId: 't2' }).then();
    expect(externalIdStream('a', 'x')).not.toBe(externalIdStream('b', 'x'));
  });
});
