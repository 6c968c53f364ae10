import type { FastifyRequest } from 'fastify';
import { Response } from 'undici';
import { multipartBody } from './multipart-body';

/** The fields of a form, or the message of its error. */
async function fields(contentType: string, body: string | Buffer): Promise<unknown> {
  const call = { policy: { readForm: (form: unknown) => form } };
  const request = { call, headers: { 'content-type': contentType }, raw: { rawHeaders: [] } };
  try {
    return await multipartBody(request as unknown as FastifyRequest, Buffer.from(body as string));
  } catch (error) {
    return (error as Error).message;
  }
}
const form = (boundary: string, content = 'other') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\n${content}\r\n--${boundary}--\r\n`;
const of = (boundary: string) => `multipart/form-data; boundary=${boundary}`;

const LENGTH = 'the boundary of multipart/form-data must have 1 to 200 characters';
const INSIDE = 'the boundary of multipart/form-data must not occur within a part; use a longer one';

describe('the header section of a part', () => {
  const withHeaders = (lines: string, parts = 1) =>
    fields(
      of('XX'),
      `${`--XX\r\n${lines}Content-Disposition: form-data; name="purpose"\r\n\r\nother\r\n`.repeat(parts)}--XX--\r\n`,
    );
  const LIMIT = 'the headers of a part must have at most 4096 bytes and end with an empty line';

  it('may have other headers', async () =>
    expect(await withHeaders('Content-Type: text/plain\r\nX-Other: 1\r\n')).toEqual({ purpose: 'other' }));

  it('is refused unread if it is long', async () => {
    const parsed = jest.spyOn(Response.prototype, 'formData');
    expect(await withHeaders('a:\r\n'.repeat(1_100))).toBe(LIMIT);
    expect(await withHeaders(`X-Long: ${'%22'.repeat(1_400)}\r\n`)).toBe(LIMIT);
    expect(await withHeaders(`${'a:\r\n'.repeat(1_100)}`, 2)).toBe(LIMIT);
    expect(parsed).not.toHaveBeenCalled();
  });

  it('is required', async () => expect(await fields(of('XX'), '--XX\r\nother\r\n--XX--\r\n')).toBe(LIMIT));
});

describe('the boundary of a form', () => {
  it.each(['frontier', '"with space"', '----WebKitFormBoundary7MA4YWxkTrZu0gW', 'x'.repeat(200), 'XX'])(
    'may be %s',
    async (boundary) =>
      expect(await fields(of(boundary), form(boundary.replaceAll('"', '')))).toEqual({ purpose: 'other' }),
  );

  it.each(['', '""', ';charset=utf-8', 'x'.repeat(201), `"${'x'.repeat(201)}"`])(
    'is refused with its limits if it is empty or too long: %s',
    async (boundary) => expect(await fields(of(boundary), form('frontier'))).toBe(LENGTH),
  );

  it('is required', async () =>
    expect(await fields('multipart/form-data', form('frontier'))).toBe(
      'multipart/form-data requires a boundary parameter',
    ));

  it('is refused if the content of a part contains it, as a short one does by chance', async () => {
    expect(await fields(of('e'), form('e'))).toBe(INSIDE);
    expect(await fields(of('Q1'), form('Q1', 'a picture with Q1 in its bytes'))).toBe(INSIDE);
    expect(await fields(of('Q1'), form('Q1', 'ten times: --Q1 --Q1 --Q1 --Q1 --Q1 --Q1 --Q1 --Q1 --Q1 --Q1'))).toBe(
      INSIDE,
    );
    expect(await fields(of('-'), form('-'))).toBe(INSIDE);
  });

  it('is not blamed for lines that end with LF only', async () =>
    expect(await fields(of('frontier'), form('frontier').replaceAll('\r\n', '\n'))).toBe(
      'the lines of multipart/form-data must end with CR LF',
    ));
});
