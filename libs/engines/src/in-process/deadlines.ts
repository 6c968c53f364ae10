import { Unavailable } from '@ponte/kernel';

interface Limited { readonly deadline: number; readonly late: (reason: Unavailable) => void }

/** Coarser than a timer per request, and far cheaper. */
const SWEEP_MS = 100;

/** Gives up waiting at a deadline. What runs goes on; its outcome is then unknown to the caller, who may ask again. */
export class Deadlines {
  private readonly waiting = new Set<Limited>();
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly systemNow: () => number) {}

  limit<T>(answer: Promise<T>, deadline: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const limited: Limited = { deadline, late: reject };
      this.waiting.add(limited);
      this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
      answer.then(
        (value) => { this.waiting.delete(limited); resolve(value); },
        (error: unknown) => { this.waiting.delete(limited); reject(error as Error); },
      );
    });
  }

  private sweep(): void {
    const now = this.systemNow();
    for (const limited of this.waiting) {
      if (now <= limited.deadline) continue;
      this.waiting.delete(limited);
      limited.late(new Unavailable('service-unavailable'));
    }
    if (this.waiting.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}
