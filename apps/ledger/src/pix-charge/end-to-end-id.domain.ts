const END_TO_END_ID = /^E[0-9A-Z]{8}\d{12}[a-zA-Z0-9]{11}$/;

/** Whether a text has the form that Banco Central gives the id of a Pix. The bank has no payment under any other id. */
export const isEndToEndId = (text: string): boolean => END_TO_END_ID.test(text);

/** The time that the id names, in epoch milliseconds: `E`, the payer's institution, and the minute in UTC. */
export function timeOfEndToEndId(id: string): number {
  const [, year, month, day, hour, minute] = /^E.{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}
