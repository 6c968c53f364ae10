import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fetch } from 'undici';

/** The next person to sign in at the provider. */
interface NextSignIn {
  readonly account: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly idTokenSeconds?: number;
  /** Whether the provider gives refresh tokens. */
  readonly refreshTokens?: boolean;
  /** The person whom the provider no longer knows. */
  readonly disabled?: string;
  /** The path to which all requests fail. */
  readonly broken?: '/token' | '/me';
}

const USUAL = { claims: {}, idTokenSeconds: 300, refreshTokens: false, disabled: '', broken: '' };

/** A real OpenID provider in a separate process. */
export class TestProvider {
  private constructor(
    private readonly child: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(redirectUri: string): Promise<TestProvider> {
    const child = spawn(process.execPath, [join(__dirname, 'oidc-provider.mjs'), redirectUri], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (part) => {
      output += String(part);
    });
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith('http')) return new TestProvider(child, line);
    throw new Error(`the provider exited: ${output}`);
  }

  async next(request: NextSignIn): Promise<void> {
    const response = await fetch(`${this.issuer}/control`, {
      method: 'POST',
      body: JSON.stringify({ ...USUAL, ...request }),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
  }

  /** How many requests for tokens the provider got. */
  async tokenRequests(): Promise<number> {
    const response = await fetch(`${this.issuer}/control`);
    return ((await response.json()) as { tokenRequests: number }).tokenRequests;
  }

  /** Acts as the browser at the provider until it is sent back. Returns the URL to which it is sent. */
  async visit(location: string, backTo: string): Promise<string> {
    const cookies = new Map<string, string>();
    for (let url = location, step = 0; step < 20; step += 1) {
      if (url.startsWith(backTo)) return url;
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      for (const sent of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(sent) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null)
        throw new Error(`the provider responded with ${response.status}: ${(await response.text()).slice(0, 300)}`);
      url = new URL(next, url).href;
    }
    throw new Error('the provider redirected the browser 20 times without sending it back');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
