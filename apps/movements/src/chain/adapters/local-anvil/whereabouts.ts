import { readIfThere, writeDurably } from '../durable-file';

/**
 * Where a local chain runs, or ran: kept to find an orphan, and so that the chain has the same address after a restart.
 */
export interface Whereabouts {
  /** 0 when it was stopped in order. */
  readonly pid: number;
  readonly port: number;
}

/** What a file says that may be absent, or cut off by an older crash: then nothing is known. */
export async function readWhereabouts(file: string): Promise<Whereabouts | undefined> {
  const text = await readIfThere(file);
  try {
    const { pid, port } = JSON.parse(text ?? '{}') as Partial<Whereabouts>;
    return Number.isSafeInteger(pid) && Number.isSafeInteger(port) ? ({ pid, port } as Whereabouts) : undefined;
  } catch {
    return undefined;
  }
}

export async function writeWhereabouts(file: string, whereabouts: Whereabouts): Promise<void> {
  await writeDurably(file, `${JSON.stringify(whereabouts)}\n`);
}
