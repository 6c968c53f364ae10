import { readIfThere, writeDurably } from '../durable-file';

/** The process and port of a local chain's last run, stored to find an orphan and to use the same port again. */
export interface Whereabouts {
  /** 0 after an orderly stop. */
  readonly pid: number;
  readonly port: number;
}

/** Reads the file; undefined when it does not exist or was truncated by a crash. */
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
