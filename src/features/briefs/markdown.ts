import { escapeMarkdown } from '#src/platform/markdown.ts'
import type { Brief, BriefItem, BriefSection } from './schema.ts'

/** A brief as one page of Markdown. */
export function briefMarkdown({ title, generated_at, sections }: Brief): string {
  const head = [`# ${escapeMarkdown(title)}`, `Brief, ${generated_at.slice(0, 10)}`]
  return `${[...head, ...sections.map(sectionMarkdown)].join('\n\n')}\n`
}

function sectionMarkdown({ title, items, more }: BriefSection): string {
  const lines = items.map(itemMarkdown)
  if (more > 0) lines.push(`- and ${more} more`)
  return `## ${escapeMarkdown(title)}\n\n${lines.length > 0 ? lines.join('\n') : 'None.'}`
}

function itemMarkdown({ label, text, at, user_email }: BriefItem): string {
  const name = label === null ? '' : `**${escapeMarkdown(label)}:** `
  const source = [...(at ? [at.slice(0, 10)] : []), ...(user_email ? [escapeMarkdown(user_email)] : [])]
  return `- ${name}${escapeMarkdown(text)}${source.length > 0 ? ` (${source.join(', ')})` : ''}`
}
