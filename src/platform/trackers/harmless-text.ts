import type { Issue } from './issue.ts'

/** Shown as nothing, it keeps a tracker from seeing a name or a number in what it stands in. */
const BREAK = '\u200b'

/** GitLab and Jira take 255 characters, GitHub 256. */
const MAX_TITLE_LENGTH = 255
/** Jira takes 32,767, and there is more in the body than the text. */
const MAX_TEXT_LENGTH = 30_000

/** Line breaks and tabs are kept of the control characters; none that turn the direction of the text. */
const readable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`

const oneLine = (text: string): string => readable(text).replace(/\s+/g, ' ').trim()

/**
 * What trackers make something of in a title: `@name`, `#12`, `!12`, `$12`, `&12`, `%12`, `~label`, `GH-12`, `[~name]`,
 * addresses and HTML.
 */
const REFERENCES =
  /@(?=[\p{L}\p{N}_"'])|[#!$&%](?=[\p{N}"])|~(?=[\p{L}\p{N}_"])|GH-(?=\d)|:(?=\/\/)|<(?=[!/\p{L}])/giu

/** A title as one line of at most 255 characters that names nobody and refers to nothing. */
export function harmlessTitle(title: string): string {
  const line = oneLine(title)
  const isBlank = /^[\p{Cf}\p{Z}]*$/u.test(line)
  return isBlank ? '(no title)' : cut(line.replace(REFERENCES, `$&${BREAK}`), MAX_TITLE_LENGTH)
}

/** The first line of a body, by which the issue is found again. */
export const marker = ({ reference }: Pick<Issue, 'reference'>): string => `Feedback ${reference}`

/** Whether a body begins with the marker. */
export const isMarked = (body: unknown, reference: Pick<Issue, 'reference'>): boolean =>
  typeof body === 'string' && /^.*/.exec(body)?.[0].trim() === marker(reference)

/** The facts that have a value, each in one line; with the title where the tracker is given only a part of it. */
export function factsOf({ title, facts }: Pick<Issue, 'title' | 'facts'>): [name: string, value: string][] {
  const isCut = harmlessTitle(title).length === MAX_TITLE_LENGTH
  const all = Object.entries(isCut ? { title, ...facts } : facts)
  return all.flatMap(([name, value]) => (value && oneLine(value) ? [[name, oneLine(value)] as const] : []))
}

/** The text, of a length that each tracker takes. */
export const textOf = ({ text }: Pick<Issue, 'text'>): string =>
  cut(readable(text), MAX_TEXT_LENGTH).trimEnd()

/** A run of backticks that is longer than any in the text (CommonMark 0.31, sections 4.5 and 6.1). */
const ticks = (text: string, fewest: number): string =>
  '`'.repeat(Math.max(fewest - 1, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1)

const codeSpan = (line: string): string => {
  const fence = ticks(line, 1)
  return `${fence} ${line} ${fence}`
}

const codeBlock = (text: string): string => {
  const fence = ticks(text, 3)
  return `${fence}text\n${text}\n${fence}`
}

/** The body of an issue in Markdown. All that is a stranger's stands in code, where no tracker looks for names or markup. */
export function markdownBody(issue: Issue): string {
  const facts = factsOf(issue).map(([name, value]) => `- ${name}: ${codeSpan(value)}`)
  const text = textOf(issue)
  return [
    marker(issue),
    [...facts, `- kept at: <${issue.link}>`].join('\n'),
    ...(text ? [codeBlock(text)] : []),
  ].join('\n\n')
}
