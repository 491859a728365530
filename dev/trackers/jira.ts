import assert from 'node:assert/strict'
import {
  addIssue,
  created,
  hasKeys,
  known,
  ok,
  startTracker,
  TOKEN,
  type TrackerServer,
} from './tracker-server.ts'

/** Format: https://developer.atlassian.com/cloud/jira/platform/rest/v3/ and "Basic auth for REST APIs". */
export function startJira(): Promise<TrackerServer> {
  const token = `ada@example.com:${TOKEN}`
  return startTracker(
    (origin) => ({ TRACKER: 'jira', TRACKER_URL: origin, TRACKER_TOKEN: token, TRACKER_PROJECT: 'PIPE' }),
    ({ method, path, headers, body }, tracker) => {
      if (headers.authorization !== `Basic ${Buffer.from(token).toString('base64')}`)
        return { status: 401, body: { message: 'Client must be authenticated to access this resource.' } }
      if (method === 'GET' && path === '/rest/api/3/issue/createmeta/PIPE/issuetypes')
        return ok({ startAt: 0, maxResults: 100, total: TYPES.length, issueTypes: TYPES })
      if (method === 'POST' && path === '/rest/api/3/search/jql') {
        const [, label = ''] = /^project = "PIPE" AND labels = "(fb_\w+)"$/.exec(body.jql) ?? []
        assert.ok(label, body.jql)
        const found = known(tracker).filter(({ labels }) => labels.includes(label))
        return ok({ issues: found.map(({ id }) => ({ id: '10000', key: id })), isLast: true })
      }
      if (method !== 'POST' || path !== '/rest/api/3/issue')
        return { status: 404, body: { errorMessages: ['No project could be found'] } }
      hasKeys(body, ['fields'])
      const { project, issuetype, summary, description, labels } = body.fields
      hasKeys(body.fields, ['project', 'issuetype', 'summary', 'description', 'labels'])
      assert.deepEqual(project, { key: 'PIPE' })
      assert.ok(TYPES.some(({ id, subtask }) => id === issuetype.id && !subtask))
      assert.ok(summary.length > 0 && summary.length <= 255 && !summary.includes('\n'))
      for (const label of labels) assert.match(label, /^\S{1,255}$/)
      checkDocument(description)
      const id = `PIPE-${tracker.issues.length + 1}`
      const url = `${tracker.settings.TRACKER_URL}/browse/${id}`
      addIssue(tracker, { id, url, title: summary, body: JSON.stringify(description), labels })
      return created({ id: '10000', key: id, self: `https://example.atlassian.net/rest/api/3/issue/10000` })
    },
  )
}

const TYPES = [
  { id: '1', name: 'Subtask', subtask: true },
  { id: '2', name: 'Bug', subtask: false },
  { id: '3', name: 'Task', subtask: false },
]

interface DocumentNode {
  type: string
  text?: string
  marks?: { type: string }[]
  content?: DocumentNode[]
}

/** Format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
function checkDocument(document: DocumentNode & { version: number }): void {
  assert.deepEqual([document.type, document.version], ['doc', 1])
  for (const block of document.content ?? []) {
    assert.ok(['paragraph', 'codeBlock'].includes(block.type), block.type)
    for (const node of block.content ?? []) {
      assert.equal(node.type, 'text')
      assert.ok(node.text)
      for (const mark of node.marks ?? []) assert.equal(mark.type, 'code')
    }
  }
}
