import { strings } from '#strings/theses.ts'
import type { Thesis } from '#web/service/service.ts'

/** The known statuses of a thesis; others may be used. */
export const STATUSES = ['active', 'draft', 'archived'] as const

/** What is typed of a thesis; an empty text stands for null. */
export interface ThesisText {
  code: string
  title: string
  summary: string
  status: string
  report_markdown: string
}

export const FIELDS = ['code', 'title', 'summary', 'status', 'report_markdown'] as const

export const EMPTY: ThesisText = { code: '', title: '', summary: '', status: 'active', report_markdown: '' }

export const thesisText = (thesis: Thesis): ThesisText => ({
  code: thesis.code,
  title: thesis.title,
  summary: thesis.summary ?? '',
  status: thesis.status,
  report_markdown: thesis.report_markdown ?? '',
})

export const requestBody = ({ code, title, summary, status, report_markdown }: ThesisText) => ({
  code: code.trim(),
  title: title.trim(),
  summary: summary.trim() === '' ? null : summary,
  status,
  report_markdown: report_markdown.trim() === '' ? null : report_markdown,
})

/** The fields of one that differ from the other. */
export const changedFields = (one: ThesisText, other: ThesisText) =>
  FIELDS.filter((field) => one[field] !== other[field])

/** Theirs with what was changed here: a field that only they changed stays as they have it. */
export const merged = (mine: ThesisText, from: ThesisText, theirs: ThesisText): ThesisText => ({
  ...theirs,
  ...Object.fromEntries(changedFields(mine, from).map((field) => [field, mine[field]])),
})

type ThesisErrors = Partial<Record<'code' | 'title', string>>

/** What the service would refuse. */
export function validateThesis({ code, title }: ThesisText): ThesisErrors {
  return {
    ...(code.trim() === '' && { code: strings.codeNeeded }),
    ...(/\S\s+\S/.test(code) && { code: strings.codeSpaces }),
    ...(title.trim() === '' && { title: strings.titleNeeded }),
  }
}
