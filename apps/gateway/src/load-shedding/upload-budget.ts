import { UploadTurns } from './upload-turns';

const MB = 1024 * 1024;
/** Bytes of bodies with files that are in memory at once, in this process. */
const MAX_BYTES = 64 * MB;
/** The share of one partner. A slow or greedy partner leaves room for the others. */
const MAX_BYTES_OF_ACCOUNT = MAX_BYTES / 2;

/** Room for one body with a file, from the headers of its request until its response is handed over. */
export interface UploadRoom {
  /** Bytes that the body may have. */
  readonly limit: number;
  /** True from the moment at which the body is worked on. */
  readonly working: boolean;
  /** Resolves when the body may be worked on: true; false when that took too long and the caller has to come again. */
  turn(): Promise<boolean>;
  /** Gives memory and turn back. Only the first call counts. */
  release(): void;
}

/**
 * How much memory uploads may take (ADR 157). A body counts with its announced length, or with the longest that is
 * allowed if it announces none. Parsing, hashing and sealing copy a body several times; only bodies with a turn are
 * copied.
 */
export class UploadBudget {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly turns = new UploadTurns()) {}

  /** Bytes that uploads hold now. */
  get bytes(): number {
    return this.total;
  }

  /** Undefined when there is no room. */
  take(accountId: string, announced: number, limit: number): UploadRoom | undefined {
    const bytes = announced >= 0 && announced <= limit ? announced : limit;
    const own = this.held.get(accountId) ?? 0;
    if (this.total + bytes > MAX_BYTES || own + bytes > MAX_BYTES_OF_ACCOUNT) return undefined;
    this.change(accountId, bytes);
    const turn = this.turns.ask();
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
