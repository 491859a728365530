import type { BulkAction } from '#web/api/service.ts'

interface ErrorCause {
  kind: string
  count: number | null
  message: string | null
  companyId: string | null
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The causes of failures, most frequent first. An external worker may report them in another shape. */
export function errorCauses({ error_summary }: BulkAction): ErrorCause[] {
  return Object.entries(record(error_summary))
    .map(([kind, value]) => {
      const { count, example } = record(value)
      const { company_id, message } = record(example)
      return {
        kind,
        count: typeof count === 'number' ? count : null,
        message: text(message) ?? text(example) ?? text(value),
        companyId: text(company_id),
      }
    })
    .sort((one, other) => (other.count ?? 0) - (one.count ?? 0))
}
