import { truncate } from '#src/client/limits.ts'

/** Names in a User-Agent, the most specific first: Edge and Opera also contain Chrome, and Chrome contains Safari. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*Safari/],
  ['curl', /^curl\/(\d+)/],
] as const
const SYSTEMS = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const

/** A short name for a User-Agent, such as `Firefox 150 on Linux`, or its beginning if it is unknown. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))
  if (!browser) return truncate(userAgent, 60)
  const name = `${browser[0]} ${browser[1].exec(userAgent)?.[1]}`
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))
  return system ? `${name} on ${system[0]}` : name
}
