import { fromWire, toWire, toWireIfSet } from './maps';

describe('Fields on the wire', () => {
  const record = { id: '1', txHash: null, createdByApiKey: 'k', line1: 'x', secret: 's', at: undefined };

  it('are only the named ones, in their order, under kebab-case names', () => {
    const wire: { 'created-by-api-key': string; 'tx-hash': null; line1: string } = toWire(
      record,
      ...(['createdByApiKey', 'txHash', 'line1'] as const),
    );
    expect(Object.entries(wire)).toEqual([
      ['created-by-api-key', 'k'],
      ['tx-hash', null],
      ['line1', 'x'],
    ]);
  });

  it('can leave out those that are null or undefined', () => {
    expect(Object.keys(toWireIfSet(record, 'id', 'txHash', 'at'))).toEqual(['id']);
  });

  it('are read back by their camelCase names, null if they are absent', () => {
    const body: { 'tax-id': string; 'external-id'?: string; city?: string } = { 'tax-id': '1' };
    const read: { taxId: string; externalId: string | null; city: string | null } = fromWire(
      body,
      ...(['taxId', 'externalId', 'city'] as const),
    );
    expect(read).toEqual({ taxId: '1', externalId: null, city: null });
  });
});
