import { ClosePixCharge } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { cluster, useCluster } from '../testing/cluster-for-each-test';

useCluster();

/** How many log lines have this message. */
const linesWith = (message: string): number => cluster.log.filter((line) => line.includes(`"msg":"${message}"`)).length;

const ORDERS = 5;
const RUNS = 3;

describe('While the bank closes no charge', () => {
  it('the expired charges that fail for one reason share a log line for a while, in each job', async () => {
    for (let order = 0; order < ORDERS; order += 1)
      await cluster.place(cluster.quote(), { sourcePaymentMethod: 'brcode' });
    cluster.services.before = async (pattern) => {
      if (pattern === ClosePixCharge.pattern) throw new Unavailable('rail-unavailable');
    };
    cluster.now += 901_000;
    for (let run = 0; run < RUNS; run += 1) {
      await cluster.expire();
      await cluster.sweep();
    }
    for (const message of [
      'an expired charge could not be closed; the next run retries',
      'an overdue charge could not be closed; the next run retries',
    ]) {
      expect(linesWith(message)).toBeGreaterThan(0);
      // A slow run may report again, but none reports each charge.
      expect(linesWith(message)).toBeLessThanOrEqual(RUNS);
    }
  });
});
