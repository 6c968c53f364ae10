import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimers } from '@ponte/concurrency';
import { eventually, temporaryFolder } from '@ponte/testing';
import { pino } from 'pino';
import { Agent } from 'undici';
import type { ScreeningSubject } from '../screening.port';
import { serveCallbacks } from '../../vendor/adapters/callback-server';
import { signatureOf } from '../../vendor/adapters/signed-callback';
import type { HttpScreeningOptions } from './http';
import { DEFAULT_SCREENING_FIELDS, HttpScreening } from './http';
import { builtInList, fileList } from './list-source';
import { inTurns } from './in-turns';
import { LocalScreening } from './local';
import { SANDBOX_PEP, SANDBOX_SANCTIONS } from './sandbox-lists';
import { severalScreenings } from './several';
import { SimulatedScreening } from './simulated';
import { BadList, parseUnList } from './un-list';

const asked = (names: readonly string[], more: Partial<ScreeningSubject> = {}): ScreeningSubject => ({
  subjectRef: 's',
  names,
  dateOfBirth: null,
  country: 'BRA',
  ...more,
});
const individual = (inner: string, number = 'QDi.900'): string =>
  `<INDIVIDUAL><DATAID>1</DATAID><REFERENCE_NUMBER>${number}</REFERENCE_NUMBER>${inner}</INDIVIDUAL>`;
