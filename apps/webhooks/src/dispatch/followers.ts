import { LRUCache } from 'lru-cache';
import type { Task } from './deliveries';

const REMEMBERED = 20_000;

/** Deliveries by the one that they wait for. Forgetting some only makes them wait for the view. */
export class Followers {
  private readonly tasks = new LRUCache<string, Task[]>({ max: REMEMBERED });

  add(task: Task, before: string): void {
    this.tasks.set(before, [...(this.tasks.get(before) ?? []), task]);
  }

  /** What waited for this delivery, which is forgotten. */
  take(deliveryId: string): readonly Task[] {
    const tasks = this.tasks.get(deliveryId) ?? [];
    this.tasks.delete(deliveryId);
    return tasks;
  }
}
