import 'reflect-metadata';
import type { SmallDisk } from '@ponte/testing';
import { openSmallDisk, sayEngine } from '@ponte/testing';
import { request } from 'undici';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';

const DISK_BYTES = 8 * 1_024 * 1_024;
const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };

let disk: SmallDisk | undefined;
let gateway: GatewayUnderTest | undefined;
beforeAll(async () => {
  disk = openSmallDisk(DISK_BYTES);
  gateway = disk && (await startGateway('sandbox', undefined, [], disk.path));
});
afterAll(async () => {
  disk?.free();
  await gateway?.stop();
  disk?.remove();
});

test('a gateway whose disk is full refuses writes as unavailable and serves reads; repeated under its key, a refused write succeeds once there is space', async () => {
  sayEngine('gateway on a full disk', disk ? 'a disk in memory' : 'nothing: mounting a disk is not permitted');
  if (!disk || !gateway) return;
  const path = `http://127.0.0.1:${gateway.port}/api/v1/accounts/${CHILD}`;
  const headers = (key: string) => ({
    authorization: `Bearer ${KEY.partner}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  });
  const post = async (key: string) => {
    const {
      statusCode,
      headers: sent,
      body,
    } = await request(`${path}/quotes`, {
      method: 'POST',
      headers: headers(key),
      body: JSON.stringify(QUOTE),
    });
    const { id, error } = (await body.json()) as { id?: string; error?: { code: string } };
    return { status: statusCode, code: error?.code, retryAfter: sent['retry-after'], id };
  };
  const first = await post('before');
  expect(first.status).toBe(200);
  disk.fill();
  // A page of the database's write-ahead log may have been allocated before.
  const answers = [];
  for (let at = 0; at < 10; at += 1) answers.push(await post(`full-${at}`));
  const refused = answers.findIndex(({ status }) => status !== 200);
  expect(refused).toBeGreaterThanOrEqual(0);
  expect(answers.slice(refused)).toEqual(
    answers
      .slice(refused)
      .map(() => ({ status: 503, code: 'service-unavailable', retryAfter: expect.stringMatching(/^\d+$/) })),
  );
  const read = await request(path, { headers: headers('read') });
  await read.body.dump();
  expect(read.statusCode).toBe(200);
  expect(await post('before')).toEqual(first);
  disk.free();
  expect((await post(`full-${refused}`)).status).toBe(200);
});
