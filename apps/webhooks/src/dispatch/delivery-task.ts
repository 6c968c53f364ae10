/** The ids of a delivery, its endpoint and account, and the delivery that it waits for. */
export interface Task {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly after: string | null;
}
