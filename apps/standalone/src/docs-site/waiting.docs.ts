import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { cpfWith } from '../../../cli/src/trigger/kyc-scenarios';
import { SAMPLE } from '../../../gateway/src/api/samples';
import { findPython } from '../clients/testing/python';
import { execute, variablesOf } from '../clients/testing/tools';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { bundledFile, snippet } from './testing/programs';

const python = findPython();
const LANGUAGES = ['sh', 'ts', ...(python === undefined ? [] : ['py'])];

/** Each snippet with the reads that it repeats, and the states in which it must give up at once or after a while. */
const CASES: readonly (readonly [string, RegExp, readonly string[], string])[] = [
  [
    'onboarding',
    /^\/api\/v1\/accounts\/kyc\/individual\//,
    ['rejected', 'expired', 'cancelled', 'provisioning-failed'],
    'pending',
  ],
  ['quickstart', /\/orders\//, ['rolled-back'], 'processing'],
  ['deposit', /\/deposits\?/, ['voided'], 'confirmed'],
  ['certificate', /\/nft-transfers\//, ['failed'], 'pending'],
];

const folder = temporaryFolder();
let cluster: InProcessCluster;
/** The state that the sandbox seems to report for the reads that match. */
let reported: { readonly reads: RegExp; readonly state: string };
/** Passes requests on to the sandbox and replaces the state of the reads in `reported`. */
const proxy = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>;
    const init = { method: request.method ?? 'GET', headers };
    void fetch(`${cluster.sandbox['base-url']}${request.url}`, {
      ...init,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    }).then(async (answer) => {
      const text = await answer.text();
      const replaced = request.method === 'GET' && reported.reads.test(request.url ?? '');
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(replaced ? text.replace(/"(status|state)":"[\w-]+"/g, `"$1":"${reported.state}"`) : text);
    });
  });
});

beforeAll(async () => {
  cluster = await startInProcess({});
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  writeFileSync(join(folder.path, 'photo.png'), Buffer.from(SAMPLE.qrCode, 'base64'));
  writeFileSync(join(folder.path, 'ponte.py'), readFileSync(snippet('ponte.py')));
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await cluster.close();
  folder.remove();
});

/** The last wait of a snippet. The certificate's first one is for a mint, which takes its time. */
const LAST_WAIT = /\b60\b(?! seconds)(?![^]*\b60\b(?! seconds))/;

/** Runs a snippet through the proxy, whose last wait is at most `seconds` instead of 60, and returns how it failed. */
async function failure(name: string, language: string, seconds: number): Promise<string> {
  const text = readFileSync(snippet(`${name}.${language}`), 'utf8');
  expect(text).toMatch(LAST_WAIT);
  const file = join(folder.path, `${name}.${language}`);
  writeFileSync(file, text.replace(LAST_WAIT, String(seconds)));
  const env = {
    ...variablesOf(cluster),
    PONTE_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    PONTE_CPF: cpfWith('900'),
    PONTE_DOCUMENT_PHOTO: 'photo.png',
  };
  const [program, args] =
    language === 'sh'
      ? ['bash', [file]]
      : language === 'py'
        ? [python ?? '', ['-B', file]]
        : [process.execPath, [await bundledFile(file, `${file}.mjs`)]];
  return execute(program, args, { cwd: folder.path, env }).then(
    (printed) => `It succeeded and printed ${printed}`,
    (error: Error) => error.message,
  );
}

describe('a snippet that waits', () => {
  const inAll = CASES.flatMap((one) => LANGUAGES.map((language) => [language, ...one] as const));

  it.each(inAll)('in %s ends %s with a message in every final state', async (language, name, reads, states) => {
    for (const state of states) {
      reported = { reads, state };
      expect(await failure(name, language, 60)).toMatch(new RegExp(` is not \\w+\\. .* is ${state}\\.`));
    }
  });

  it.each(inAll)('in %s gives up %s after a while', async (language, name, reads, _states, state) => {
    reported = { reads, state };
    expect(await failure(name, language, 2)).toMatch(new RegExp(` is not \\w+\\. .* is ${state}\\.`));
  });
});
