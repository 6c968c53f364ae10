import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { start } from './start';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('wrong settings of several services end the start with one error, before anything is opened', async () => {
  const data = join(folder.path, 'data');
  const env = {
    PONTE_DATA_DIR: data,
    PONTE_CONNECTIONS_PER_ADDRESS: '1',
    PONTE_LIVENESS_PROVIDERS: 'a b',
    PONTE_QUOTE_SIGNING_KEYS: join(folder.path, 'no-such-file.json'),
    BACKLOG_SECONDS: 'x',
    BLOBS_TIMEOUT_MS: '1',
    STAFF_SESSION_HOURS: '99',
    SCREENING_THRESHOLD: '1',
    ONBOARDING_DUE_MS: '1',
    ORDERS_BRCODE_SECONDS: '0',
    LEDGER_POLL_MS: '0',
    MOVEMENTS_POLL_MS: '0',
    PONTE_RATES: 'none',
  };
  const { message } = (await start(env).catch((error: Error) => error)) as Error;
  for (const name of Object.keys(env).filter((one) => one !== 'PONTE_DATA_DIR')) expect(message).toContain(`${name} `);
  expect(message.split('\n')).toHaveLength(Object.keys(env).length);
  expect(existsSync(data)).toBe(false);
});
