import { isCountryCode } from './countries.ts'

/** Whether the text is an absolute http(s) address with a host. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text)

/** The string formats that schemas may use, each with how a message calls it. */
export const formats = {
  'country-code': { name: 'a two-letter country code of ISO 3166-1, such as DE', isValid: isCountryCode },
  'web-address': { name: 'an address such as https://www.example.com', isValid: isWebAddress },
  'page-address': {
    name: 'a path such as /companies or an http(s) address, of up to 2000 characters',
    isValid: (text: string) => /^\/(?!\/)\S*$/.test(text) || isWebAddress(text),
  },
  'date-time': {
    name: 'a time such as 2026-03-02T09:30:00.000Z',
    isValid: (text: string) => !Number.isNaN(Date.parse(text)),
  },
} as const