const listOf = (...individuals: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="sanctions.xsd" dateGenerated="2026-03-01T00:00:00Z"><INDIVIDUALS>${individuals.join('')}</INDIVIDUALS><ENTITIES><ENTITY><FIRST_NAME>SOME COMPANY</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;

describe('the consolidated list of the UN Security Council', () => {
  it('gives names, aliases with their quality, birth dates of every type, and nationalities', () => {
    const xml = listOf(
      individual(`
      <VERSIONNUM>1</VERSIONNUM><FIRST_NAME>EZEQUIEL</FIRST_NAME><SECOND_NAME>TAD&#201;U</SECOND_NAME><THIRD_NAME>BRUSK &amp; FILHO</THIRD_NAME><FOURTH_NAME/>
      <NAME_ORIGINAL_SCRIPT>عزقيل</NAME_ORIGINAL_SCRIPT><COMMENTS1>Some words &#60;here&#62;.</COMMENTS1><NATIONALITY><VALUE>Brazil</VALUE><VALUE>Atlantis</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Zeca Brusk (formerly listed as); Zeca Tadeu</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>O Relojoeiro</ALIAS_NAME></INDIVIDUAL_ALIAS><INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1964-07-05-04:00</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1965</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1966</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1953</FROM_YEAR><TO_YEAR>1958</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH/>`),
    );
    expect(parseUnList('un-consolidated', xml)).toEqual({
      name: 'un-consolidated',
      version: '2026-03-01T00:00:00Z',
      people: [
        {
          entryId: 'QDi.900',
          names: [
            { text: 'EZEQUIEL TADÉU BRUSK & FILHO', quality: 'name' },
            { text: 'عزقيل', quality: 'alias' },
            { text: 'Zeca Brusk', quality: 'alias' },
            { text: 'Zeca Tadeu', quality: 'alias' },
            { text: 'O Relojoeiro', quality: 'weak-alias' },
          ],
          births: [
            { kind: 'exact', date: '1964-07-05' },
            { kind: 'years', from: 1965, to: 1965, approximate: false },
            { kind: 'years', from: 1966, to: 1966, approximate: true },
            { kind: 'years', from: 1953, to: 1958, approximate: false },
          ],
          nationalities: ['Brazil', 'Atlantis'],
          countries: ['BRA'],
        },
      ],
    });
  });

  it('a birth date that cannot be read is as good as none, so that it never counts against a match', () => {
    const births =
      '<INDIVIDUAL_DATE_OF_BIRTH><DATE>1964-02-30</DATE></INDIVIDUAL_DATE_OF_BIRTH><INDIVIDUAL_DATE_OF_BIRTH><YEAR>1970</YEAR></INDIVIDUAL_DATE_OF_BIRTH>';
    expect(parseUnList('l', listOf(individual(`<FIRST_NAME>A B</FIRST_NAME>${births}`))).people[0]?.births).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['no XML', 'hello'],
    ['another document', '<html></html>'],
    ['no one on it', listOf()],
    ['a list cut off', listOf(individual('<FIRST_NAME>A</FIRST_NAME>')).slice(0, -40)],
    [
      'an entry without a name',
      listOf(individual('<FIRST_NAME>A</FIRST_NAME>'), individual('<FIRST_NAME/>', 'QDi.901')),
    ],
    ['an entry without a number', listOf('<INDIVIDUAL><FIRST_NAME>A</FIRST_NAME></INDIVIDUAL>')],
    [
      'a document type',
      listOf(individual('<FIRST_NAME>&a;</FIRST_NAME>')).replace(
        '?>',
        '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
      ),
    ],
    ['a name that every object has', listOf(individual('<FIRST_NAME>A</FIRST_NAME><__proto__><x>1</x></__proto__>'))],
    ['ten thousand levels', `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`],
  ])('refuses %s', (_, xml) => {
    expect(() => parseUnList('l', xml)).toThrow(BadList);
  });
});

describe('a long list, which is read and searched between the other work of the process', () => {
  const many = (count: number, between = ''): string =>
    listOf(
      ...Array.from({ length: count }, (_, i) => between + individual(`<FIRST_NAME>Nome${i}</FIRST_NAME>`, `QDi.${i}`)),
    );

  it('has the same people in the same order, whether its entries could be taken apart or not', () => {
    const plain = parseUnList('l', many(130));
    expect(plain.people.map(({ entryId }) => entryId)).toEqual(Array.from({ length: 130 }, (_, i) => `QDi.${i}`));
    const commented = many(130, '<!-- <INDIVIDUAL><FIRST_NAME>No one</FIRST_NAME></INDIVIDUAL> -->');
    expect(parseUnList('l', commented)).toEqual(plain);
    expect(parseUnList('l', many(130, '\n\t '))).toEqual(plain);
  });

  it.each([
    ['text between the entries that is no XML', many(90).replaceAll('</INDIVIDUAL>', '</INDIVIDUAL></x>')],
    ['an entry that does not end', many(90).replace('</INDIVIDUAL>', '')],
    [
      'an entry in another',
      many(90).replace('<FIRST_NAME>Nome7</FIRST_NAME>', individual('<FIRST_NAME>A</FIRST_NAME>')),
    ],
    [
      'two lists of people',
      many(90).replace(
        '</INDIVIDUALS>',
        `</INDIVIDUALS><INDIVIDUALS>${individual('<FIRST_NAME>A</FIRST_NAME>')}</INDIVIDUALS>`,
      ),
    ],
  ])('is refused with %s', (_, xml) => {
    expect(() => parseUnList('l', xml)).toThrow(BadList);
  });

  it('says which entry is wrong, wherever it stands', () => {
    expect(() => parseUnList('l', many(130).replace('<FIRST_NAME>Nome99</FIRST_NAME>', ''))).toThrow(
      'entry QDi.99 of the list has no name',
    );
    expect(() =>
      parseUnList('l', many(130).replace('<DATAID>1</DATAID><REFERENCE_NUMBER>QDi.99</REFERENCE_NUMBER>', '')),
    ).toThrow('entry 100 of the list has no number');
  });

  it('lets others have their turn', async () => {
    let hadTurn = false;
    setImmediate(() => {
      hadTurn = true;
    });
    const patience = 50_000_000;
    const steps = await inTurns(
      (function* untilOthersRan() {
        let taken = 0;
        for (; !hadTurn && taken < patience; taken += 1) yield;
        return taken;
      })(),
    );
    expect(steps).toBeLessThan(patience);
  });
});

describe('the local screening', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it("finds the sandbox's made-up people on their lists, and no one else", async () => {
    const screening = await LocalScreening.open({
      lists: [builtInList('un-consolidated', SANDBOX_SANCTIONS), builtInList('pep', SANDBOX_PEP)],
      threshold: 80,
    });
    expect(screening.lists()).toEqual([
      { name: 'un-consolidated', version: 'sandbox', entries: 5 },
      { name: 'pep', version: 'sandbox', entries: 3 },
    ]);
    const { hits } = await screening.screen(
      asked(['Ezequiel Brusk', 'Zeca Montalvane'], { dateOfBirth: '1964-07-05' }),
    );
    expect(hits).toEqual([
      {
        list: 'un-consolidated',
        entryId: 'SBi.001',
        score: 100,
        matchedOn: expect.stringContaining('birth 1964-07-05: same-day'),
      },
    ]);
    await expect(screening.screen(asked(['Aurelia Vasquezello']))).resolves.toMatchObject({
      hits: [{ list: 'pep', entryId: 'PEP-0001' }],
    });
    await expect(screening.screen(asked(['Vladimir Scherbatnov']))).resolves.toMatchObject({
      hits: [{ entryId: 'SBi.003' }],
    });
    await expect(screening.screen(asked(['Joana Lima', 'Maria da Silva']))).resolves.toEqual({ hits: [] });
    await expect(screening.screen(asked([]))).resolves.toEqual({ hits: [] });
  });

  it('does not start without its lists, or with a threshold that lets all or nothing through', async () => {
    const lists = [builtInList('l', SANDBOX_PEP)];
    await expect(LocalScreening.open({ lists: [], threshold: 80 })).rejects.toThrow('at least one list');
    await expect(LocalScreening.open({ lists: [...lists, ...lists], threshold: 80 })).rejects.toThrow('one name');
    await expect(
      LocalScreening.open({ lists: [fileList('l', join(folder.path, 'missing.xml'))], threshold: 80 }),
    ).rejects.toThrow('ENOENT');
    for (const threshold of [0, 49, 101, NaN])
      await expect(LocalScreening.open({ lists, threshold })).rejects.toThrow('threshold');
  });

  it('reads a list again when its file changes; a broken or shrunken file keeps the former list, with an error that contains no names', async () => {
    const file = join(folder.path, 'un.xml');
    const write = (xml: string | Buffer): void => {
      writeFileSync(`${file}.new`, xml);
      renameSync(`${file}.new`, file);
    };
    const people = (count: number, name = 'Rodolfo Tarnowitz'): string =>
      listOf(
        ...Array.from({ length: count }, (_, i) =>
          individual(`<FIRST_NAME>${name}</FIRST_NAME><SECOND_NAME>N${i}</SECOND_NAME>`, `QDi.${i}`),
        ),
      );
    write(people(4));
    const lines: string[] = [];
    const logger = pino(
      { level: 'debug' },
      {
        write: (line: string) => {
          lines.push(line);
        },
      },
    );
    const screening = await LocalScreening.open({ lists: [fileList('un', file)], threshold: 80 });
    const timers = createTimers(logger);
    screening.start(timers, 5, logger);
    timers.start();
    const logged = (words: string): Promise<void> =>
      eventually(() => {
        if (!lines.some((line) => line.includes(words))) throw new Error(`never logged: ${words}`);
      });
    const entries = (): number => screening.lists()[0]?.entries ?? 0;
    try {
      expect(entries()).toBe(4);
      await expect(screening.refresh()).resolves.toBe(false);
      write(people(5, 'Gustavo Pelegrin'));
      await eventually(() => {
        expect(entries()).toBe(5);
      });
      await expect(screening.screen(asked(['Gustavo Pelegrin']))).resolves.toMatchObject({
        hits: [{ list: 'un' }, {}, {}, {}, {}],
      });
      await expect(screening.screen(asked(['Rodolfo Tarnowitz']))).resolves.toEqual({ hits: [] });
      write(people(5, 'Secret Person').slice(0, -30));
      await logged('not well-formed');
      write(people(2, 'Secret Person'));
      await logged('lost half of its entries');
      write(Buffer.concat([Buffer.from(people(6)), Buffer.from([0xff, 0xfe])]));
      await logged('not in UTF-8');
      rmSync(file);
      await logged('ENOENT');
      expect(entries()).toBe(5);
    } finally {
      await timers.stop();
    }
    expect(lines.join('')).not.toMatch(/Tarnowitz|Pelegrin|Secret/);
  });
});

