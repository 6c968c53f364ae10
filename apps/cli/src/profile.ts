import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError, EXIT } from './failures';

/** A stored sign-in with exactly one of the two kinds of key. */
export interface Profile {
  readonly 'base-url': string;
  /** The account that commands act on by default. */
  readonly 'account-id': string;
  readonly 'api-key'?: string;
  readonly 'key-id'?: string;
  /** The path of the private key, which is not copied. */
  readonly 'private-key-file'?: string;
  /** The secret that signs the webhooks forwarded by `listen`. */
  readonly 'webhook-secret'?: string;
}

type Profiles = Readonly<Record<string, Profile>>;
type Env = Readonly<Record<string, string | undefined>>;

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** The configuration folder of the user: PONTE_CONFIG_DIR, or the usual place of the platform. */
export function configFolder(env: Env): string {
  if (env['PONTE_CONFIG_DIR']) return env['PONTE_CONFIG_DIR'];
  if (process.platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'ponte');
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config'), 'ponte');
}

/** Whether users other than the owner can read a file with this mode. */
export const readableByOthers = (mode: number): boolean => process.platform !== 'win32' && (mode & OTHERS) !== 0;

/** The profiles of one user, in one file that only this user can read. */
export class ProfileStore {
  readonly file: string;

  constructor(private readonly folder: string) {
    this.file = join(folder, 'config.json');
  }

  read(name: string): Profile | undefined {
    return this.all()[name];
  }

  write(name: string, profile: Profile): void {
    this.replace({ ...this.all(), [name]: profile });
  }

  /** Returns false if the profile did not exist. */
  remove(name: string): boolean {
    const { [name]: removed, ...others } = this.all();
    if (removed) this.replace(others);
    return removed !== undefined;
  }

  private all(): Profiles {
    if (!existsSync(this.file)) return {};
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as Profiles;
    } catch {
      throw new CliError(
        'configuration',
        `${this.file} is not JSON.`,
        'Remove it and sign in again: ponte login.',
        EXIT.signIn,
      );
    }
  }

  /** Replaces the file atomically, so that a reader never sees part of it. */
  private replace(profiles: Profiles): void {
    mkdirSync(this.folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const draft = `${this.file}.new`;
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
    chmodSync(draft, OWNER_ONLY);
    renameSync(draft, this.file);
  }
}
