import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { Running } from './testing/program';
import { CLUSTERED, Program, SIMULATED } from './testing/program';

/** Only the embedded cluster is measured, because a gateway in its own process does less than that. */
const describeEmbedded = CLUSTERED ? describe.skip : describe;
const MIB = 1024 * 1024;
/** The memory limit of the container. */
const LIMIT_BYTES = 512 * MIB;
const AT_ONCE = 12;
const FILE_BYTES = 10_000_000;
const RETRIES = 60;
const SAMPLE_MS = 10;
/** Retried without Retry-After: on a slow machine a file may arrive too late. */
const TIMED_OUT = 408;
const FILES = '/api/v1/accounts/files';

const HEAD = Buffer.from('ffd8ffc0000b080001000101011100ffda0008010100003f00', 'hex');
/** A complete JPEG of 10 MB, different for each `fill`. */
const jpeg = (fill: number): Buffer =>
  Buffer.concat([HEAD, Buffer.alloc(FILE_BYTES - HEAD.length - 2, fill + 1), Buffer.from('ffd9', 'hex')]);

/** A complete PDF of 10 MB: one page tree, and a stream that fills it. */
function pdf(fill: number): Buffer {
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n',
  ];
  const head = `%PDF-1.7\n${objects.join('')}`;
  const content = FILE_BYTES - 600;
  const offsets = [9, 9 + (objects[0] as string).length, head.length];
  const stream = Buffer.concat([
    Buffer.from(`3 0 obj\n<< /Length ${content} >>\nstream\n`),
    Buffer.alloc(content, fill + 65),
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 4\n0000000000 65535 f \n${table}trailer\n<< /Root 1 0 R /Size 4 >>\nstartxref\n${head.length + stream.length}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(end)]);
}

const asJson = (file: Buffer) => ({
  type: 'application/json',
  body: Buffer.from(JSON.stringify({ 'content-base64': file.toString('base64'), purpose: 'document-front' })),
});
const asForm = (file: Buffer) => ({
  type: 'multipart/form-data; boundary=frontier',
  body: Buffer.concat([
    Buffer.from(
      '--frontier\r\nContent-Disposition: form-data; name="purpose"\r\n\r\ndocument-front\r\n' +
        '--frontier\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n--frontier--\r\n'),
  ]),
});

let program: Program;
let running: Running;
let peakBytes = 0;
let sampling: NodeJS.Timeout;
beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder(), { ...SIMULATED, NODE_OPTIONS: '--max-old-space-size=256' });
  sampling = setInterval(() => (peakBytes = Math.max(peakBytes, anonymousBytes())), SAMPLE_MS);
  process.stdout.write(`before the first upload: ${Math.round(anonymousBytes() / MIB)} MiB\n`);
});
afterAll(() => {
  clearInterval(sampling);
  return program.close();
});

/** The memory of the process that counts when a container is ended: the kernel can take pages of files back. */
function anonymousBytes(): number {
  const [, kilobytes] = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Uploads a file, retrying after the time stated by each refusal. Returns its id and the refusals before it. */
async function upload({ type, body }: ReturnType<typeof asJson>): Promise<{ id: string; refusals: string[] }> {
  const refusals: string[] = [];
  const headers = {
    authorization: `Bearer ${running.sandbox['api-key']}`,
    'content-type': type,
    'idempotency-key': randomUUID(),
  };
  for (let retry = 0; retry < RETRIES; retry += 1) {
    const response = await request(`${running.sandbox['base-url']}${FILES}`, { method: 'POST', headers, body }).catch(
      () => undefined,
    );
    const text = (await response?.body.text()) ?? '';
    if (response?.statusCode === 201) return { id: (JSON.parse(text) as { file: { id: string } }).file.id, refusals };
    // The server closes the connection of a refused upload without reading its body, so the client may see only that.
    refusals.push(
      response ? `${response.statusCode} ${(JSON.parse(text) as { error: { code: string } }).error.code}` : 'closed',
    );
    if (response && response.statusCode !== TIMED_OUT && response.headers['retry-after'] === undefined)
      throw new Error(`a refusal without Retry-After: ${text}`);
    await wait(Number(response?.headers['retry-after'] ?? 1) * 1_000);
  }
  throw new Error(`never accepted: ${refusals.join(', ')}`);
}

function storedIds(): string[] {
  const folder = join(running.dataDirectory, 'blobs');
  return readdirSync(folder)
    .filter((name) => name !== 'drafts')
    .flatMap((shard) => readdirSync(join(folder, shard)))
    .map((name) => name.replace(/\.blob$/, ''));
}

describeEmbedded('12 parallel uploads of 10 MB in a process limited to 512 MiB', () => {
  it.each([
    ['JPEGs as forms', asForm, jpeg],
    ['JPEGs as JSON', asJson, jpeg],
    ['PDFs as forms', asForm, pdf],
    ['PDFs as JSON', asJson, pdf],
  ] as const)('of %s are all stored, at once or after a refusal with Retry-After', async (name, form, file) => {
    const results = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => upload(form(file(index)))));
    const refusals = results.flatMap((one) => one.refusals);
    process.stdout.write(`${name}: peak ${Math.round(peakBytes / MIB)} MiB, ${refusals.length} refusals\n`);
    expect(refusals.filter((one) => !/^(closed|408 request-timeout|503 service-unavailable)$/.test(one))).toEqual([]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(AT_ONCE);
    const stored = storedIds();
    expect(results.filter(({ id }) => !stored.includes(id))).toEqual([]);
    expect(peakBytes).toBeLessThan(LIMIT_BYTES);
  });

  it('leave no partially written file', () => {
    expect(readdirSync(join(running.dataDirectory, 'blobs', 'drafts'))).toEqual([]);
    expect(storedIds()).toHaveLength(4 * AT_ONCE);
    expect(existsSync(`/proc/${running.pid}`)).toBe(true);
  });
});
