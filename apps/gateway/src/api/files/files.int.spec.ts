import 'reflect-metadata';
import type { LightMyRequestResponse } from 'fastify';
import { RegisterEvidenceFile } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { PARTNER } from '../../testing/accounts';
import { SAMPLE } from '../samples';
import { codeOf } from '../../testing/use-gateway';
import {
  FILES,
  KYC,
  lastPayload,
  faultsOf,
  gateway,
  key,
  post,
  useTestGateway,
} from '../onboarding/testing/onboarding-requests';
import { blobs, file, form, idOf, json, lockedPdf, part, png, purpose, sha256 } from './testing/uploads';

useTestGateway();

describe('uploaded files', () => {
  it('arrive as JSON or as a form; their bytes determine the type and go to the blob store only', async () => {
    const answers = [await json(png), await form([file(png), purpose])];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    for (const [at, answer] of answers.entries()) {
      const id = idOf(answer);
      expect(answer.json()).toEqual({
        file: {
          id: expect.stringMatching(/^ev_[0-9A-HJKMNP-TV-Z]{26}$/) as string,
          purpose: at === 0 ? 'document-front' : 'document-back',
          'content-type': 'image/png',
          'size-bytes': png.length,
          'sha-256': sha256,
          'created-at': SAMPLE.time,
          'expires-at': SAMPLE.later,
        },
      });
      expect(await blobs().get(id)).toEqual({ bytes: png, meta: { contentType: 'image/png' } });
      expect(
        gateway.bus
          .requestsOf(RegisterEvidenceFile)
          .some(({ payload }) => payload['fileId'] === id && payload['parentId'] === PARTNER),
      ).toBe(true);
    }
    expect(Object.keys(lastPayload(RegisterEvidenceFile)).sort()).toEqual([
      'contentType',
      'fileId',
      'parentId',
      'purpose',
      'sha256',
      'sizeBytes',
    ]);
    expect(
      (await gateway.app.inject({ url: `${FILES}/${idOf(answers[0] as LightMyRequestResponse)}`, headers: key }))
        .statusCode,
    ).toBe(404);
  });

  it('are one file when they are sent twice under one key, even in two formats', async () => {
    const headers = { 'idempotency-key': 'f-1' };
    const first = await post(FILES, { 'content-base64': png.toString('base64'), purpose: 'document-back' }, headers);
    gateway.clock.offset = 25 * 3_600_000;
    const late = await form([file(png), purpose], headers);
    gateway.clock.offset = 0;
    expect([first.statusCode, late.statusCode, idOf(late), late.headers['idempotency-replayed']]).toEqual([
      201,
      201,
      idOf(first),
      undefined,
    ]);
    await blobs().delete(idOf(first));
    gateway.clock.offset = 50 * 3_600_000;
    expect([codeOf(await form([purpose, file(png)], headers))]).toEqual(['422 file-not-found']);
    gateway.clock.offset = 0;
  });

  it('are deleted when onboarding refuses them and kept when the outcome of the registration is unknown', async () => {
    gateway.bus.on(RegisterEvidenceFile, () => refuse('limit-exceeded', 'too many', 'file'));
    const refused = await json(png);
    expect([codeOf(refused), faultsOf(refused)]).toEqual(['422 limit-exceeded', ['content-base64 limit-exceeded']]);
    expect(await blobs().get(String(lastPayload(RegisterEvidenceFile)['fileId']))).toBeUndefined();
    gateway.bus.on(RegisterEvidenceFile, () => {
      throw new Error('away');
    });
    expect(codeOf(await json(png))).toBe('500 internal-error');
    expect((await blobs().get(String(lastPayload(RegisterEvidenceFile)['fileId'])))?.bytes).toEqual(png);
    gateway.bus.on(RegisterEvidenceFile, (one) => ({ ...one, createdAt: SAMPLE.time, expiresAt: SAMPLE.later }));
  });

  it.each<[string, () => Promise<LightMyRequestResponse>, string, string[] | undefined]>([
    ['a file that is not an image', () => json(Buffer.from('<svg/>')), '415 unsupported-media-type', undefined],
    ['an empty file', () => json(Buffer.alloc(0)), '415 unsupported-media-type', undefined],
    ['a truncated image', () => json(png.subarray(0, -8)), '422 file-corrupted', ['content-base64 file-corrupted']],
    [
      'a truncated image in a form',
      () => form([file(png.subarray(0, -8)), purpose]),
      '422 file-corrupted',
      ['file file-corrupted'],
    ],
    ['a PDF with a password', () => json(lockedPdf), '422 file-password-protected', undefined],
    ['a file of 10 MB and one byte', () => json(Buffer.alloc(10_000_001)), '413 file-too-large', undefined],
    ['such a file in a form', () => form([file(Buffer.alloc(10_000_001)), purpose]), '413 file-too-large', undefined],
    ['a body above the limit', () => json(Buffer.alloc(11 * 1024 * 1024)), '413 file-too-large', undefined],
    [
      'content that is not base64',
      () => post(FILES, { 'content-base64': 'a*==', purpose: 'other' }),
      '400 invalid-format',
      ['content-base64 invalid-format'],
    ],
    [
      'content in URL-safe base64',
      () => post(FILES, { 'content-base64': '_-==', purpose: 'x' }),
      '400 invalid-format',
      ['content-base64 invalid-format', 'purpose invalid-enum-value'],
    ],
    [
      'a body without the required fields',
      () => post(FILES, { size: 1 }),
      '400 missing-field',
      ['content-base64 missing-field', 'purpose missing-field', 'size unknown-field'],
    ],
    ['an empty form', () => form([]), '400 missing-field', ['file missing-field', 'purpose missing-field']],
    [
      'a field where a file belongs',
      () => form([part('name="file"', 'text'), purpose, part('name="x"', '1')]),
      '400 invalid-type',
      ['file invalid-type', 'x unknown-field'],
    ],
    ['a repeated part', () => form([file(png), purpose, purpose]), '400 invalid-format', ['purpose invalid-format']],
    [
      'more parts than a form may have',
      () => form(Array.from({ length: 20 }, () => purpose)),
      '400 invalid-format',
      [' invalid-format'],
    ],
    [
      'more parts than a form may have, with the boundary given twice',
      () =>
        form(
          Array.from({ length: 20 }, () => purpose),
          { 'content-type': 'multipart/form-data; x="; boundary=other"; boundary=frontier' },
        ),
      '400 invalid-format',
      [' invalid-format'],
    ],
    [
      'a repeated part whose name is an e-mail address',
      () => form([file(png), purpose, part('name="joana@example.com"', '1'), part('name="joana@example.com"', '2')]),
      '400 invalid-format',
      ['? invalid-format'],
    ],
    [
      'a truncated form',
      () => form([file(png), Buffer.from('--frontier\r\n')]),
      '400 invalid-format',
      [' invalid-format'],
    ],
    [
      'a form without its boundary',
      () => form([file(png), purpose], { 'content-type': 'multipart/form-data' }),
      '400 invalid-format',
      [' invalid-format'],
    ],
    [
      'a form on a route that accepts only JSON',
      () => form([file(png)], {}, KYC),
      '415 unsupported-media-type',
      undefined,
    ],
    [
      'a million values',
      () =>
        gateway.app.inject({
          method: 'POST',
          url: FILES,
          headers: { ...key, 'content-type': 'application/json' },
          payload: `[${'1,'.repeat(1_000_000)}1]`,
        }),
      '413 body-too-large',
      undefined,
    ],
    [
      'a large text twice',
      () =>
        gateway.app.inject({
          method: 'POST',
          url: FILES,
          headers: { ...key, 'content-type': 'application/json' },
          payload: `{"content-base64":"${'A'.repeat(6e6)}","content-base64":"${'A'.repeat(6e6)}"}`,
        }),
      '400 malformed-json',
      undefined,
    ],
  ])('are refused: %s', async (_, send, code, faults) => {
    const answer = await send();
    expect(codeOf(answer)).toBe(code);
    if (faults) expect(faultsOf(answer)).toEqual(faults);
  });
});
