export type { ParkedEvents } from '@ponte/event-sourcing';
