/** Loads what opens the engines of a cluster, and with it the clients of EventStoreDB, Kafka and PostgreSQL. */
export const loadClusterEngines = () => import('./cluster-engines');
