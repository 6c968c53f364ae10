import 'reflect-metadata';
import { SAMPLE } from '../../api/samples';
import { gateway, useSignedInStaff } from '../../console-api/testing/staff-requests';

useSignedInStaff();

const read = (url: string, headers: Record<string, string> = {}) => gateway.app.inject({ url, headers });

describe('the console under /console', () => {
  it('serves its page for each of its own paths, with a strict policy', async () => {
    const pages = await Promise.all(
      ['/console', '/console/', `/console/cases/${SAMPLE.requestId}`].map((url) => read(url, { accept: 'text/html' })),
    );
    expect(new Set(pages.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(pages[0]?.statusCode).toBe(200);
    expect(pages[0]?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(pages[0]?.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('sends the type of each file, and 304 for an unchanged file', async () => {
    const sources = [...(await read('/console')).body.matchAll(/(?:src|href)="(\/console\/[^"]+\.[a-z]+)"/g)].map(
      ([, url = '']) => url,
    );
    expect(sources.length).toBeGreaterThan(0);
    for (const url of sources) {
      const file = await read(url);
      expect([
        url,
        file.statusCode,
        /^(text\/(css|javascript)|image\/|font\/|application\/manifest)/.test(String(file.headers['content-type'])),
      ]).toEqual([url, 200, true]);
      const again = await read(url, { 'if-none-match': String(file.headers['etag']) });
      expect([again.statusCode, again.body, again.headers['content-security-policy']]).toEqual([
        304,
        '',
        file.headers['content-security-policy'],
      ]);
    }
  });

  it.each([
    '/console/../package.json',
    '/console/..%2f..%2fpackage.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/....//package.json',
    '/console/types.d.ts',
    '/console/nothing.js',
    '/console/%00.js',
    '/console/tsconfig.json',
    '/consoles',
  ])('returns 404 for %s', async (url) => {
    expect((await read(url)).statusCode).toBe(404);
  });
});
