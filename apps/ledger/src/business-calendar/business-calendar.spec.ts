import { BusinessCalendar } from './business-calendar';

const calendar = new BusinessCalendar(new Set(['2027-12-24']));
const at = (saoPaulo: string) => calendar.waitsUntil(Date.parse(`${saoPaulo}-03:00`));
const OPENING = (date: string) => `${date}T09:30:00.000Z`;

describe('Banking hours of TEDs', () => {
  // 31 December is a business day of the financial market (CMN resolution 4.880), although branches are closed.
  it.each([['2027-03-01T06:30:00'], ['2027-03-01T12:00:00'], ['2027-03-01T16:59:59.999'], ['2027-12-31T12:00:00']])(
    'include %s in São Paulo, on a banking day',
    (time) => {
      expect(at(time)).toBeNull();
    },
  );

  it.each([
    ['before they begin', '2027-03-01T06:29:59', '2027-03-01'],
    ['after they end', '2027-03-01T17:00:00', '2027-03-02'],
    ['on a Friday evening', '2027-03-05T18:00:00', '2027-03-08'],
    ['on a Saturday', '2027-03-06T10:00:00', '2027-03-08'],
    ['on a Sunday', '2027-03-07T10:00:00', '2027-03-08'],
    ['on the Monday and Tuesday of Carnival', '2027-02-08T10:00:00', '2027-02-10'],
    ['on Good Friday', '2027-03-26T10:00:00', '2027-03-29'],
    ['on Corpus Christi', '2027-05-27T10:00:00', '2027-05-28'],
    ['on Black Awareness Day, a national holiday', '2026-11-20T10:00:00', '2026-11-23'],
    ['on Independence Day', '2027-09-07T10:00:00', '2027-09-08'],
    ['on a day that the operator configured, and the weekend after it', '2027-12-24T10:00:00', '2027-12-27'],
    ['over the New Year', '2027-12-31T20:00:00', '2028-01-03'],
  ])('are closed %s, with the next opening given', (_case, time, opens) => {
    expect(at(time)).toBe(OPENING(opens));
  });

  it.each([
    ['all time since then, on the same day', '2027-03-01T12:00:00', '2027-03-01T12:30:00', 30],
    ['the time since they began, if it was before', '2027-02-26T16:58:00', '2027-03-01T06:40:00', 10],
    ['nothing while they are closed', '2027-02-26T16:58:00', '2027-02-28T12:00:00', 0],
    ['nothing at a time in the future', '2027-03-01T12:30:00', '2027-03-01T12:00:00', 0],
  ])('count %s', (_case, since, now, minutes) => {
    const [from, to] = [since, now].map((time) => Date.parse(`${time}-03:00`));
    expect(calendar.openFor(from ?? 0, to ?? 0)).toBe(minutes * 60_000);
  });

  it('are not affected by Easter Sunday, which is no bank holiday', () => {
    expect(calendar.isBankingDay('2027-03-29')).toBe(true);
  });

  it('are closed on 31 December if the operator configures it', () => {
    const named = new BusinessCalendar(new Set(['2027-12-31']));
    expect(named.waitsUntil(Date.parse('2027-12-31T12:00:00-03:00'))).toBe(OPENING('2028-01-03'));
  });
});
