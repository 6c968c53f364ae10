import { derivedId } from '@ponte/kernel';
import { operatorKeyFor } from './operator-keys';
import { operatorKeyIds } from '../movements-settings.port';

describe('the operator keys', () => {
  it('share transactions almost evenly, and a transaction keeps its key', () => {
    const keys = operatorKeyIds(4);
    expect(keys).toEqual(['operator', 'operator-2', 'operator-3', 'operator-4']);
    const ids = Array.from({ length: 2_000 }, (_, at) => derivedId('t', String(at)));
    for (const key of keys) expect(ids.filter((id) => operatorKeyFor(id, keys) === key).length).toBeGreaterThan(400);
    expect(ids.map((id) => operatorKeyFor(id, keys))).toEqual(ids.map((id) => operatorKeyFor(id, keys)));
    expect(() => operatorKeyFor(ids[0] ?? '', [])).toThrow('no operator key');
  });
});
