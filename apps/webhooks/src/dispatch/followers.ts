import { lruCache } from '@ponte/kernel';
import type { Task } from './delivery-task';

const REMEMBERED = 20_000;

/** Deliveries that wait for another one, by its id. Evicted entries are found later in the read model. */
export class Followers {
  private readonly tasks = lruCache<string, Task[]>(REMEMBERED);

  add(task: Task, before: string): void {
    this.tasks.set(before, [...(this.tasks.get(before) ?? []), task]);
  }

  /** Removes and returns the deliveries that waited for this one. */
  take(deliveryId: string): readonly Task[] {
    const tasks = this.tasks.get(deliveryId) ?? [];
    this.tasks.delete(deliveryId);
    return tasks;
  }
}
