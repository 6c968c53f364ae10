import { readIfThere, writeDurably } from '../durable-file';

/** The process and port of a local chain's last run, stored to find an orphan and to use the same port again. */
interface LastRun {
  /** 0 after an orderly stop. */
  readonly pid: number;
  readonly port: number;
}

/** Reads the file; undefined when it does not exist or was truncated by a crash. */
export async function readLastRun(file: string): Promise<LastRun | undefined> {
  const text = await readIfThere(file);
  try {
    const { pid, port } = JSON.parse(text ?? '{}') as Partial<LastRun>;
    return Number.isSafeInteger(pid) && Number.isSafeInteger(port) ? ({ pid, port } as LastRun) : undefined;
  } catch {
    return undefined;
  }
}

export async function writeLastRun(file: string, lastRun: LastRun): Promise<void> {
  await writeDurably(file, `${JSON.stringify(lastRun)}\n`);
}
