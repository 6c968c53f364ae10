import type { QueueFilters } from '@ponte/contracts';

export const NO_QUEUE_FILTERS: QueueFilters = {
  statuses: [],
  stages: [],
  assignedTo: null,
  parentId: null,
  escalated: null,
  createdBefore: null,
  createdAfter: null,
};
