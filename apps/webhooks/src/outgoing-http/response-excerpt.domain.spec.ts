import { withoutPersonal } from './response-excerpt.domain';

const TAX_ID = '39053344705';
const NAME = 'João "Jô" de Souza/Lima';

/** As Python, PHP and others write JSON. */
const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('the excerpt of a response', () => {
  it.each([
    ['as plain text', `Hello ${NAME}!`, 'Hello [removed]!'],
    ['as JSON', JSON.stringify({ name: NAME, ok: true }), '{"name":"[removed]","ok":true}'],
    ['as JSON in ASCII', ascii(JSON.stringify({ name: NAME })), '{"name":"[removed]"}'],
    [
      'as JSON in ASCII with capital digits',
      ascii(JSON.stringify({ name: NAME })).replace('00e3', '00E3'),
      '{"name":"[removed]"}',
    ],
    ['with escaped slashes', JSON.stringify({ name: NAME }).replace('/', '\\/'), '{"name":"[removed]"}'],
    ['within JSON', ascii(JSON.stringify({ data: JSON.stringify({ name: NAME }) })), '{"data":"{"name":"[removed]"}"}'],
  ])('has no personal data %s', (_, response, stored) => expect(withoutPersonal(response, [NAME])).toBe(stored));

  it.each([
    ['a number', `{"source-tax-id":"${TAX_ID.slice(0, 10)}`, '{"source-tax-id":"[removed]'],
    ['a name', '{"name":"João', '{"name":"[removed]'],
    ['a character', '{"name":"Jo\ufffd', '{"name":"[removed]'],
    ['an escape', '{"name":"Jo\\u00e', '{"name":"[removed]'],
    ['a quotation mark', '{"name":"João \\', '{"name":"[removed]'],
  ])('has no part of personal data where it ends within %s', (_, response, stored) =>
    expect(withoutPersonal(response, [TAX_ID, NAME])).toBe(stored),
  );

  it('has nothing of texts that contain or overlap each other', () => {
    expect(withoutPersonal('Ana Souza, Ana.', ['Ana', 'Ana Souza'])).toBe('[removed], [removed].');
    expect(withoutPersonal('1: 551234', ['5512', '123456'])).toBe('1: [removed]');
    expect(withoutPersonal('1: 12312', ['12312'])).toBe('1: [removed]');
  });

  it('stays as it is without personal data, apart from NUL characters', () => {
    const response = '{"error":"n\\u00e3o\\/","path":"a\\\\b"}\0 J';
    expect(withoutPersonal(response, ['', TAX_ID, NAME])).toBe('{"error":"n\\u00e3o\\/","path":"a\\\\b"} J');
    expect(withoutPersonal('', [NAME])).toBe('');
  });

  describe('with long runs of backslashes', () => {
    const RUN = '\\'.repeat(1_023);

    afterEach(() => jest.restoreAllMocks());

    it('has no personal data after, before or within them', () => {
      const excerpts = Array.from({ length: 500 }, (_, at) => `${RUN.slice(0, 1_023 - (at % 7))}x`);
      expect(excerpts.map((one) => withoutPersonal(one, [TAX_ID, NAME]))).toEqual(excerpts);
      expect(withoutPersonal(`${RUN}x ${TAX_ID} ${RUN}`, [TAX_ID])).toBe('\\x [removed] ');
      expect(withoutPersonal(`Jo${RUN}u00e3o ${RUN}"J`, ['João "Jô"'])).toBe('[removed]');
      expect(withoutPersonal(`Jo${RUN}u00e`, ['João'])).toBe('[removed]');
      expect(withoutPersonal(`Lima${RUN}/Souza`, ['Lima/Souza'])).toBe('[removed]');
    });

    it('reads each of them once', () => {
      const replace = jest.spyOn(String.prototype, 'replace');
      withoutPersonal(`${RUN}x`, [TAX_ID]);
      const patterns = replace.mock.calls.map(([pattern]) => pattern as unknown).filter((one) => one instanceof RegExp);
      replace.mockRestore();
      expect(patterns).not.toEqual([]);
      // A pattern that can fail after a run begins again at each of its characters.
      for (const pattern of patterns) expect([pattern, `${RUN}x`.match(pattern)?.[0]]).toEqual([pattern, RUN]);
    });
  });
});
