import { MovementExternalIdReleased, MovementExternalIdTaken } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { externalIdStream, movementExternalId } from './external-id.decider';

const AT = '2026-03-01T12:00:00.000Z';

describe('an external id of a transfer', () => {
  const takenBy = (claimId: string) =>
    new MovementExternalIdTaken({ accountId: 'a', resourceId: 't1', claimId, takenAt: AT });
  const taken = takenBy('c1');
  const take = (resourceId: string, at = AT, unused: string | null = null, claimId = 'c1') =>
    ({ kind: 'take', accountId: 'a', resourceId, claimId, unused, at }) as const;
  const release = (resourceId: string, claimId: string) =>
    ({ kind: 'release', accountId: 'a', resourceId, claimId }) as const;
  const released = (claimId: string) => new MovementExternalIdReleased({ accountId: 'a', resourceId: 't1', claimId });

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
      .then(new MovementExternalIdTaken({ accountId: 'a', resourceId: 't2', claimId: 'c1', takenAt: later }));
    scenario(movementExternalId).given(taken).when(release('t1', 'c1')).then(released('c1'));
    scenario(movementExternalId).given(taken).when(release('t2', 'c1')).then();
    expect(externalIdStream('a', 'x')).not.toBe(externalIdStream('b', 'x'));
  });

  it('stays taken while another attempt to create the transfer may still need it', () => {
    const second = take('t1', AT, null, 'c2');
    scenario(movementExternalId).given(taken).when(second).then(takenBy('c2'));
    const both = scenario(movementExternalId).given(taken, takenBy('c2'));
    both.when(release('t1', 'c1')).then(released('c1'));
    const one = () => scenario(movementExternalId).given(taken, takenBy('c2'), released('c1'));
    expect(one().when(take('t2')).refusal()).toMatchObject({ code: 'external-id-already-used' });
    one().when(release('t1', 'c1')).then();
    one().when(release('t1', 'c2')).then(released('c2'));
    scenario(movementExternalId)
      .given(taken, takenBy('c2'), released('c1'), released('c2'))
      .when(take('t2'))
      .then(new MovementExternalIdTaken({ accountId: 'a', resourceId: 't2', claimId: 'c1', takenAt: AT }));
  });

  it('can be taken over two minutes after it was taken, which ends all earlier claims', () => {
    const from = (at: string) =>
      scenario(movementExternalId)
        .given(taken)
        .when(take('t2', at, 't1', 'c9'));
    expect(from('2026-03-01T12:01:59.999Z').refusal()).toMatchObject({ violations: [{ path: 'external-id' }] });
    const mine = { accountId: 'a', resourceId: 't2', claimId: 'c9' };
    const over = new MovementExternalIdTaken({ ...mine, takenAt: '2026-03-01T12:02:00.000Z' });
    from('2026-03-01T12:02:00.000Z').then(over);
    scenario(movementExternalId)
      .given(taken, over, new MovementExternalIdReleased(mine))
      .when(take('t3'))
      .then(new MovementExternalIdTaken({ accountId: 'a', resourceId: 't3', claimId: 'c1', takenAt: AT }));
  });
});
