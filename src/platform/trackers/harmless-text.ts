import { truncate } from '#src/platform/truncate.ts'
import type { Issue } from './issue.ts'

/** A zero-width space, which keeps trackers from recognizing a mention or reference. */
const BREAK = '\u200b'

/** GitLab and Jira allow 255 characters, GitHub 256. */
const MAX_TITLE_LENGTH = 255
/** Jira allows 32,767 characters for the whole body. */
const MAX_TEXT_LENGTH = 30_000

/** Removes control characters except line breaks and tabs, and characters that change the text direction. */
const readable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')

const oneLine = (text: string): string => readable(text).replace(/\s+/g, ' ').trim()

/**
 * Patterns in titles that trackers interpret: `@name`, `#12`, `!12`, `$12`, `&12`, `%12`, `~label`, `GH-12`,
 * `[~name]`, URLs and HTML.
 */
const REFERENCES =
  /@(?=[\p{L}\p{N}_"'])|[#!$&%](?=[\p{N}"])|~(?=[\p{L}\p{N}_"])|GH-(?=\d)|:(?=\/\/)|<(?=[!/\p{L}])/giu

/** A title as one line of at most 255 characters, without mentions and references. */
export function harmlessTitle(title: string): string {
  const line = oneLine(title)
  const isBlank = /^[\p{Cf}\p{Z}]*$/u.test(line)
  return isBlank ? '(no title)' : truncate(line.replace(REFERENCES, `$&${BREAK}`), MAX_TITLE_LENGTH)
}

/** The first line of a body, which identifies the issue. */
export const marker = ({ reference }: Pick<Issue, 'reference'>): string => `Feedback ${reference}`

/** Whether a body starts with the marker. */
export const isMarked = (body: unknown, reference: Pick<Issue, 'reference'>): boolean =>
  typeof body === 'string' && /^.*/.exec(body)?.[0].trim() === marker(reference)

/** The facts that have a value, one line each. Includes the title if it is truncated in the tracker. */
export function factsOf({ title, facts }: Pick<Issue, 'title' | 'facts'>): [name: string, value: string][] {
  const isCut = harmlessTitle(title).length === MAX_TITLE_LENGTH
  const all = Object.entries(isCut ? { title, ...facts } : facts)
  return all.flatMap(([name, value]) => (value && oneLine(value) ? [[name, oneLine(value)] as const] : []))
}

/** The text, cut to a length that every tracker accepts. */
export const textOf = ({ text }: Pick<Issue, 'text'>): string =>
  truncate(readable(text), MAX_TEXT_LENGTH).trimEnd()

/** A run of backticks longer than any in the text (CommonMark 0.31, sections 4.5 and 6.1). */
const ticks = (text: string, minimum: number): string =>
  '`'.repeat(Math.max(minimum - 1, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1)

const codeSpan = (line: string): string => {
  const fence = ticks(line, 1)
  return `${fence} ${line} ${fence}`
}

const codeBlock = (text: string): string => {
  const fence = ticks(text, 3)
  return `${fence}text\n${text}\n${fence}`
}

/** The body of an issue in Markdown. User input goes into code, where trackers ignore mentions and markup. */
export function markdownBody(issue: Issue): string {
  const facts = factsOf(issue).map(([name, value]) => `- ${name}: ${codeSpan(value)}`)
  const text = textOf(issue)
  return [
    marker(issue),
    [...facts, `- stored at: <${issue.link}>`].join('\n'),
    ...(text ? [codeBlock(text)] : []),
  ].join('\n\n')
}
