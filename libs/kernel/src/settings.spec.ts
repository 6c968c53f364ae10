import { readEach, SettingsReader } from './settings';

const DECLARED = [
  { name: 'COUNT', meaning: 'a number', default: '5' },
  { name: 'MODE', meaning: 'a choice', default: 'slow' },
  { name: 'URL', meaning: 'an address', default: '' },
  { name: 'NAMES', meaning: 'a list', default: 'a, b' },
  { name: 'RULES', meaning: 'JSON', default: '{}' },
  { name: 'RPC_<CHAIN>', meaning: 'one for each chain', default: '' },
];
const read = (variables: Record<string, string> = {}) => new SettingsReader(DECLARED, variables);

describe('a reader of settings', () => {
  it('returns the declared default for a variable that is not set or empty', () => {
    for (const reader of [read(), read({ COUNT: '', MODE: '', NAMES: '', URL: '', RULES: '' })]) {
      expect(reader.wholeNumber('COUNT', 1, 9)).toBe(5);
      expect(reader.oneOf('MODE', ['slow', 'fast'])).toBe('slow');
      expect(reader.list('NAMES')).toEqual(['a', 'b']);
      expect(reader.httpUrl('URL')).toBeNull();
      expect(reader.optional('MODE')).toBeNull();
      expect(reader.json('RULES')).toEqual({});
    }
  });

  it('prefers the value, then the default of the caller', () => {
    expect(read({ COUNT: '7' }).wholeNumber('COUNT', 1, 9, 8)).toBe(7);
    expect(read().wholeNumber('COUNT', 1, 9, 8)).toBe(8);
    expect(read().oneOf('MODE', ['slow', 'fast'], 'fast')).toBe('fast');
    expect(read({ NAMES: ' x ,, y' }).list('NAMES')).toEqual(['x', 'y']);
  });

  it.each(['0', '10', '1.5', '1e400', 'many', '0x', 'NaN', '-1'])('refuses %s where 1 to 9 is accepted', (COUNT) => {
    expect(() => read({ COUNT }).wholeNumber('COUNT', 1, 9)).toThrow('COUNT must be a whole number from 1 to 9');
  });

  it('names the accepted values and never quotes the value that was set', () => {
    const secret = 'hunter2';
    const reader = read({ MODE: secret, URL: secret, RULES: secret, RPC_BASE: secret });
    const messages = [
      () => reader.oneOf('MODE', ['slow', 'fast']),
      () => reader.flag('MODE'),
      () => reader.isOn('MODE'),
      () => reader.httpUrl('URL'),
      () => reader.httpUrls('RPC_BASE'),
      () => reader.json('RULES'),
    ].map((attempt) => {
      try {
        return String(attempt());
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(messages).toEqual([
      'MODE must be one of slow, fast',
      'MODE must be one of true, false',
      'MODE must be one of on, off',
      'URL must be an http or https URL',
      'RPC_BASE must be a comma-separated list of http or https URLs',
      'RULES must be JSON',
    ]);
  });

  it('reads an address to listen at', () => {
    expect(read().listenAddress('URL')).toBeNull();
    expect(read({ URL: '0.0.0.0:8443' }).listenAddress('URL')).toEqual({ host: '0.0.0.0', port: 8443 });
    expect(read({ URL: '[::1]:0' }).listenAddress('URL')).toEqual({ host: '::1', port: 0 });
    for (const URL of ['8443', 'host:', ':8443', 'host:65536', 'host:8443/'])
      expect(() => read({ URL }).listenAddress('URL')).toThrow('URL must be host:port');
  });

  it('refuses a required variable that is not set', () => {
    expect(read({ URL: 'x' }).required('URL', 'in production')).toBe('x');
    expect(() => read({ URL: '' }).required('URL', 'in production')).toThrow('URL must be set in production');
  });

  it('reads a name that matches a placeholder, and no undeclared name', () => {
    expect(read({ RPC_BASE: 'https://a.test' }).httpUrls('RPC_BASE')).toEqual(['https://a.test']);
    const twice = read({ RPC_BASE: 'https://a.test/k,https://b.test/,https://A.test/k' });
    expect(() => twice.httpUrls('RPC_BASE')).toThrow('RPC_BASE names a URL twice');
    expect(() => read({ OTHER: '1' }).text('OTHER')).toThrow('OTHER is not a declared setting');
  });
});

describe('reading each field of a configuration', () => {
  const settings = read({ COUNT: 'many', MODE: 'other', NAMES: 'x' });
  const count = () => settings.wholeNumber('COUNT', 1, 9);
  const mode = () => settings.oneOf('MODE', ['slow', 'fast']);
  const messageOf = (run: () => unknown): string => {
    try {
      return String(run());
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('returns what the fields are', () => {
    expect(readEach({ names: () => settings.list('NAMES'), url: () => settings.httpUrl('URL') })).toEqual({
      names: ['x'],
      url: null,
    });
  });

  it('reports all wrong settings at once, each of them once, also those of a part of the configuration', () => {
    const part = () => readEach({ mode, again: count, url: () => settings.required('URL', 'in production') });
    expect(messageOf(() => readEach({ count, names: () => settings.list('NAMES'), part }))).toBe(
      [
        '3 settings are wrong:',
        'COUNT must be a whole number from 1 to 9',
        'MODE must be one of slow, fast',
        'URL must be set in production',
      ].join('\n'),
    );
  });

  it('reports a single one as it is', () => {
    expect(messageOf(() => readEach({ count }))).toBe('COUNT must be a whole number from 1 to 9');
  });

  it('does not take a fault of the code for a wrong setting', () => {
    expect(() => readEach({ count, other: () => settings.text('OTHER') })).toThrow(
      new TypeError('OTHER is not a declared setting'),
    );
  });
});
