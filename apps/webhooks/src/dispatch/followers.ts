import { lruCache } from '@ponte/kernel';
import type { Task } from './delivery-task';

const REMEMBERED = 20_000;

/** Deliveries that wait for another one, by its id. Evicted entries are found later in the read model. */
export class Followers {
  private readonly tasks = lruCache<string, Task[]>(REMEMBERED);

  add(task: Task, before: string): void {
    // A slice that is read again adds its deliveries again.
    const others = (this.tasks.get(before) ?? []).filter(({ deliveryId }) => deliveryId !== task.deliveryId);
    this.tasks.set(before, [...others, task]);
  }

  /** Removes and returns the deliveries that waited for this one. */
  take(deliveryId: string): readonly Task[] {
    const tasks = this.tasks.get(deliveryId) ?? [];
    this.tasks.delete(deliveryId);
    return tasks;
  }
}
