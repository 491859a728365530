import { strings } from '#strings/theses.ts'
import type { Thesis } from '#web/api/service.ts'
import { changedFields, pick } from '#web/editing/record-changes.ts'

/** The form of a thesis. Empty strings stand for null. */
export interface ThesisText {
  code: string
  title: string
  summary: string
  status: string
  report_markdown: string
}

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

/** The remote version with the user's changes applied. */
export const merged = (mine: ThesisText, from: ThesisText, remote: ThesisText): ThesisText => ({
  ...remote,
  ...pick(mine, changedFields(mine, from)),
})

type ThesisErrors = Partial<Record<'code' | 'title', string>>

/** Finds what the service would reject. */
export function validateThesis({ code, title }: ThesisText): ThesisErrors {
  return {
    ...(code.trim() === '' && { code: strings.codeRequired }),
    ...(/\S\s+\S/.test(code) && { code: strings.codeHasSpaces }),
    ...(title.trim() === '' && { title: strings.titleRequired }),
  }
}
