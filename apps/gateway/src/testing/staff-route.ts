import type { Shape } from '../validation/fields';

/** One route of the staff API with a valid request. */
export interface StaffRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly body?: object;
  readonly status: number;
  /** Null if the response is not JSON. */
  readonly answer: Shape | null;
}

export const get = (url: string, answer: Shape | null): StaffRoute => ({ method: 'GET', url, status: 200, answer });
export const post = (url: string, body: object | undefined, answer: Shape): StaffRoute => ({
  method: 'POST',
  url,
  ...(body ? { body } : {}),
  status: 200,
  answer,
});
