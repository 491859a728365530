/**
 * The reasons that a tracker states in the body of an error, as sentences: `message` and `errors` of GitHub, `message` and
 * `error` of GitLab, `errorMessages` and `errors` by field of Jira.
 * @returns '' if it states none
 */
export function statedReason(text: string): string {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return ''
  }
  if (typeof body !== 'object' || body === null) return ''
  const { message, error, errorMessages, errors } = body as Record<string, unknown>
  const sentences = [message, error, errorMessages, errors].flatMap((reason) => sentencesOf(reason))
  return [...new Set(sentences)].join(' ')
}

function sentencesOf(reason: unknown, field = ''): string[] {
  if (typeof reason === 'string') return reason.trim() ? [sentence(reason, field)] : []
  if (Array.isArray(reason)) return reason.flatMap((each) => sentencesOf(each, field))
  if (typeof reason !== 'object' || reason === null) return []
  const { message, field: named, code } = reason as Record<string, unknown>
  // GitHub's validation errors: https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
  const detail = typeof message === 'string' ? message : code
  if (typeof detail === 'string') return sentencesOf(detail, typeof named === 'string' ? named : field)
  return Object.entries(reason).flatMap(([name, each]) => sentencesOf(each, name))
}

export function sentence(reason: string, field = ''): string {
  const line = reason.replace(/[\p{C}\s]+/gu, ' ').trim()
  return `${field && `${field}: `}${line}${/[.!?]$/.test(line) ? '' : '.'}`
}
