import { parseCountry } from '@ponte/kernel';

/** Country names in lists, besides the ISO codes. They only add a little to a score, so a missing name does no harm. */
const NAMES = `Afghanistan AFG, Albania ALB, Algeria DZA, Angola AGO, Argentina ARG, Armenia ARM, Australia AUS,
Austria AUT, Azerbaijan AZE, Bahrain BHR,
Bangladesh BGD, Belarus BLR, Belgium BEL, Bolivia BOL, Bosnia and Herzegovina BIH, Brazil BRA, Bulgaria BGR,
Cameroon CMR, Canada CAN, Central African Republic CAF,
Chad TCD, Chile CHL, China CHN, Colombia COL, Congo COG, Cuba CUB, Democratic People's Republic of Korea PRK,
Democratic Republic of the Congo COD, Denmark DNK,
Ecuador ECU, Egypt EGY, Eritrea ERI, Ethiopia ETH, France FRA, Georgia GEO, Germany DEU, Greece GRC,
Guinea-Bissau GNB, Haiti HTI, India IND, Indonesia IDN,
Iran IRN, Iran (Islamic Republic of) IRN, Islamic Republic of Iran IRN, Iraq IRQ, Israel ISR, Italy ITA, Jordan JOR,
Kazakhstan KAZ, Kenya KEN, Kuwait KWT, Lebanon LBN,
Libya LBY, Malaysia MYS, Mali MLI, Mauritania MRT, Mexico MEX, Morocco MAR, Netherlands NLD, Niger NER, Nigeria NGA,
Norway NOR, Oman OMN, Pakistan PAK, Palestine PSE,
Paraguay PRY, Peru PER, Philippines PHL, Portugal PRT, Qatar QAT, Russian Federation RUS, Rwanda RWA,
Saudi Arabia SAU, Senegal SEN, Somalia SOM, South Africa ZAF,
South Sudan SSD, Spain ESP, Sudan SDN, Sweden SWE, Syrian Arab Republic SYR, Tajikistan TJK, Thailand THA,
Trinidad and Tobago TTO, Tunisia TUN, Turkey TUR, Türkiye TUR,
Uganda UGA, Ukraine UKR, United Arab Emirates ARE, United Kingdom of Great Britain and Northern Ireland GBR,
United States of America USA, Uruguay URY, Uzbekistan UZB,
Venezuela VEN, Venezuela (Bolivarian Republic of) VEN, Viet Nam VNM, Yemen YEM`;

const plain = (name: string): string => name.trim().toLowerCase();

const CODES: ReadonlyMap<string, string> = new Map(
  NAMES.split(/,\s+/).map((pair) => [plain(pair.slice(0, -3)), pair.slice(-3)] as const),
);

/** The ISO 3166-1 alpha-3 code for a country's name or code; undefined if unknown. */
export const countryOf = (name: string): string | undefined => CODES.get(plain(name)) ?? parseCountry(name.trim());
