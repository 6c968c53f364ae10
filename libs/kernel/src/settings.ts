/** One environment variable, as documented. `<CHAIN>` in a name is a placeholder for one of several words. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  readonly default: string;
}

/** Where a server listens. Port 0 means any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The environment of a process, or a replacement in tests. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that a service declares. An empty variable counts as not set. Every method throws an error that
 * names the variable and the accepted values but never quotes its value, which may be secret. Reading an undeclared
 * variable is an error too, so that the documents are complete.
 */
export class SettingsReader {
  constructor(
    private readonly declared: readonly Setting[],
    private readonly variables: Variables,
  ) {}

  /** The value, or `otherwise`, or the declared default. */
  text(name: string, otherwise?: string): string {
    const declared = this.settingOf(name);
    return this.variables[name] || (otherwise ?? declared.default);
  }

  /** The value; null if the variable is not set. */
  optional(name: string): string | null {
    this.settingOf(name);
    return this.variables[name] || null;
  }

  /** The value of a variable that must be set. `where` describes the case, such as `in production`. */
  required(name: string, where: string): string {
    const value = this.optional(name);
    if (value === null) throw new Error(`${name} must be set ${where}`);
    return value;
  }

  wholeNumber(name: string, min: number, max: number, otherwise?: number): number {
    const value = Number(this.text(name, otherwise === undefined ? undefined : String(otherwise)));
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  }

  oneOf<const Choice extends string>(name: string, choices: readonly Choice[], otherwise?: Choice): Choice {
    const value = this.text(name, otherwise);
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}`);
    return choice;
  }

  /** The value of a variable that must be `true` or `false`. */
  flag(name: string): boolean {
    return this.oneOf(name, ['true', 'false']) === 'true';
  }

  /** The value of a variable that must be `on` or `off`. */
  isOn(name: string): boolean {
    return this.oneOf(name, ['on', 'off']) === 'on';
  }

  /** The comma-separated parts, trimmed and without empty ones. */
  list(name: string): readonly string[] {
    return this.text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** An http or https URL; null if the variable is not set. */
  httpUrl(name: string): string | null {
    const value = this.optional(name);
    if (value !== null && !isHttpUrl(value)) throw new Error(`${name} must be an http or https URL`);
    return value;
  }

  /** A list of different http or https URLs, at least one. */
  httpUrls(name: string): readonly string[] {
    const urls = this.list(name);
    if (urls.length === 0 || !urls.every(isHttpUrl))
      throw new Error(`${name} must be a comma-separated list of http or https URLs`);
    // Two servers have to agree on some answers, and one of them cannot confirm itself.
    if (new Set(urls.map((url) => new URL(url).href)).size < urls.length) throw new Error(`${name} names a URL twice`);
    return urls;
  }

  /** An address `host:port`, with an IPv6 address in brackets; null if the variable is not set. */
  listenAddress(name: string): ListenAddress | null {
    const value = this.optional(name);
    if (value === null) return null;
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
    if (host === undefined || Number(port) > 65_535) throw new Error(`${name} must be host:port`);
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  }

  /** The value or the declared default, parsed as JSON. */
  json(name: string): unknown {
    try {
      return JSON.parse(this.text(name)) as unknown;
    } catch {
      throw new Error(`${name} must be JSON`);
    }
  }

  private settingOf(name: string): Setting {
    const found = findSetting(this.declared, name);
    if (found === undefined) throw new TypeError(`${name} is not a declared setting`);
    return found;
  }
}

/** Settings that are missing or invalid. The message has one line for each. */
class InvalidSettings extends Error {
  constructor(readonly found: readonly string[]) {
    super(found.length === 1 ? found[0] : `${found.length} settings are wrong:\n${found.join('\n')}`);
  }
}

/**
 * Reads every field of a configuration. If some of them throw, it throws one error with all of their messages, so that
 * an operator can correct the settings in one go.
 */
export function readEach<Fields extends Readonly<Record<string, () => unknown>>>(
  fields: Fields,
): { [Name in keyof Fields]: ReturnType<Fields[Name]> } {
  const found = new Set<string>();
  const read = Object.entries(fields).map(([name, field]) => {
    try {
      return [name, field()];
    } catch (error) {
      // Faults of the code.
      if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
      for (const one of error instanceof InvalidSettings ? error.found : [error.message]) found.add(one);
      return [name, undefined];
    }
  });
  if (found.size > 0) throw new InvalidSettings([...found]);
  return Object.fromEntries(read) as { [Name in keyof Fields]: ReturnType<Fields[Name]> };
}

export const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

export const isDeclared = (declared: readonly Setting[], name: string): boolean =>
  findSetting(declared, name) !== undefined;

const findSetting = (declared: readonly Setting[], name: string): Setting | undefined =>
  declared.find((setting) => setting.name === name || patternOf(setting.name)?.test(name));

const patternOf = (name: string): RegExp | undefined =>
  name.includes('<') ? new RegExp(`^${name.replace(/<\w+>/g, '\\w+')}$`) : undefined;
