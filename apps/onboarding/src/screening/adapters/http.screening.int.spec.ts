import { Unavailable } from '@ponte/kernel';
import type { ScreeningSubject } from '../screening.port';
import type { HttpScreeningOptions } from './http.screening.adapter';
import { SCREENING_FIELDS } from '../../checks.vendors';
import type { Behaviour } from '../../vendor/adapters/vendor-server.testing';
import { VendorServer, says } from '../../vendor/adapters/vendor-server.testing';
import { HttpScreening } from './http.screening.adapter';

const subjectNamed = (names: readonly string[], more: Partial<ScreeningSubject> = {}): ScreeningSubject => ({
  subjectRef: 's',
  names,
  dateOfBirth: null,
  country: 'BRA',
  ...more,
});

describe('A screening vendor over HTTP', () => {
  const server = new VendorServer();
  let warnings: string[] = [];

  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    warnings = [];
  });

  const vendor = (more: Partial<HttpScreeningOptions> = {}) =>
    new HttpScreening({
      url: `${server.origin}/screen?key=secret`,
      headers: { authorization: 'Bearer k' },
      fields: SCREENING_FIELDS,
      lists: {},
      bestScore: 100,
      threshold: 80,
      callback: null,
      timeoutMs: 60_000,
      warn: (reason) => {
        warnings.push(reason);
      },
      dispatcher: server.agent,
      ...more,
    });
  const SUBJECT = subjectNamed(['Joana Lima'], { subjectRef: 'ref-1', dateOfBirth: '1990-05-17' });

  it('renames lists as the configuration says, and refuses those with another meaning in hits', async () => {
    const hit = (list: string) => ({ list, 'entry-id': 'E1', score: 90, 'matched-on': 'name' });
    server.behave = says({ hits: [hit('World PEP'), hit('OFAC')] });
    const screening = vendor({ lists: { 'World PEP': 'pep-world' } });
    expect((await screening.screen(SUBJECT)).hits.map(({ list }) => list)).toEqual(['pep-world', 'OFAC']);
    server.behave = says({ hits: [hit('liveness')] });
    await expect(screening.screen(SUBJECT)).rejects.toThrow(Unavailable);
    expect(warnings).toEqual(['the list of a hit has a name with another meaning: rename it']);
  });

  it('receives a pseudonym, and returns matches from the threshold on as hits, best first', async () => {
    server.behave = says({
      hits: [
        { list: 'ofac', 'entry-id': 7, score: 81, 'matched-on': 'Joana L.' },
        { list: 'eu', 'entry-id': 'e-1', score: 97.4, 'matched-on': { name: 'J Lima' } },
        { list: 'eu', 'entry-id': 'e-2', score: 79 },
      ],
    });
    await expect(vendor().screen(SUBJECT)).resolves.toEqual({
      hits: [
        { list: 'eu', entryId: 'e-1', score: 97, matchedOn: '{"name":"J Lima"}' },
        { list: 'ofac', entryId: '7', score: 81, matchedOn: 'Joana L.' },
      ],
    });
    expect(server.seen).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    });
    expect(JSON.parse(server.seen.body ?? '')).toEqual({
      'subject-ref': 'ref-1',
      names: ['Joana Lima'],
      'date-of-birth': '1990-05-17',
      country: 'BRA',
    });
  });

  it('is read at configured paths, with scores of another scale', async () => {
    const fields = {
      ...SCREENING_FIELDS,
      hits: 'data.matches',
      list: 'source.name',
      'entry-id': 'id',
      score: 'confidence',
      'matched-on': 'why',
    };
    server.behave = says({ data: { matches: [{ source: { name: 'pep' }, id: 'x', confidence: 0.9, why: 'name' }] } });
    await expect(vendor({ fields, bestScore: 1 }).screen(SUBJECT)).resolves.toEqual({
      hits: [{ list: 'pep', entryId: 'x', score: 90, matchedOn: 'name' }],
    });
    server.behave = says({ hits: [] });
    await expect(vendor().screen(SUBJECT)).resolves.toEqual({ hits: [] });
  });

  it.each<[string, Behaviour]>([
    ['an answer that it is still screening', says({ hits: [] }, 202)],
    ['404', says({ hits: [] }, 404)],
    ['422', says({ hits: [] }, 422)],
    ['401', says({ hits: [] }, 401)],
    ['429', says({ hits: [] }, 429)],
    ['500', says({ hits: [] }, 500)],
    [
      'a redirect',
      (response) => {
        response.writeHead(307, { location: 'http://127.0.0.1:9/' });
        response.end();
      },
    ],
    ['a response that is not JSON', says('<html>')],
    ['a response without hits', says({})],
    ['hits that are not a list', says({ hits: { 0: {} } })],
    ['a hit without a list', says({ hits: [{ 'entry-id': 'x', score: 99 }] })],
    ['a score that is not a number', says({ hits: [{ list: 'l', 'entry-id': 'x', score: true }] })],
    ['an empty score', says({ hits: [{ list: 'l', 'entry-id': 'x', score: '' }] })],
    ['a hit without a score', says({ hits: [{ list: 'l', 'entry-id': 'x' }] })],
    ['an impossible score', says({ hits: [{ list: 'l', 'entry-id': 'x', score: 1e9 }] })],
    [
      'a broken connection',
      (response) => {
        response.write('{');
        response.destroy();
      },
    ],
    ['no response', () => undefined],
    [
      'an endless body',
      (response) => {
        const more = () => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('is unavailable after %s, and never counts as without hits', async (name, behaviour) => {
    server.behave = behaviour;
    await expect(vendor(name === 'no response' ? { timeoutMs: 50 } : {}).screen(SUBJECT)).rejects.toMatchObject({
      name: 'Unavailable',
      code: 'service-unavailable',
    });
    expect(warnings).toHaveLength(1);
    expect(warnings.join('')).not.toMatch(/secret|127\.0\.0\.1|Lima/);
  });
});
