import { createTimers } from '@ponte/concurrency';
import type { ListInUse } from '@ponte/observability';
import { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { AddressScreening } from './address-screening.port';
import { RefreshAddressesJob } from './refresh-addresses.job';

const WRITTEN_AT = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

describe('The list of sanctioned addresses in use', () => {
  it('is measured with its age, its size, and whether a changed file was refused', async () => {
    let list: ListInUse = { name: 'ofac-sdn', entries: 7, writtenAt: WRITTEN_AT, isRefused: false };
    const screening: AddressScreening = { screen: () => [], refresh: async () => false, inUse: () => [list] };
    const [metrics, logger] = [new Metrics(), pino({ level: 'silent' })];
    const now = () => WRITTEN_AT + 2 * DAY_MS;
    new RefreshAddressesJob(createTimers(logger), screening, logger, metrics, { now }).onApplicationBootstrap();
    const read = async (name: string) =>
      (await metrics.registry.getSingleMetric(`ponte_screening_list_${name}`)?.get())?.values.map(
        ({ labels, value }) => [labels['list'], value],
      );
    expect(await read('age_seconds')).toEqual([['ofac-sdn', (2 * DAY_MS) / 1_000]]);
    expect(await read('entries')).toEqual([['ofac-sdn', 7]]);
    expect(await read('refused')).toEqual([['ofac-sdn', 0]]);
    list = { ...list, isRefused: true };
    expect(await read('refused')).toEqual([['ofac-sdn', 1]]);
  });
});
