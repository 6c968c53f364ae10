import { UploadTurns } from './upload-turns';

const MB = 1024 * 1024;
/** The largest number of bytes of bodies with files in this process's memory at once. */
const MAX_BYTES = 64 * MB;
/** The share of one account, so that a slow or greedy partner leaves room for the others. */
const MAX_BYTES_OF_ACCOUNT = MAX_BYTES / 2;

/** The memory for one body with a file, held from the request's headers until its response is handed over. */
export interface UploadRoom {
  /** The number of bytes that the body may have. */
  readonly limit: number;
  /** Whether work on the body has begun. */
  readonly working: boolean;
  /** Resolves to true when the body may be processed, to false if that took too long and the caller must retry. */
  turn(): Promise<boolean>;
  /** Releases the memory and the turn. Only the first call counts. */
  release(): void;
}

/**
 * Limits the memory of uploads (ADR 62). A body counts with its announced length, or with the largest allowed length
 * if it announces none. Parsing, hashing and sealing copy a body several times, but only for bodies that have a turn.
 */
export class UploadBudget {
  private readonly held = new Map<string, number>();
  private total = 0;
  private readonly turns = new UploadTurns();

  /** The bytes that uploads hold now. */
  get bytes(): number {
    return this.total;
  }

  /** Undefined if there is no room. */
  take(accountId: string, announced: number, limit: number): UploadRoom | undefined {
    const bytes = announced >= 0 && announced <= limit ? announced : limit;
    const own = this.held.get(accountId) ?? 0;
    if (this.total + bytes > MAX_BYTES || own + bytes > MAX_BYTES_OF_ACCOUNT) return undefined;
    this.change(accountId, bytes);
    const turn = this.turns.ask(accountId);
    let released = false;
    return {
      limit: bytes,
      get working() {
        return turn.granted;
      },
      turn: () => turn.wait(),
      release: () => {
        if (released) return;
        released = true;
        turn.leave();
        this.change(accountId, -bytes);
      },
    };
  }

  private change(accountId: string, bytes: number): void {
    this.total += bytes;
    const own = (this.held.get(accountId) ?? 0) + bytes;
    if (own === 0) this.held.delete(accountId);
    else this.held.set(accountId, own);
  }
}