describe('a vendor of screening, against a server that misbehaves', () => {
  type Behaviour = (response: ServerResponse) => void;
  let server: Server;
  let behave: Behaviour;
  let seen: { headers?: Record<string, unknown>; body?: unknown; method?: string } = {};
  let warnings: string[] = [];
  const agent = new Agent();

  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => {
        text += part.toString();
      });
      request.on('end', () => {
        seen = { headers: request.headers, method: request.method, body: JSON.parse(text) as unknown };
        behave(response);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    await agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  beforeEach(() => {
    warnings = [];
  });

  const says =
    (body: unknown, status = 200): Behaviour =>
    (response) => {
      response.statusCode = status;
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  const vendor = (more: Partial<HttpScreeningOptions> = {}) =>
    new HttpScreening({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen?key=secret`,
      headers: { authorization: 'Bearer k' },
      fields: DEFAULT_SCREENING_FIELDS,
      bestScore: 100,
      threshold: 80,
      callback: null,
      timeoutMs: 2_000,
      warn: (reason) => {
        warnings.push(reason);
      },
      dispatcher: agent,
      ...more,
    });
  const SUBJECT = asked(['Joana Lima'], { subjectRef: 'ref-1', dateOfBirth: '1990-05-17' });

  it('is asked with the pseudonym, and what it finds above the threshold are the hits, best first', async () => {
    behave = says({
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
    expect(seen).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    });
    expect(seen.body).toEqual({
      'subject-ref': 'ref-1',
      names: ['Joana Lima'],
      'date-of-birth': '1990-05-17',
      country: 'BRA',
    });
  });

  it('reads what lies elsewhere, and scores of another scale', async () => {
    const fields = {
      ...DEFAULT_SCREENING_FIELDS,
      hits: 'data.matches',
      list: 'source.name',
      entryId: 'id',
      score: 'confidence',
      matchedOn: 'why',
    };
    behave = says({ data: { matches: [{ source: { name: 'pep' }, id: 'x', confidence: 0.9, why: 'name' }] } });
    await expect(vendor({ fields, bestScore: 1 }).screen(SUBJECT)).resolves.toEqual({
      hits: [{ list: 'pep', entryId: 'x', score: 90, matchedOn: 'name' }],
    });
    behave = says({ hits: [] });
    await expect(vendor().screen(SUBJECT)).resolves.toEqual({ hits: [] });
  });

  it.each<[string, Behaviour]>([
    ['still looking', says({ hits: [] }, 202)],
    ['404', says({ hits: [] }, 404)],
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
    ['no JSON', says('<html>')],
    ['no hits', says({})],
    ['hits that are none', says({ hits: { 0: {} } })],
    ['a hit without a list', says({ hits: [{ 'entry-id': 'x', score: 99 }] })],
    ['a score that is no number', says({ hits: [{ list: 'l', 'entry-id': 'x', score: true }] })],
    ['an empty score', says({ hits: [{ list: 'l', 'entry-id': 'x', score: '' }] })],
    ['a hit without a score', says({ hits: [{ list: 'l', 'entry-id': 'x' }] })],
    ['a score that cannot be', says({ hits: [{ list: 'l', 'entry-id': 'x', score: 1e9 }] })],
    [
      'a cut connection',
      (response) => {
        response.write('{');
        response.destroy();
      },
    ],
    ['no answer', () => undefined],
    [
      'a body without end',
      (response) => {
        const more = () => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('%s: it cannot tell, which is never "no hits"', async (name, behaviour) => {
    behave = behaviour;
    await expect(vendor({ timeoutMs: name === 'no answer' ? 50 : 2_000 }).screen(SUBJECT)).rejects.toMatchObject({
      name: 'Unavailable',
      code: 'service-unavailable',
    });
    expect(warnings).toHaveLength(1);
    expect(warnings.join('')).not.toMatch(/secret|127\.0\.0\.1|Lima/);
  });

  it('its signed notices arrive; what it says of no one is refused', async () => {
    const signature = {
      secrets: ['a secret of the vendor'],
      timestampHeader: 'x-timestamp',
      signatureHeader: 'x-signature',
    };
    const screening = vendor({ callback: signature });
    const door = await serveCallbacks({
      host: '127.0.0.1',
      port: 0,
      routes: screening.routes('/callbacks/screening'),
      now: Date.now,
      warn: () => undefined,
    });
    const send = async (body: unknown): Promise<number> => {
      const text = JSON.stringify(body);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const response = await fetch(`http://127.0.0.1:${door.port}/callbacks/screening`, {
        method: 'POST',
        body: text,
        headers: {
          'x-timestamp': timestamp,
          'x-signature': `v1=${signatureOf('a secret of the vendor', timestamp, Buffer.from(text)).toString('hex')}`,
        },
      });
      return response.status;
    };
    const heard: unknown[] = [];
    try {
      await expect(send({ 'subject-ref': 'ref-1', 'event-id': 'e' })).resolves.toBe(503);
      screening.listen(async (notice) => {
        heard.push(notice);
      });
      await expect(send({ 'subject-ref': 'ref-1', 'event-id': 'e' })).resolves.toBe(204);
      await expect(send({ 'event-id': 'e' })).resolves.toBe(422);
    } finally {
      await door.close();
    }
    expect(heard).toEqual([{ subjectRef: 'ref-1', providerEventId: 'e' }]);
    expect(vendor().routes('/x')).toEqual([]);
  });
});

describe('several, and the simulator', () => {
  it('several give the hits of all, and one that cannot tell makes the whole unknown', async () => {
    const sanctions = new SimulatedScreening(
      await LocalScreening.open({ lists: [builtInList('un', SANDBOX_SANCTIONS)], threshold: 80 }),
    );
    const pep = await LocalScreening.open({ lists: [builtInList('pep', SANDBOX_PEP)], threshold: 80 });
    const both = severalScreenings(sanctions, pep);
    await expect(both.screen(asked(['Ri Won Paekchu', 'Margaux Delacourtier']))).resolves.toMatchObject({
      hits: [{ list: 'un' }, { list: 'pep' }],
    });
    sanctions.misbehaviour.failing = 1;
    await expect(both.screen(asked(['Joana Lima']))).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(both.screen(asked(['Joana Lima']))).resolves.toEqual({ hits: [] });
  });
});
